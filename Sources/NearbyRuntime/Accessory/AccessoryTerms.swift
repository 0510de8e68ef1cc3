import NearbyAccessoryProtocol
import NearbyOctets
import NearbyUCI

/// What a phone settles for its ranging with an accessory, and how that becomes a chip's parameters.
///
/// Apple does not say how a phone picks its schedule; what is known are a few recorded numbers. Here the phone
/// decides so that eight accessories fit on its chip's schedule: one interval for all, and hopping where it is
/// the phone that begins the rounds only with a chip that keeps a round which works, since its chip lays the
/// rounds of one interval side by side.
/// Source: `facts/accessory-protocol.md`, sections 3 to 6.
struct AccessoryTerms: Sendable {
  let shareable: ShareableConfigurationData
  let accessory: AccessoryConfigurationData
  private let hopsWhenLost: Bool

  /// 6 slots of 2 ms, so that eight accessories' rounds lie side by side in the shortest block.
  private static let slotsPerRound: UInt16 = 6
  private static let slotDurationRSTU: UInt16 = 2400
  /// Of phones that choose for themselves and are in a hurry.
  private static let automaticMilliseconds: UInt16 = 120
  /// Six of those: about 1.3 a second, and never in the way of them.
  private static let infrequentMilliseconds: UInt16 = 720
  /// About 5.5 a second.
  private static let interactiveMilliseconds: UInt16 = 180

  /// - Parameters:
  ///   - session: Secret of the session; with `run` it gives id, address, preamble and key.
  ///   - run: Distinct for each time the session runs, so that a late message of an earlier one meets nobody.
  ///   - hopsWhenLost: Whether the phone's chip can.
  init(session: DiscoveryIdentity, target: AccessoryTarget, run: Int, hopsWhenLost: Bool = false) {
    accessory = target.data
    let uwb = target.data.uwb
    let material = KeyDerivation.expand(
      secret: session.octets + target.octets, salt: Array("swift-nearby accessory session".utf8),
      info: Array("run \(run): session id, address, preamble, IV".utf8), count: 13)
    // Session 0 is the test mode's on some chips; 0000 and FFFF are no addresses.
    let sessionID = max(material.span.bigEndian(UInt32.self, at: 0), 1)
    var address = min(max(material.span.bigEndian(UInt16.self, at: 4), 1), 0xFFFE)
    if address == uwb.address { address = address == 0xFFFE ? 1 : address + 1 }
    let newest: AccessoryVersion = uwb.version.major >= 2 ? .v2_0 : min(uwb.version, .v1_1)
    var data = ShareableConfigurationData(
      version: newest, sessionID: sessionID, initialVector: Array(material[7..<13]), phoneAddress: address)
    data.preamble = 9 + material[6] % 4
    data.slotsPerRound = Self.slotsPerRound
    data.slotDurationRSTU = Self.slotDurationRSTU
    switch target.data.updateRate {
    case .infrequent: data.intervalMilliseconds = Self.infrequentMilliseconds
    case .userInteractive: data.intervalMilliseconds = Self.interactiveMilliseconds
    case _: data.intervalMilliseconds = Self.automaticMilliseconds
    }
    if let wishes = uwb.wishes { data.follow(wishes, mayHop: uwb.role == .initiator || hopsWhenLost) }
    shareable = data
    self.hopsWhenLost = hopsWhenLost
  }

  /// The chip's parameters on the phone's side.
  func request(measuresDirection: Bool) -> UCISessionRequest {
    var request = AccessorySessionParameters(
      side: .phone, shareable: shareable, accessory: accessory.uwb, measuresDirection: measuresDirection,
      hopsWhenLost: hopsWhenLost
    ).request
    // One who begins does so when the accessory can hear it: `DeviceMachine.startRounds`.
    request.startsRanging = !isPhoneInitiator
    return request
  }

  var agreement: PairAgreement {
    PairAgreement(
      accessory: accessory.uwb.address, phone: shareable.phoneAddress, isPhoneInitiator: isPhoneInitiator,
      sessionID: shareable.sessionID, preambleCode: shareable.preamble, staticIV: shareable.initialVector)
  }

  /// Whether the phone begins the rounds.
  var isPhoneInitiator: Bool { accessory.uwb.role == .responder }

  var interval: Duration { .milliseconds(Int64(shareable.intervalMilliseconds)) }
}

extension ShareableConfigurationData {
  private static let shortestInterval: UInt16 = 50

  /// Takes what can be had of an accessory's wishes.
  fileprivate mutating func follow(_ wishes: AccessoryUWBData.Wishes, mayHop: Bool) {
    var wished = self
    wished.slotsPerRound = min(max(wishes.slotsPerRound, Self.leastSlots), 255)
    if wishes.slotDurationRSTU > 0, wishes.slotDurationRSTU % Self.millisecondRSTU == 0 {
      wished.slotDurationRSTU = wishes.slotDurationRSTU
    }
    wished.intervalMilliseconds = max(wishes.intervalMilliseconds, Self.shortestInterval)
    wished.hopping = mayHop && wishes.hopping == 1 ? 1 : 0
    // What does not fit together is no wish.
    if (try? ShareableConfigurationData(wished.octets)) != nil { self = wished }
  }
}
