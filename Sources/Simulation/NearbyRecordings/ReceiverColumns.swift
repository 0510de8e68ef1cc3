import NearbyEstimation

/// The columns of a file that say how a range was received.
///
/// | column | contents |
/// |---|---|
/// | `range_m` | measured range, metres |
/// | `rx_dbm`, `fp_dbm` | power of the whole signal and of its first path, dBm |
/// | `fp_amp1`, `fp_amp2`, `fp_amp3` | magnitudes of the three taps at the first path |
/// | `rxpacc` | count of preamble symbols that the receiver accumulated |
/// | `noise_std` | standard deviation of the noise, in the units of the magnitudes |
///
/// Any of them may be missing. A field that is blank, `nan` or infinite counts as missing.
package struct ReceiverColumns: Equatable, Sendable {
  package static let names = [
    "range_m", "rx_dbm", "fp_dbm", "fp_amp1", "fp_amp2", "fp_amp3", "rxpacc", "noise_std",
  ]

  /// Index of each of `names` in the file.
  private let indices: [Int?]

  /// - Throws: `missingColumn` if the file has none of the columns that say anything about the path.
  init(header: CSVReader) throws(RecordingError) {
    indices = Self.names.map { header.column($0) }
    if indices.dropFirst().allSatisfy({ $0 == nil }) { _ = try header.requiredColumn("rx_dbm") }
  }

  /// Those of `names` that the file lacks.
  package var missing: [String] { zip(Self.names, indices).filter { $0.1 == nil }.map(\.0) }

  /// The figures of the current row, and how many of its fields are missing.
  func figures(_ row: CSVReader) throws(RecordingError) -> (figures: ReceiverFigures, missing: Int) {
    var values: [Double] = []
    var missing = 0
    values.reserveCapacity(indices.count)
    for index in indices {
      let value = if let index { try row.numberIfKnown(index) } else { Double.nan }
      if value == nil { missing += 1 }
      values.append(value ?? .nan)
    }
    return (ReceiverFigures(columns: values), missing)
  }
}

extension ReceiverFigures {
  /// - Parameter columns: A number for each of `ReceiverColumns.names`, NaN where unknown.
  init(columns: [Double]) {
    precondition(columns.count == ReceiverColumns.names.count, "\(columns.count) receiver columns")
    self.init()
    range = columns[0]
    power = columns[1]
    firstPathPower = columns[2]
    firstPathAmplitudes = SIMD3(columns[3], columns[4], columns[5])
    accumulatedSymbols = columns[6]
    noise = columns[7]
  }
}
