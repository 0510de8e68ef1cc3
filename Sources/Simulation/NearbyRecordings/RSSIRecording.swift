import Foundation

/// A recording of beacon signal strength: one CSV file with one row per packet.
///
/// | column | contents |
/// |---|---|
/// | `t_s` | time, seconds |
/// | `rssi_dbm` | received signal strength, dBm |
/// | `beacon`, `sensor` | optional: names of the beacon and the receiver |
/// | `gt_distance_m` | optional: true distance, metres |
/// | `power_dbm` | optional: power at 1 m stated in the frame, dBm |
/// | `sensor_x_m`, `sensor_y_m`, `sensor_z_m` | optional: the receiver's position, metres |
///
/// Rows may be in any order. Other columns are ignored.
package struct RSSIRecording: Equatable, Sendable {
  package struct Sample: Equatable, Sendable {
    package var time: Duration
    /// Index into `names`.
    package var name: Int
    /// dBm.
    package var rssi: Double
    /// Power at 1 m as stated in the frame, dBm.
    package var measuredPower: Double?
    /// True distance, metres.
    package var trueDistance: Double?
  }

  /// Beacons or receivers, in order of first appearance.
  package var names: [String]
  /// In file order.
  package var samples: [Sample]
  /// Position of each of `names`, metres; `nil` if the file has none.
  package var places: [SIMD3<Double>]?

  /// Valid RSSIs of a receiver, dBm; 127 means "not available".
  private static let rssiBounds = -200.0...127.0
  private static let powerBounds = -150.0...50.0
  private static let distanceBounds = 0.0...1e6

  package init(file: URL) throws(RecordingError) {
    guard let bytes = try Recording.bytes(file) else { throw .missingFile(file: file.path) }
    try self.init(bytes, file: file.path)
  }

  /// - Parameter file: Name of the source in errors.
  package init(_ bytes: [UInt8], file: String) throws(RecordingError) {
    var reader = try CSVReader(file: file, bytes: bytes)
    let columns = try RSSIColumns(header: reader)
    (names, samples) = ([], [])
    var table: [String: Int] = [:]
    var found: [SIMD3<Double>] = []
    while try reader.next() {
      let name = try columns.name(reader)
      let place = try columns.place(reader)
      let index = table[name] ?? names.count
      if index == names.count {
        table[name] = index
        names.append(name)
        if let place { found.append(place) }
      } else if let place, found[index] != place {
        throw .duplicateName(
          file: file, line: reader.line, column: "sensor", found: String(name.prefix(40)))
      }
      samples.append(try columns.sample(reader, name: index))
    }
    guard !samples.isEmpty else { throw .empty(file: file) }
    places = columns.axes.isEmpty ? nil : found
  }

  /// Indices of the columns in one file.
  private struct RSSIColumns {
    let time: Int
    let rssi: Int
    private let beacon: Int?
    private let sensor: Int?
    let truth: Int?
    let power: Int?
    /// Columns of the receiver's position; empty if the file has none.
    let axes: [Int]

    init(header: CSVReader) throws(RecordingError) {
      time = try header.requiredColumn("t_s")
      rssi = try header.requiredColumn("rssi_dbm")
      beacon = header.column("beacon")
      sensor = header.column("sensor")
      truth = header.column("gt_distance_m")
      power = header.column("power_dbm")
      // A single locator cannot tell several beacons apart.
      let isReceivers = beacon == nil && sensor != nil
      axes =
        isReceivers && header.column("sensor_x_m") != nil
        ? [
          try header.requiredColumn("sensor_x_m"), try header.requiredColumn("sensor_y_m"),
          try header.requiredColumn("sensor_z_m"),
        ] : []
    }

    /// Names the beacon, the receiver, or both, depending on the columns present.
    func name(_ reader: CSVReader) throws(RecordingError) -> String {
      switch (beacon, sensor) {
      case (let beacon?, let sensor?): "\(try reader.name(beacon)) at \(try reader.name(sensor))"
      case (let column?, nil), (nil, let column?): try reader.name(column)
      case (nil, nil): "beacon"
      }
    }

    func place(_ reader: CSVReader) throws(RecordingError) -> SIMD3<Double>? {
      guard axes.count == 3 else { return nil }
      return SIMD3(
        try reader.number(axes[0], in: Recording.placeBounds),
        try reader.number(axes[1], in: Recording.placeBounds),
        try reader.number(axes[2], in: Recording.placeBounds))
    }

    func sample(_ reader: CSVReader, name: Int) throws(RecordingError) -> Sample {
      func number(_ column: Int?, in bounds: ClosedRange<Double>) throws(RecordingError) -> Double? {
        guard let column, !reader.isBlank(column) else { return nil }
        return try reader.number(column, in: bounds)
      }
      return Sample(
        time: Recording.duration(try reader.number(time, in: Recording.timeBounds)), name: name,
        rssi: try reader.number(rssi, in: rssiBounds),
        measuredPower: try number(power, in: powerBounds),
        trueDistance: try number(truth, in: distanceBounds))
    }
  }
}
