import NearbyOctets

/// A peer as apps see it: its identity and its name. Equality depends on the identity alone.
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

/// The archived form, with sizes in octets:
///
///     PID 1 (4) | identity (32) | count of the name, little-endian (2) | name, UTF-8
extension PeerID {
  private static let magic: [UInt8] = [0x50, 0x49, 0x44, 1]

  package var archive: [UInt8] {
    var octets = Self.magic + identity.octets
    octets.append(counted: displayName.text.utf8)
    return octets
  }

  /// Parses what `archive` returns; leftover octets are an error.
  package init(archive: [UInt8]) throws(PeerLinkError) {
    var reader = PeerCursor(archive.span)
    for expected in Self.magic { _ = try reader.takeUInt8(.archive, in: expected...expected) }
    identity = try reader.takeIdentity()
    displayName = try reader.takeDisplayName()
    try reader.requireEnd(.archive)
  }
}
