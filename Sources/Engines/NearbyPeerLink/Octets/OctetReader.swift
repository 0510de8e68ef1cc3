/// The cursor of every decoder of small things here: little-endian, checked, errors with their offset.
///
/// What is large (payloads) is never read through it.
struct OctetReader {
  private let octets: [UInt8]
  private var index = 0
  /// Where `octets` begin in the stream.
  private let base: Int

  init(_ octets: [UInt8], at base: Int) {
    self.octets = octets
    self.base = base
  }

  var offset: Int { base &+ index }
  var left: Int { octets.count - index }

  func require(_ count: Int, _ field: PeerField) throws(PeerLinkError) {
    guard left >= count else {
      throw .octets(field, at: offset, .truncated(needed: count, left: left))
    }
  }

  mutating func takeUInt8(_ field: PeerField) throws(PeerLinkError) -> UInt8 {
    UInt8(truncatingIfNeeded: try take(1, field))
  }

  mutating func takeUInt16(_ field: PeerField) throws(PeerLinkError) -> UInt16 {
    UInt16(truncatingIfNeeded: try take(2, field))
  }

  mutating func takeUInt32(_ field: PeerField) throws(PeerLinkError) -> UInt32 {
    UInt32(truncatingIfNeeded: try take(4, field))
  }

  mutating func takeUInt64(_ field: PeerField) throws(PeerLinkError) -> UInt64 { try take(8, field) }

  /// Takes one octet that must lie in `range`.
  mutating func takeUInt8(_ field: PeerField, in range: ClosedRange<UInt8>) throws(PeerLinkError) -> UInt8 {
    let start = offset
    let value = try takeUInt8(field)
    guard range.contains(value) else {
      throw .octets(
        field, at: start,
        .outOfRange(found: UInt64(value), expected: UInt64(range.lowerBound)...UInt64(range.upperBound)))
    }
    return value
  }

  mutating func takeOctets(_ count: Int, _ field: PeerField) throws(PeerLinkError) -> [UInt8] {
    try require(count, field)
    defer { index += count }
    return Array(octets[index..<index + count])
  }

  mutating func takeRest() -> [UInt8] {
    defer { index = octets.count }
    return Array(octets[index...])
  }

  /// Takes octets behind their 16-bit count.
  mutating func takeCounted(_ field: PeerField, maximum: Int) throws(PeerLinkError) -> [UInt8] {
    let start = offset
    let count = Int(try takeUInt16(field))
    guard count <= maximum else { throw .octets(field, at: start, .tooLong(count: count, maximum: maximum)) }
    return try takeOctets(count, field)
  }

  /// Takes text behind its 16-bit count.
  mutating func takeText(_ field: PeerField, maximum: Int) throws(PeerLinkError) -> String {
    let start = offset
    let octets = try takeCounted(field, maximum: maximum)
    guard let text = String(validating: octets, as: UTF8.self) else {
      throw .octets(field, at: start + 2, .notUTF8)
    }
    return text
  }

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

  func requireEnd(_ field: PeerField) throws(PeerLinkError) {
    guard left == 0 else { throw .octets(field, at: offset, .leftover(count: left)) }
  }

  private mutating func take(_ count: Int, _ field: PeerField) throws(PeerLinkError) -> UInt64 {
    try require(count, field)
    var value: UInt64 = 0
    for step in 0..<count { value |= UInt64(octets[index + step]) &<< UInt64(8 &* step) }
    index += count
    return value
  }
}
