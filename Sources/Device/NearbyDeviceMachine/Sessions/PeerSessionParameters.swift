import NearbyUCI

/// The chip's parameters for ranging with one peer.
///
/// DS-TWR deferred, unicast, on channel 9 with a provisioned key; six slots hold the control message, the
/// three ranging frames and the two reports. Hopping spreads the rounds of pairs that do not know each
/// other's schedule.
///
/// A chip that reports no provisioned STS gets a static one, derived from both tokens too. Each side decides
/// by its own chip, because a token does not carry the chip's STS: two such chips range with each other, and
/// neither with a chip that has provisioned STS.
/// Source: FiRa UCI Generic Specification 2.0, application configuration parameters.
struct PeerSessionParameters {
  let agreement: PairAgreement
  let settings: DeviceSettings
  let type: UCISessionType
  let measuresDirection: Bool
  let usesProvisionedSTS: Bool

  /// 2 ms: FiRa's default, of 1200 RSTU a millisecond.
  private static let slotRSTU: UInt16 = 2400
  private static let slotsPerRound: UInt8 = 6
  /// Bits 0 and 1, result report and control message: a time-scheduled round.
  private static let roundControl: UInt8 = 0x03
  /// Time of flight, azimuth, elevation and figures of merit.
  private static let reportedFields: UInt8 = 0x0F

  var request: UCISessionRequest {
    UCISessionRequest(
      sessionID: agreement.sessionID, type: type,
      parameters: identity + key + schedule + physical + reports, startsRanging: true)
  }

  private var identity: [UCIAppParameter] {
    [
      .macAddressMode(.short), .numberOfControlees(1),
      .deviceType(agreement.isInitiator ? .controller : .controlee),
      .deviceRole(agreement.isInitiator ? .initiator : .responder),
      .multiNodeMode(.unicast), .rangingRoundUsage(.doubleSidedDeferred),
      .deviceAddress(.short(agreement.ownAddress)),
      .destinationAddresses([.short(agreement.peerAddress)]),
    ]
  }

  private var key: [UCIAppParameter] {
    guard usesProvisionedSTS else {
      return [
        .stsConfiguration(.fixed), .vendorID(agreement.staticVendorID),
        .staticSTSIV(agreement.staticIV),
      ]
    }
    return [.stsConfiguration(.provisioned), .sessionKey(agreement.sessionKey)]
  }

  private var schedule: [UCIAppParameter] {
    [
      .scheduleMode(.timeScheduled), .slotDuration(rstu: Self.slotRSTU),
      .slotsPerRound(Self.slotsPerRound),
      .rangingDuration(milliseconds: settings.rangingIntervalMilliseconds),
      .rangingRoundControl(Self.roundControl), .hoppingMode(1),
      .inBandTerminationAttemptCount(type == .ranging ? 1 : 0),
    ]
  }

  private var physical: [UCIAppParameter] {
    [.channel(.nine), .preambleCodeIndex(agreement.preambleCode)]
  }

  private var reports: [UCIAppParameter] {
    [
      .angleRequest(measuresDirection ? .both : .off),
      .resultReportConfiguration(Self.reportedFields), .rssiReporting(1),
      .notificationConfiguration(.always),
    ]
  }
}
