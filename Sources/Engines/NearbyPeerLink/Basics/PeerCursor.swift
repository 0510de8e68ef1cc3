import NearbyOctets

/// Reads frames, archives and connection data. Payloads of messages are copied as a whole, without it.
typealias PeerCursor = OctetCursor<PeerLinkError>

extension PeerLinkError: OctetCursorFailure {
  package init(truncated field: PeerField, at offset: Int, needed: Int, left: Int) {
    self = .octets(field, at: offset, .truncated(needed: needed, left: left))
  }
}

extension PeerCursor {
  /// Reads one octet that must lie in `range`.
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

  /// Reads octets that follow their 16-bit count.
  mutating func takeCounted(_ field: PeerField, maximum: Int) throws(PeerLinkError) -> [UInt8] {
    let start = offset
    let count = Int(try takeUInt16(field))
    guard count <= maximum else { throw .octets(field, at: start, .tooLong(count: count, maximum: maximum)) }
    return try takeOctets(count, field)
  }

  /// Reads UTF-8 text that follows its 16-bit count.
  mutating func takeText(_ field: PeerField, maximum: Int) throws(PeerLinkError) -> String {
    let start = offset
    let octets = try takeCounted(field, maximum: maximum)
    guard let text = String(validating: octets, as: UTF8.self) else {
      throw .octets(field, at: start + 2, .notUTF8)
    }
    return text
  }

  func requireEnd(_ field: PeerField) throws(PeerLinkError) {
    guard isEmpty else { throw .octets(field, at: offset, .leftover(count: left)) }
  }
}

extension Array where Element == UInt8 {
  /// Appends octets after their 16-bit count; the callers' types bound the count.
  mutating func append(counted octets: some Collection<UInt8>) {
    precondition(
      octets.count <= Int(UInt16.max), "a counted field has \(octets.count) octets; at most 65535 fit")
    append(littleEndian: UInt16(octets.count))
    append(contentsOf: octets)
  }
}
