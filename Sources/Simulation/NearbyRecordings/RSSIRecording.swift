import Foundation

/// A recording of how loud a beacon was heard: one file, a row a packet.
///
/// Columns: `t_s`, `rssi_dbm`; where there are, `beacon` and `sensor` (who was heard, and by whom), `gt_distance_m`
/// (the truth), `power_dbm` (what the frame told of 1 m), `sensor_x_m`, `sensor_y_m`, `sensor_z_m` (where that
/// receiver stands). Rows may stand in any order. Other columns are passed over.
package struct RSSIRecording: Equatable, Sendable {
  package struct Sample: Equatable, Sendable {
    package var time: Duration
    /// Which of `names`.
    package var name: Int
    /// dBm.
    package var rssi: Double
    /// dBm at 1 m, as the frame told.
    package var measuredPower: Double?
    /// Metres.
    package var trueDistance: Double?
  }

  /// Beacons or receivers, in the order in which they come up.
  package var names: [String]
  /// In the order of the file.
  package var samples: [Sample]
  /// Where each of `names` stands, metres; `nil` where the file does not say.
  package var places: [SIMD3<Double>]?

  /// RSSIs that a receiver can have, dBm; 127 stands for none.
  private static let rssiBounds = -200.0...127.0
  private static let powerBounds = -150.0...50.0
  private static let distanceBounds = 0.0...1e6

  /// Reads a file.
  package init(file: URL) throws(RecordingError) {
    guard let bytes = try Recording.bytes(file) else { throw .missingFile(file: file.path) }
    try self.init(bytes, file: file.path)
  }

  /// - Parameter file: What errors call the octets.
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

  /// Columns of one file.
  private struct RSSIColumns {
    let time: Int
    let rssi: Int
    private let beacon: Int?
    private let sensor: Int?
    let truth: Int?
    let power: Int?
    /// Of a receiver's place; empty without.
    let axes: [Int]

    init(header: CSVReader) throws(RecordingError) {
      time = try header.requiredColumn("t_s")
      rssi = try header.requiredColumn("rssi_dbm")
      beacon = header.column("beacon")
      sensor = header.column("sensor")
      truth = header.column("gt_distance_m")
      power = header.column("power_dbm")
      // Several beacons' places are not told apart by one locator.
      let isReceivers = beacon == nil && sensor != nil
      axes =
        isReceivers && header.column("sensor_x_m") != nil
        ? [
          try header.requiredColumn("sensor_x_m"), try header.requiredColumn("sensor_y_m"),
          try header.requiredColumn("sensor_z_m"),
        ] : []
    }

    /// Who was heard by whom, as far as the file tells.
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
