/// What the anchors of a DL-TDoA network advertise about it over Bluetooth or Wi-Fi, so that a tag can listen to them
/// without having been configured.
///
/// Source: FiRa's out-of-band discovery for untracked navigation, as Android's `android.ranging` reads it.
package struct AnchorNetworkAdvertisement: Hashable, Sendable {
  /// The FiRa session id that the anchors share; Apple's `networkIdentifier`.
  package var networkIdentifier: UInt32
  /// The session's other parameters, in the order received. What is absent has the value in `defaults`.
  package var parameters: [UCITLV]
  package var timeSync: AnchorTimeSync?

  package init(networkIdentifier: UInt32, parameters: [UCIAppParameter] = [], timeSync: AnchorTimeSync? = nil)
  {
    self.networkIdentifier = networkIdentifier
    self.parameters = parameters.map(\.tlv)
    self.timeSync = timeSync
  }

  init(networkIdentifier: UInt32, encoded: [UCITLV], timeSync: AnchorTimeSync?) {
    self.networkIdentifier = networkIdentifier
    self.parameters = encoded
    self.timeSync = timeSync
  }

  /// The parameters that Android assumes if an advertisement doesn't hold them: channel 9, preamble code 10, 10 slots of
  /// 2400 RSTU a round, 200 ms a block.
  package static let defaults: [UCIAppParameter] = [
    .channel(.nine), .preambleCodeIndex(10), .slotDuration(rstu: 2400), .slotsPerRound(10),
    .rangingDuration(milliseconds: 200),
  ]

  /// All parameters with those of `defaults` that the advertisement lacks.
  ///
  /// - Throws: `wrongLength` or `outOfRange` for a value that its id does not allow.
  package func appParameters() throws(UCIError) -> [UCIAppParameter] {
    var result: [UCIAppParameter] = []
    for tlv in parameters { result.append(try UCIAppParameter(tlv, dialect: .v2)) }
    let present = Set(parameters.map(\.id))
    return result + Self.defaults.filter { !present.contains($0.id) }
  }

  /// The rounds in which an anchor of the network is the initiator, in the order announced, without repetitions.
  package var rounds: [UInt8] {
    var rounds = parameters.filter { $0.id == AnchorNetworkAdvertisement.roundIndexID }.flatMap(\.value)
    if let timeSync { rounds += [timeSync.round] + timeSync.initiators.map(\.round) }
    var seen: Set<UInt8> = []
    return rounds.filter { seen.insert($0).inserted }
  }

  /// INITIATOR_DT_ANCHOR_ROUND_INDEX.
  private static let roundIndexID: UInt8 = 0x52
}

/// When and in which rounds the anchors near the advertising one transmit.
package struct AnchorTimeSync: Hashable, Sendable {
  /// An anchor that is the initiator of a round.
  package struct Initiator: Hashable, Sendable {
    package var address: UCIAddress
    package var round: UInt8

    package init(address: UCIAddress, round: UInt8) {
      self.address = address
      self.round = round
    }
  }

  /// The start of the next block relative to the advertisement, and its uncertainty; both in the advertised units.
  package struct Offset: Hashable, Sendable {
    package var time: UInt32
    package var uncertainty: UInt16

    package init(time: UInt32, uncertainty: UInt16) {
      self.time = time
      self.uncertainty = uncertainty
    }
  }

  package var profile: UInt8
  package var address: UCIAddress
  package var offset: Offset?
  package var round: UInt8
  /// Other anchors; at most 255.
  package var initiators: [Initiator]

  package init(
    profile: UInt8 = 1, address: UCIAddress, offset: Offset? = nil, round: UInt8, initiators: [Initiator] = []
  ) {
    self.profile = profile
    self.address = address
    self.offset = offset
    self.round = round
    self.initiators = initiators
  }
}

/// A piece of an advertisement: the Bluetooth service data of FiRa's connector service, which may be split in two.
package enum AnchorAdvertisementPart: Hashable, Sendable {
  case whole([UInt8])
  case first([UInt8])
  case second([UInt8])

  /// The services whose data hold a part: Connector Primary and Connector Secondary.
  package static let serviceUUIDs: [UInt16] = [0xFFF3, 0xFFF4]
  /// The organization identifier of FiRa in a Wi-Fi vendor element.
  package static let organization: [UInt8] = [0x5A, 0x18, 0xFF]

  /// Interprets service data, without the UUID. An octet from F0 to F5 at the front says which part follows.
  package init(serviceData: [UInt8]) {
    switch serviceData.first {
    case 0xF0: self = .whole(Array(serviceData.dropFirst()))
    case 0xF4: self = .first(Array(serviceData.dropFirst()))
    case 0xF5: self = .second(Array(serviceData.dropFirst()))
    default: self = .whole(serviceData)
    }
  }

  /// The service data, without the UUID.
  package var serviceData: [UInt8] {
    switch self {
    case .whole(let octets): octets
    case .first(let octets): [0xF4] + octets
    case .second(let octets): [0xF5] + octets
    }
  }
}
