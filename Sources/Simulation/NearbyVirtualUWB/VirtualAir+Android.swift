import NearbyExchange
import NearbyUCI

/// Android's own messages: power statistics and range diagnostics.
extension VirtualAir {
  /// A chip's statistics since power-on, including the rounds of running sessions so far.
  func powerStatistics(of chip: Int) -> UCIPowerStatistics {
    var time = chips[chip].radioTime
    for session in chips[chip].sessions {
      guard let reference = session?.run?.reference, let run = run(reference) else { continue }
      time.add(run)
    }
    return time.statistics(powered: self.time - chips[chip].bootTime)
  }

  /// Reports a round to a host that asked for diagnostics: SESSION_INFO_NTF, then how each frame was
  /// received.
  mutating func finishWithDiagnostics(_ reference: SessionReference, _ entries: [UCITwoWayMeasurement]) {
    let place = Int(reference.place)
    let round = runs[place].round
    // Diagnostics need the RSSI even if RSSI_REPORTING excludes it from the measurements.
    let reported = entries.map { entry in
      var entry = entry
      if !round.reportsRSSI { entry.rssiHalfDecibels = 0 }
      return entry
    }
    guard let info = runs[place].note(reported) else { return }
    send(info, count: reported.count, from: reference.radio)
    let fields = chips[Int(reference.chip)].sessions[Int(reference.slot)]?.diagnosticsFields ?? []
    let reports = entries.compactMap { entry -> UCIFrameReport? in
      guard entry.distanceMetres != nil else { return nil }
      return UCIFrameReport(
        messageID: round.isInitiator ? .response : .poll, fields: fields.report(entry, of: round))
    }
    let diagnostics = UCIRangeDiagnostics(token: info.token, sequence: info.sequence, reports: reports)
    send(.notification(.rangeDiagnostics(diagnostics)), from: reference.radio.index)
  }
}

/// DIAGNOSTICS_FRAME_REPORTS_FIELDS: the contents of each frame report. Other bits have no effect.
struct DiagnosticsFields: OptionSet, Sendable {
  let rawValue: UInt8
  static let rssi = DiagnosticsFields(rawValue: 1)
  static let angles = DiagnosticsFields(rawValue: 2)

  /// The fields of one frame's report. Time and phase differences are not simulated and are 0.
  func report(_ entry: UCITwoWayMeasurement, of round: RoundParameters) -> [UCIFrameField] {
    var fields: [UCIFrameField] = []
    if contains(.rssi) { fields.append(.rssi([entry.rssiHalfDecibels])) }
    if contains(.angles) {
      var angles: [UCIFrameAngle] = []
      if round.wantsAzimuth { angles.append(UCIFrameAngle(angle: entry.azimuth, axis: 0)) }
      if round.wantsElevation { angles.append(UCIFrameAngle(angle: entry.elevation, axis: 1)) }
      fields.append(.angles(angles))
    }
    return fields
  }
}

extension VirtualSession {
  var diagnosticsFields: DiagnosticsFields {
    DiagnosticsFields(
      rawValue: parameters.octet(ParameterID.diagnosticsFields, DiagnosticsFields.rssi.rawValue))
  }
}
