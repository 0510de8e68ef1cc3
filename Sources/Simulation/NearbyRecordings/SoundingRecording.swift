import Foundation
import NearbySounding

/// A recording of Bluetooth Channel Sounding with one peer: a folder with `sounding.csv`, one row per procedure.
///
/// | column | contents |
/// |---|---|
/// | `t_s` | time, seconds |
/// | `ifft_m` | distance by the peak of the impulse response, metres |
/// | `phase_m` | distance by the slope of the phases, metres |
/// | `rtt_m` | distance by the round-trip time, metres |
/// | `good_tones` | optional: 0 if the radio called the tones bad, else 1 |
/// | `rssi_dbm` | optional: received power, dBm |
/// | `gt_distance_m` | optional: true distance, metres |
///
/// At least one of the three distances must have a column. An empty or negative distance means that the method
/// gave none. Times must not decrease. Other columns are ignored.
package struct SoundingRecording: Equatable, Sendable {
  package struct Row: Equatable, Sendable {
    package var result: SoundingResult
    /// True distance, metres.
    package var trueDistance: Double?
  }

  /// In file order; at least one.
  package var rows: [Row]

  package static let fileName = "sounding.csv"

  package init(folder: URL) throws(RecordingError) {
    let file = folder.appendingPathComponent(Self.fileName)
    guard let bytes = try Recording.bytes(file) else { throw .missingFile(file: file.path) }
    try self.init(bytes, file: file.path)
  }

  /// - Parameter file: Name of the source in errors.
  package init(_ bytes: [UInt8], file: String) throws(RecordingError) {
    var reader = try CSVReader(file: file, bytes: bytes)
    let columns = try Columns(header: reader)
    var latest = -Double.infinity
    rows = []
    while try reader.next() {
      let seconds = try reader.number(columns.time, in: Recording.timeBounds)
      guard seconds >= latest else {
        throw .timeBackwards(file: file, line: reader.line, column: "t_s", found: seconds, latest: latest)
      }
      latest = seconds
      rows.append(try columns.row(reader, at: Recording.duration(seconds)))
    }
    guard !rows.isEmpty else { throw .empty(file: file) }
  }

  /// Indices of the columns in one file.
  private struct Columns {
    let time: Int
    private let impulseResponse: Int?
    private let phaseSlope: Int?
    private let roundTrip: Int?
    private let goodTones: Int?
    private let power: Int?
    private let truth: Int?

    private static let powerBounds = -200.0...127.0

    init(header: CSVReader) throws(RecordingError) {
      time = try header.requiredColumn("t_s")
      phaseSlope = header.column("phase_m")
      roundTrip = header.column("rtt_m")
      let hasOther = phaseSlope != nil || roundTrip != nil
      impulseResponse = hasOther ? header.column("ifft_m") : try header.requiredColumn("ifft_m")
      goodTones = header.column("good_tones")
      power = header.column("rssi_dbm")
      truth = header.column("gt_distance_m")
    }

    func row(_ reader: CSVReader, at time: Duration) throws(RecordingError) -> Row {
      func number(_ column: Int?, in bounds: ClosedRange<Double>) throws(RecordingError) -> Double? {
        guard let column, !reader.isBlank(column) else { return nil }
        return try reader.number(column, in: bounds)
      }
      let result = SoundingResult(
        time: time, impulseResponse: try number(impulseResponse, in: Recording.rangeBounds),
        phaseSlope: try number(phaseSlope, in: Recording.rangeBounds),
        roundTrip: try number(roundTrip, in: Recording.rangeBounds),
        power: try number(power, in: Self.powerBounds),
        hasGoodTones: try number(goodTones, in: 0...1) != 0)
      return Row(result: result, trueDistance: try number(truth, in: Recording.rangeBounds))
    }
  }
}
