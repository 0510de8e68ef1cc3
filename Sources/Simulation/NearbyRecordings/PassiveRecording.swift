import Foundation

/// A recording of rangings between two radios that a third one overheard.
package struct PassiveRecording: Sendable {
  /// One ranging; message 1 goes from the initiator to the responder, messages 2 and 3 go back.
  package struct Row: Equatable, Sendable {
    /// Seconds; the number of the row if the file has no times.
    package var time: Double
    package var listener: Int
    package var initiator: Int
    package var responder: Int
    /// Reception of the three messages, seconds on the listener's clock.
    package var listenerStamps: SIMD3<Double>
    /// Reception of message 1, transmission of messages 2 and 3, seconds on the responder's clock.
    package var responderStamps: SIMD3<Double>
    /// Metres.
    package var measuredRange: Double
    package var initiatorPosition: SIMD3<Double>
    package var responderPosition: SIMD3<Double>
    /// Metres; `nil` if not recorded.
    package var trueDifference: Double?
  }

  package var rows: [Row]

  /// Reads `passive.csv` of a folder. Columns: `listener`, `initiator`, `responder`, `l1_rx_ns`, `l2_rx_ns`,
  /// `l3_rx_ns`, `r1_rx_ns`, `r2_tx_ns`, `r3_tx_ns`, `twr_range_m`, `initiator_x_m` to `responder_z_m`;
  /// optional: `t_s`, `gt_tdoa_m`. An empty stamp or range is read as not a number, which makes the row
  /// unusable but no other.
  package init(folder: URL) throws(RecordingError) {
    let file = folder.appendingPathComponent("passive.csv")
    guard var reader = try Recording.reader(file) else { throw .missingFile(file: file.path) }
    let columns = try Columns(reader)
    var rows: [Row] = []
    while try reader.next() { rows.append(try columns.row(reader, number: rows.count)) }
    guard !rows.isEmpty else { throw .empty(file: file.path) }
    self.rows = rows
  }

  private struct Columns {
    let time: Int?
    let listener, initiator, responder: Int
    let listenerStamps, responderStamps: VectorColumns
    let range: Int
    let initiatorPosition, responderPosition: VectorColumns
    let truth: Int?

    init(_ reader: CSVReader) throws(RecordingError) {
      time = reader.column("t_s")
      listener = try reader.requiredColumn("listener")
      initiator = try reader.requiredColumn("initiator")
      responder = try reader.requiredColumn("responder")
      listenerStamps = try VectorColumns("l1_rx_ns", "l2_rx_ns", "l3_rx_ns", in: reader)
      responderStamps = try VectorColumns("r1_rx_ns", "r2_tx_ns", "r3_tx_ns", in: reader)
      range = try reader.requiredColumn("twr_range_m")
      initiatorPosition = try VectorColumns("initiator_x_m", "initiator_y_m", "initiator_z_m", in: reader)
      responderPosition = try VectorColumns("responder_x_m", "responder_y_m", "responder_z_m", in: reader)
      truth = reader.column("gt_tdoa_m")
    }

    func row(_ reader: CSVReader, number: Int) throws(RecordingError) -> Row {
      Row(
        time: try time.map { column throws(RecordingError) in
          try reader.number(column, in: Recording.timeBounds)
        } ?? Double(number),
        listener: try reader.integer(listener), initiator: try reader.integer(initiator),
        responder: try reader.integer(responder),
        // Bounded: the three lanes of a vector.
        listenerStamps: 1e-9 * (try listenerStamps.optionalVector(reader)),
        // Bounded: the three lanes of a vector.
        responderStamps: 1e-9 * (try responderStamps.optionalVector(reader)),
        measuredRange: try reader.optionalNumber(range) ?? .nan,
        initiatorPosition: try initiatorPosition.vector(reader, in: Recording.placeBounds),
        responderPosition: try responderPosition.vector(reader, in: Recording.placeBounds),
        trueDifference: try truth.flatMap { column throws(RecordingError) in
          try reader.optionalNumber(column)
        })
    }
  }
}
