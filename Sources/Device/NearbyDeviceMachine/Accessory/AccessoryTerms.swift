import NearbyAccessoryProtocol
import NearbyKeyDerivation
import NearbyOctets
import NearbyUCI

/// The terms on which a phone ranges with an accessory, which the phone alone decides, and the chip's
/// parameters for them.
///
/// Apple does not publish how a phone picks its schedule. Here it picks one on which eight accessories fit on
/// its chip: one interval for all, which the chip lays side by side. Where the phone begins the rounds it
/// hops only with a chip that stays in a round that works. Source of the fields: Apple, "Nearby Interaction
/// with UWB Interoperability Specification", 1.1 and 2.0.
struct AccessoryTerms: Sendable {
  let shareable: ShareableConfigurationData
  let accessory: AccessoryConfigurationData
  private let hopsWhenLost: Bool

  /// 6 slots of 2 ms (2400 of 1200 RSTU a millisecond): the rounds of eight accessories take 96 ms of the
  /// shortest block of 120 ms.
  private static let slotsPerRound: UInt16 = 6
  private static let slotDurationRSTU: UInt16 = 2400
  /// What Android picks for frequent updates with iOS accessories (`com.android.ranging.rangingtestapp`).
  private static let automaticMilliseconds: UInt16 = 120
  /// About 1.3 updates a second (WWDC 2022, session 10008): six of the automatic blocks, so that both
  /// interleave.
  private static let infrequentMilliseconds: UInt16 = 720
  /// About 5.5 updates a second (WWDC 2022, session 10008).
  private static let interactiveMilliseconds: UInt16 = 180

  /// - Parameters:
  ///   - session: Secret of the session; with `run` it gives the session's id, address, preamble and key.
  /// - run: Distinct for each time that the session runs, so that late messages of an earlier one do not
  ///   match.
  ///   - hopsWhenLost: Whether the phone's chip can move a session's rounds when they are lost.
  init(session: DiscoveryIdentity, target: AccessoryTarget, run: Int, hopsWhenLost: Bool = false) {
    accessory = target.data
    let uwb = target.data.uwb
    let material = KeyDerivation.expand(
      secret: session.octets + target.octets, salt: Array("swift-nearby accessory session".utf8),
      info: Array("run \(run): session id, address, preamble, IV".utf8), count: 13)
    // Some chips use session 0 for test mode; 0000 and FFFF are no addresses of devices.
    let sessionID = max(material.span.bigEndian(UInt32.self, at: 0), 1)
    var address = min(max(material.span.bigEndian(UInt16.self, at: 4), 1), 0xFFFE)
    if address == uwb.address { address = address == 0xFFFE ? 1 : address + 1 }
    let newest: AccessoryVersion = uwb.version.major >= 2 ? .v2_0 : min(uwb.version, .v1_1)
    var data = ShareableConfigurationData(
      version: newest, sessionID: sessionID, initialVector: Array(material[7..<13]), phoneAddress: address)
    data.preamble = 9 + material[6] % 4
    data.slotsPerRound = Self.slotsPerRound
    data.slotDurationRSTU = Self.slotDurationRSTU
    data.intervalMilliseconds = Self.intervalMilliseconds(target.data.updateRate)
    if let wishes = uwb.wishes { data.adopt(wishes, mayHop: uwb.role == .initiator || hopsWhenLost) }
    shareable = data
    self.hopsWhenLost = hopsWhenLost
  }

  static func intervalMilliseconds(_ rate: AccessoryUpdateRate) -> UInt16 {
    switch rate {
    case .infrequent: infrequentMilliseconds
    case .userInteractive: interactiveMilliseconds
    case _: automaticMilliseconds
    }
  }

  /// The chip's parameters on the phone's side.
  func request(measuresDirection: Bool) -> UCISessionRequest {
    var request = AccessorySessionParameters(
      side: .phone, shareable: shareable, accessory: accessory.uwb, measuresDirection: measuresDirection,
      hopsWhenLost: hopsWhenLost
    ).request
    // A phone that begins the rounds waits until the accessory can hear them: `DeviceMachine.startRounds`.
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
  /// Our choice, milliseconds: 20 updates a second.
  private static let shortestInterval: UInt16 = 50

  /// Adopts an accessory's wishes as far as the protocol and this phone allow.
  fileprivate mutating func adopt(_ wishes: AccessoryUWBData.Wishes, mayHop: Bool) {
    var wished = self
    wished.slotsPerRound = min(max(wishes.slotsPerRound, Self.leastSlots), 255)
    if wishes.slotDurationRSTU > 0, wishes.slotDurationRSTU % Self.millisecondRSTU == 0 {
      wished.slotDurationRSTU = wishes.slotDurationRSTU
    }
    wished.intervalMilliseconds = max(wishes.intervalMilliseconds, Self.shortestInterval)
    wished.hopping = mayHop && wishes.hopping == 1 ? 1 : 0
    // Wishes that contradict each other are ignored.
    if (try? ShareableConfigurationData(wished.octets)) != nil { self = wished }
  }
}
