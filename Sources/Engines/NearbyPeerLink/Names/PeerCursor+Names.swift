import NearbyOctets

extension PeerCursor {
  mutating func takeDisplayName() throws(PeerLinkError) -> DisplayName {
    let start = offset + 2
    let text = try takeText(.displayName, maximum: DisplayName.maximumOctets)
    guard !text.isEmpty else {
      throw .octets(.displayName, at: start, .tooShort(count: 0, minimum: 1))
    }
    return DisplayName(checked: text)
  }

  mutating func takeIdentity() throws(PeerLinkError) -> PeerIdentity {
    try PeerIdentity(octets: takeOctets(PeerIdentity.size, .identity))
  }

  mutating func takeSessionID() throws(PeerLinkError) -> PeerSessionID {
    PeerSessionID(stamp: try takeUInt64(.session), secret: try takeUInt64(.session))
  }
}

extension Array where Element == UInt8 {
  mutating func append(_ id: PeerSessionID) {
    append(littleEndian: id.stamp)
    append(littleEndian: id.secret)
  }
}
