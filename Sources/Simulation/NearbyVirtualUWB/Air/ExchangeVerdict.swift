import NearbyEstimation
import NearbyExchange
import NearbyUCI

/// Determines what each side of a two-way exchange reports.
///
/// With a report message, the side that sends it computes the distance: the initiator, or the responder if
/// bit 7 of RANGING_ROUND_CONTROL is set. The other side learns the distance from the report if
/// RESULT_REPORT_CONFIG includes the time of flight. Without a report, the responder computes it in
/// double-sided ranging, because the final message carries the times, and the initiator in single-sided
/// ranging, because the response does. A side that never learns the distance reports
/// RANGING_RX_MAC_IE_MISSING.
struct ExchangeVerdict: Sendable {
  let layout: RoundLayout
  let initiator: RoundParameters
  /// The responder's index in the round.
  let index: Int
  let outcome: ExchangeOutcome
  let collided: ExchangeFrames
  /// Whether the initiator could not send its first frames.
  let isNotSent: Bool

  struct Failure: Equatable {
    var status: UCIStatus
    var slot: Int
  }

  private func arrived(_ frame: ExchangeFrames) -> Bool {
    outcome.received.contains(frame) && !collided.contains(frame)
  }

  /// Why a frame was not received: one that collided cannot be decoded, and one that did not arrive times
  /// out.
  private func loss(_ frame: ExchangeFrames, slot: Int) -> Failure? {
    guard !arrived(frame) else { return nil }
    return Failure(status: collided.contains(frame) ? .rxPhyDecodeFailed : .rxTimeout, slot: slot)
  }

  /// Whether the responder knows that the round takes place.
  var responderHears: Bool { (!layout.hasControl || arrived(.control)) && arrived(.poll) }
  private var responseSlot: Int { layout.responseSlot(index) }
  private var responderComputes: Bool {
    layout.hasReport ? initiator.roundControl & 0x80 != 0 : layout.hasFinal
  }

  /// Why the initiator has no distance; `nil` if it has one.
  var initiatorFailure: Failure? {
    if isNotSent { return Failure(status: .txFailed, slot: 0) }
    guard responderHears else { return Failure(status: .rxTimeout, slot: responseSlot) }
    if let failure = loss(.response, slot: responseSlot) { return failure }
    if layout.hasFinal, !arrived(.final) { return Failure(status: .rxTimeout, slot: layout.finalSlot) }
    guard outcome.distance != nil else { return Failure(status: .rxTimeOfArrivalFailed, slot: responseSlot) }
    return responderComputes ? reportFailure : nil
  }

  /// Why the responder has no distance; `nil` if it has one.
  var responderFailure: Failure? {
    if layout.hasControl, let failure = loss(.control, slot: 0) { return failure }
    if let failure = loss(.poll, slot: layout.pollSlot) { return failure }
    if layout.hasFinal {
      // Without a response, the final message contains no times for this responder.
      guard arrived(.response) else { return Failure(status: .rxTimeout, slot: layout.finalSlot) }
      if let failure = loss(.final, slot: layout.finalSlot) { return failure }
    } else if !arrived(.response) {
      return Failure(status: .rxTimeout, slot: layout.hasReport ? layout.reportSlot : responseSlot)
    }
    guard outcome.distance != nil else {
      return Failure(
        status: .rxTimeOfArrivalFailed, slot: layout.hasFinal ? layout.finalSlot : layout.pollSlot)
    }
    return responderComputes ? nil : reportFailure
  }

  private var reportFailure: Failure? {
    guard layout.hasReport else {
      return Failure(status: .rxMacIEMissing, slot: layout.hasFinal ? layout.finalSlot : responseSlot)
    }
    if let failure = loss(.report, slot: layout.reportSlot) { return failure }
    return initiator.resultReport & 0x01 != 0
      ? nil : Failure(status: .rxMacIEMissing, slot: layout.reportSlot)
  }

  /// One side's entry in SESSION_INFO_NTF.
  ///
  /// - Parameters:
  ///   - own: The parameters of the side that reports.
  ///   - address: The other side's address.
  ///   - failure: Why this side has no distance, if so.
  ///   - view: What this side's receiver measured of the other.
  ///   - peerAngle: What the other side measured of this one and may report.
  func measurement(
    for own: RoundParameters, of address: UCIAddress, failure: Failure?, view: ReceiverView?,
    peerAngle: AngleReading?
  ) -> UCITwoWayMeasurement {
    if let failure {
      return UCITwoWayMeasurement(
        address: address, status: failure.status, slotIndex: UInt8(clamping: failure.slot))
    }
    var result = UCITwoWayMeasurement(address: address, status: .ok)
    setDistance(&result)
    if let view {
      result.nonLineOfSight = view.looksNonLineOfSight ? 1 : 0
      if own.reportsRSSI || own.reportsDiagnostics { result.rssiHalfDecibels = Self.wireRSSI(view.rssiDBm) }
      if let angle = view.angle {
        if own.wantsAzimuth { result.azimuth = Self.wireAngle(angle.azimuth, angle.azimuthSigma) }
        if own.wantsElevation { result.elevation = Self.wireAngle(angle.elevation, angle.elevationSigma) }
      }
    }
    guard layout.hasReport, arrived(.report), let peerAngle else { return result }
    let bits = initiator.resultReport
    if bits & 0x02 != 0 {
      result.destinationAzimuth = Self.wireAngle(peerAngle.azimuth, peerAngle.azimuthSigma, bits)
    }
    if bits & 0x04 != 0 {
      result.destinationElevation = Self.wireAngle(peerAngle.elevation, peerAngle.elevationSigma, bits)
    }
    return result
  }

  private func setDistance(_ result: inout UCITwoWayMeasurement) {
    let centimetres = WireRounding.nearest((outcome.distance ?? 0) * 100, in: -65_535...65_535)
    result.distanceCentimetres = UInt16(centimetres.magnitude)
    if centimetres < 0 { result.status = .okNegativeDistance }
  }

  /// The RSSI on the wire: dBm × −2. Because 0 means that there is no RSSI, the strongest signal that can
  /// be reported is −0.5 dBm.
  static func wireRSSI(_ dBm: Double) -> UInt8 {
    guard dBm.isFinite else { return 0 }
    return UInt8(WireRounding.nearest(-2 * dBm, in: 1...255))
  }

  /// Converts radians to Q9.7 degrees. The figure of merit is only included if bit 3 of
  /// RESULT_REPORT_CONFIG is set.
  static func wireAngle(_ radians: Double, _ sigma: Double, _ bits: UInt8 = 0x08) -> UCIAngle {
    guard radians.isFinite else { return .notAvailable }
    let raw = WireRounding.nearest(radians * 180 / Double.pi * 128, in: -32_768...32_767)
    return UCIAngle(
      degreesQ9_7: Int16(raw),
      figureOfMerit: bits & 0x08 != 0 ? AngleFigureOfMerit.percent(sigma: sigma) : 0)
  }
}
