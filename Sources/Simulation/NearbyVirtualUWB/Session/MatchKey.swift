import NearbySchedule

/// The parameters that two sessions must share to receive each other.
struct MatchKey: Hashable, Sendable {
  var sessionID: UInt32
  var channel: UInt8
  var usage: UInt8
  var initiatorIsController: Bool
  var usesExtendedAddresses: Bool
  var slotDuration: Int64
  var phy: UInt64
  var secret: STSSecret
  var initiator: UInt64
  var responder: UInt64
  /// A precomputed digest of the addresses, the session id, the channel and the secret.
  private var digest: UInt64 = 0

  /// An initiator's keys, one for each controlee in order; or a responder's only key.
  static func keys(_ parameters: SessionParameters, _ controlees: [Controlee]) -> [MatchKey] {
    var key = MatchKey(parameters)
    guard parameters.round.isInitiator else {
      key.initiator = parameters.peers.first ?? 0
      key.setDigest()
      return [key]
    }
    return controlees.map { controlee in
      var own = key
      own.responder = controlee.address
      if parameters.phy.stsConfiguration == 4, !controlee.key.isEmpty {
        own.secret = STSSecret(key: controlee.key)
      }
      own.setDigest()
      return own
    }
  }

  /// What the anchors and tags of one DL-TDoA network share.
  static func network(_ parameters: SessionParameters) -> MatchKey {
    var key = MatchKey(parameters)
    (key.initiator, key.responder, key.initiatorIsController) = (0, 0, false)
    key.setDigest()
    return key
  }

  private init(_ parameters: SessionParameters) {
    sessionID = parameters.round.sessionID
    channel = parameters.round.channel
    usage = parameters.round.usage
    initiatorIsController = parameters.isController == parameters.round.isInitiator
    usesExtendedAddresses = parameters.round.usesExtendedAddresses
    slotDuration = parameters.round.slotDuration
    phy = parameters.phy.packed
    secret = parameters.phy.secret
    initiator = parameters.round.address
    responder = parameters.round.address
  }

  private mutating func setDigest() {
    digest = SplitMix64.hash(of: UInt64(sessionID) << 8 | UInt64(channel))
    digest = SplitMix64.hash(of: digest ^ initiator)
    digest = SplitMix64.hash(of: digest ^ responder)
    digest = SplitMix64.hash(of: digest ^ secret.digest)
  }

  /// Hashes only the digest, because `==` compares the other fields anyway.
  func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
