import NearbyPeerLink

/// The subjects of peers on a NATS server. `1` is the version.
///
/// | subject | |
/// |---|---|
/// | `nearby.peers.1.at.TYPE` | announcements of advertisers of a service type |
/// | `nearby.peers.1.who.TYPE` | a browser asks them to announce themselves |
/// | `nearby.peers.1.to.IDENTITY.new` | asks a peer for a stream |
/// | `nearby.peers.1.to.IDENTITY.STREAM` | messages of a stream to a peer |
package enum RelaySubject {
  private static let root = "nearby.peers.1."

  package static func announcements(of type: ServiceType) -> String { root + "at." + type.text }
  package static func questions(about type: ServiceType) -> String { root + "who." + type.text }
  package static func requests(to peer: PeerIdentity) -> String { root + "to.\(peer).new" }
  package static func stream(_ stream: RelayStreamID, to peer: PeerIdentity) -> String {
    root + "to.\(peer).\(stream)"
  }
  /// Every request and stream to a peer.
  package static func everything(to peer: PeerIdentity) -> String { root + "to.\(peer).*" }

  /// The peer and stream of a subject that came from the network; `nil` if it is none of these.
  package static func parse(_ subject: String) -> (peer: PeerIdentity, stream: RelayStreamID)? {
    guard subject.hasPrefix(root + "to.") else { return nil }
    let parts = subject.dropFirst(root.count + 3).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let peer = try? PeerIdentity(hexadecimal: String(parts[0])),
      let stream = RelayStreamID(hexadecimal: parts[1]), "\(peer)" == parts[0]
    else { return nil }
    return (peer, stream)
  }
}

/// Names a stream: 16 random octets, chosen by the side that asks for it.
package struct RelayStreamID: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  package init(using generator: inout some RandomNumberGenerator) {
    high = generator.next()
    low = generator.next()
  }

  /// - Returns: `nil` unless there are 32 lowercase hexadecimal digits.
  init?(hexadecimal text: Substring) {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.high = high
    self.low = low
  }

  package var description: String { Self.digits(high) + Self.digits(low) }

  private static func digits(_ number: UInt64) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
