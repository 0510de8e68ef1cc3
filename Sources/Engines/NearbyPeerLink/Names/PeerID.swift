import NearbyOctets

/// A peer as apps see it: who it is, and what it is called. Equal where the identity is.
package struct PeerID: Hashable, Sendable {
  package let identity: PeerIdentity
  package let displayName: DisplayName

  package init(identity: PeerIdentity, displayName: DisplayName) {
    self.identity = identity
    self.displayName = displayName
  }

  package static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// The archive form: `PID`, version 1, the 32 octets of the identity, the name behind its 16-bit count.
extension PeerID {
  private static let magic: [UInt8] = [0x50, 0x49, 0x44, 1]

  package var archive: [UInt8] {
    var octets = Self.magic + identity.octets
    octets.append(counted: displayName.text.utf8)
    return octets
  }

  /// Takes what `archive` gives, and nothing else.
  package init(archive: [UInt8]) throws(PeerLinkError) {
    var reader = PeerCursor(archive.span)
    for expected in Self.magic { _ = try reader.takeUInt8(.archive, in: expected...expected) }
    identity = try reader.takeIdentity()
    displayName = try reader.takeDisplayName()
    try reader.requireEnd(.archive)
  }
}
