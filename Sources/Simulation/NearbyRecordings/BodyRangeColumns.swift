import NearbyEstimation

/// The columns of a file of ranges between two bodies. `BodyRecording` shows their names.
struct BodyRangeColumns {
  let time: Int
  /// Number of columns of known antennas, and of unknown ones.
  var count: Int { columns.count }
  private(set) var unknown = 0

  private struct Column {
    var index: Int
    var base: Int
    var target: Int
  }
  private var columns: [Column] = []
  private let position: VectorColumns?
  private let yaw: Int?

  init(_ header: CSVReader, base: BodyAntennas.Body, target: BodyAntennas.Body) throws(RecordingError) {
    time = try header.requiredColumn("t_s")
    yaw = header.column("rel_yaw_deg")
    position =
      header.column("rel_x_m") == nil || yaw == nil
      ? nil : try VectorColumns("rel_x_m", "rel_y_m", "rel_z_m", in: header)
    for (index, name) in header.header.enumerated() {
      guard let (first, second) = Self.antennas(name) else { continue }
      if let i = base.names.firstIndex(of: first), let j = target.names.firstIndex(of: second) {
        columns.append(Column(index: index, base: i, target: j))
      } else {
        // Bounded: at most the number of columns in memory.
        unknown += 1
      }
    }
    guard !columns.isEmpty else {
      throw .missingColumn(file: header.file, column: "r11_m", found: Array(header.header.prefix(20)))
    }
  }

  /// The antennas that a column's name gives: one digit each, or any digits around an underscore.
  private static func antennas(_ name: String) -> (String, String)? {
    guard name.hasPrefix("r"), name.hasSuffix("_m") else { return nil }
    let parts = name.dropFirst().dropLast(2).split(separator: "_", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ part in !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let first = parts.first, let last = parts.last
    else { return nil }
    if parts.count == 2 { return (String(first), String(last)) }
    guard parts.count == 1, first.utf8.count == 2 else { return nil }
    return (String(first.prefix(1)), String(first.suffix(1)))
  }

  /// The ranges of a row that are known.
  func ranges(_ row: CSVReader) throws(RecordingError) -> [BodyRange] {
    var ranges: [BodyRange] = []
    ranges.reserveCapacity(columns.count)
    for column in columns {
      guard let range = try row.numberIfKnown(column.index) else { continue }
      ranges.append(
        BodyRange(
          baseAntenna: column.base, targetAntenna: column.target,
          range: try row.place(column.index).check(range, in: Recording.rangeBounds)))
    }
    return ranges
  }

  /// The true pose; `nil` if it was not recorded.
  func truth(_ row: CSVReader) throws(RecordingError) -> BodyRecording.Truth? {
    guard let position, let yaw, let degrees = try row.numberIfKnown(yaw) else { return nil }
    let place = try position.optionalVector(row)
    guard (place.x + place.y + place.z).isFinite else { return nil }
    return BodyRecording.Truth(
      position: place, yaw: try row.place(yaw).check(degrees, in: -1e6...1e6) * .pi / 180)
  }
}
