import NearbyAccessoryProtocol
import NearbyUCI

/// The chip's parameters for ranging between a phone and an accessory, from the octets that they exchange.
///
/// Both sides build theirs here, so that the parameters that are not exchanged are the same: DS-TWR deferred,
/// unicast, static STS of Apple's vendor id and the IV, SP3 with one segment of 64, preamble of 64 symbols,
/// SFD 2, BPRF. The side that begins the rounds is also the controller.
/// Source: Apple, "Nearby Interaction with UWB Interoperability Specification", 1.1 and 2.0.
struct AccessorySessionParameters {
  enum Side { case phone, accessory }

  let side: Side
  let shareable: ShareableConfigurationData
  let accessory: AccessoryUWBData
  let measuresDirection: Bool
  /// Whether this side's chip can hop when rounds are lost.
  let hopsWhenLost: Bool

  /// Time of flight, azimuth, elevation and figures of merit.
  private static let reportedFields: UInt8 = 0x0F

  var request: UCISessionRequest {
    UCISessionRequest(
      sessionID: shareable.sessionID, type: .ranging,
      parameters: identity + key + schedule + physical + reports,
      startsRanging: true)
  }

  /// Whether this side begins the rounds.
  private var isInitiator: Bool {
    switch side {
    case .phone: accessory.role == .responder
    case .accessory: accessory.role == .initiator
    }
  }

  private var identity: [UCIAppParameter] {
    let (own, other) =
      switch side {
      case .phone: (shareable.phoneAddress, accessory.address)
      case .accessory: (accessory.address, shareable.phoneAddress)
      }
    return [
      .macAddressMode(.short), .numberOfControlees(1), .deviceType(isInitiator ? .controller : .controlee),
      .deviceRole(isInitiator ? .initiator : .responder), .multiNodeMode(.unicast),
      .rangingRoundUsage(.doubleSidedDeferred), .deviceAddress(.short(own)),
      .destinationAddresses([.short(other)]),
    ]
  }

  private var key: [UCIAppParameter] {
    [
      .stsConfiguration(.fixed), .vendorID(ShareableConfigurationData.appleVendorID),
      .staticSTSIV(shareable.initialVector),
    ]
  }

  private var schedule: [UCIAppParameter] {
    [
      // Bit 2 asks for a control phase: contention.
      .scheduleMode(shareable.roundControl & 0x04 == 0 ? .timeScheduled : .contention),
      .slotDuration(rstu: shareable.slotDurationRSTU),
      .slotsPerRound(UInt8(clamping: shareable.slotsPerRound)),
      .rangingDuration(milliseconds: UInt32(shareable.intervalMilliseconds)),
      .rangingRoundControl(shareable.roundControl), .hoppingMode(hoppingMode),
      .inBandTerminationAttemptCount(1),
    ]
  }

  /// Several phones at one accessory do not know each other's schedules, so the side that begins the rounds
  /// moves lost ones, where its chip can. The control message carries that to the other side, so that it
  /// works with version 1 too, whose data has no field for it.
  private var hoppingMode: UInt8 {
    let mayHop = shareable.hopping == 1 || shareable.version < .v2_0
    return isInitiator && hopsWhenLost && mayHop ? Self.whenLost : shareable.hopping
  }

  /// Adaptive hopping with the default sequence, a value of Android's UCI vendor extension.
  private static let whenLost: UInt8 = 2

  private var physical: [UCIAppParameter] {
    [
      .channel(UCIChannel(rawValue: shareable.channel)), .preambleCodeIndex(shareable.preamble),
      .rframeConfiguration(.sp3), .sfdID(2), .prfMode(.bprf), .preambleDuration(.symbols64),
    ]
  }

  private var reports: [UCIAppParameter] {
    [
      .angleRequest(measuresDirection ? .both : .off), .resultReportConfiguration(Self.reportedFields),
      .rssiReporting(1), .notificationConfiguration(.always),
    ]
  }
}

extension UCICapabilities {
  /// Whether the chip reports that it moves rounds that are lost. Of the chips that we know, only the virtual
  /// one does.
  var hopsWhenLost: Bool { self[.hopping].map { $0 & 0x02 != 0 } ?? false }
}
