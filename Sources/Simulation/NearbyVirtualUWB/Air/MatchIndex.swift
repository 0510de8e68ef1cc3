/// What two sessions must have in common to hear each other.
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
  /// A digest of the names, the session id and the secret, worked out once.
  private var digest: UInt64 = 0

  /// An initiator's keys, one for each controlee in order; or a responder's own.
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
    digest = Mixing.mix(UInt64(sessionID) << 8 | UInt64(channel))
    digest = Mixing.mix(digest ^ initiator)
    digest = Mixing.mix(digest ^ responder)
    digest = Mixing.mix(digest ^ secret.digest)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// The responders that listen, by what an initiator has to send to be heard.
///
/// A look-up costs the same however many chips there are.
struct MatchIndex: Sendable {
  private struct Listeners: Sendable {
    var first: SessionReference
    var others: [SessionReference] = []
  }

  private var listeners: [MatchKey: Listeners] = [:]
  /// Counts insertions and removals: what was looked up before the last one may be otherwise now.
  private(set) var changes: UInt64 = 0

  mutating func insert(_ reference: SessionReference, _ key: MatchKey) {
    changes &+= 1
    if listeners[key] == nil {
      listeners[key] = Listeners(first: reference)
    } else {
      listeners[key]?.others.append(reference)
    }
  }

  mutating func remove(_ reference: SessionReference, _ key: MatchKey) {
    changes &+= 1
    guard var entry = listeners[key] else { return }
    entry.others.removeAll { $0 == reference }
    if entry.first == reference {
      guard !entry.others.isEmpty else {
        listeners[key] = nil
        return
      }
      entry.first = entry.others.removeFirst()
    }
    listeners[key] = entry
  }

  /// The only listener, or `nil` with none; `others` are those that would answer too.
  func listener(_ key: MatchKey) -> (first: SessionReference, others: [SessionReference])? {
    listeners[key].map { ($0.first, $0.others) }
  }
}
