import NearbyOctets

/// Lets one peer connect to another without discovery; the app transports it in any way it likes.
///
/// It need not be kept secret from the network: a peer that uses it must prove the recipient's identity, and
/// the issuer must have called `connect` too. Layout, with sizes in octets:
///
///     PCD 1 (4) | issuer (32) | recipient (32) | session (16)
///     count (2) | issuer's name | count (2) | contact
package struct ConnectionData: Equatable, Sendable {
  private static let magic: [UInt8] = [0x50, 0x43, 0x44, 1]

  package let issuer: PeerID
  package let recipient: PeerIdentity
  package let session: PeerSessionID
  package let contact: [UInt8]

  init(issuer: PeerID, recipient: PeerIdentity, session: PeerSessionID, contact: [UInt8]) {
    self.issuer = issuer
    self.recipient = recipient
    self.session = session
    self.contact = contact
  }

  package init(_ octets: [UInt8]) throws(PeerLinkError) {
    var reader = PeerCursor(octets.span)
    for expected in Self.magic { _ = try reader.takeUInt8(.magic, in: expected...expected) }
    let identity = try reader.takeIdentity()
    recipient = try reader.takeIdentity()
    session = try reader.takeSessionID()
    issuer = PeerID(identity: identity, displayName: try reader.takeDisplayName())
    contact = try reader.takeCounted(.contact, maximum: Hello.maximumContact)
    try reader.requireEnd(.archive)
  }

  package var octets: [UInt8] {
    var octets = Self.magic + issuer.identity.octets + recipient.octets
    octets.append(session)
    octets.append(counted: issuer.displayName.text.utf8)
    octets.append(counted: contact)
    return octets
  }
}
