/// Reads fields from the front of untrusted octets.
///
/// A protocol names its cursor (`typealias UCICursor = OctetCursor<UCIError>`) and adds its own readers in an
/// extension. Each read checks that the field is present and throws the protocol's own error otherwise.
/// Numbers are little-endian unless the method says otherwise.
@frozen
package struct OctetCursor<Failure: OctetCursorFailure>: ~Escapable {
  /// The unread octets.
  @usableFromInline
  package internal(set) var rest: Span<UInt8>
  /// The offset after the last octet. The cursor's own offset is derived from it, so that reading updates one
  /// value.
  @usableFromInline
  let end: Int

  /// - Parameter base: The offset of the first octet within a larger message, for errors.
  @inlinable
  @_lifetime(copy octets)
  package init(_ octets: Span<UInt8>, at base: Int = 0) {
    rest = octets
    end = base &+ octets.count
  }

  @inlinable
  package var left: Int { rest.count }

  @inlinable
  package var isEmpty: Bool { rest.isEmpty }

  /// The offset of the next octet.
  @inlinable
  package var offset: Int { end &- rest.count }

  /// Throws unless at least `count` octets are left.
  @inlinable
  @inline(__always)
  package func require(_ count: Int, _ field: Failure.Field) throws(Failure) {
    // Compared as unsigned numbers, so that a negative count fails as well.
    guard UInt(bitPattern: rest.count) >= UInt(bitPattern: count) else { throw shortage(of: count, field) }
  }

  /// Separate from `require`, to keep the code inlined into each reader short.
  @inlinable
  @inline(never)
  func shortage(of count: Int, _ field: Failure.Field) -> Failure {
    Failure(truncated: field, at: offset, needed: count, left: left)
  }

  @inlinable
  @inline(__always)
  package mutating func takeUInt8(_ field: Failure.Field) throws(Failure) -> UInt8 {
    try require(1, field)
    let octet = rest[0]
    rest = rest.extracting(droppingFirst: 1)
    return octet
  }

  @inlinable
  @inline(__always)
  package mutating func takeUInt16(_ field: Failure.Field) throws(Failure) -> UInt16 {
    try takeLittleEndian(field)
  }

  @inlinable
  @inline(__always)
  package mutating func takeUInt32(_ field: Failure.Field) throws(Failure) -> UInt32 {
    try takeLittleEndian(field)
  }

  @inlinable
  @inline(__always)
  package mutating func takeUInt64(_ field: Failure.Field) throws(Failure) -> UInt64 {
    try takeLittleEndian(field)
  }

  /// Reads an unsigned number of 0 to 8 octets.
  @inlinable
  package mutating func takeUInt(octets count: Int, _ field: Failure.Field) throws(Failure) -> UInt64 {
    try require(count, field)
    let number = UInt64(littleEndianOctets: rest.extracting(first: count))
    rest = rest.extracting(droppingFirst: count)
    return number
  }

  @inlinable
  @inline(__always)
  package mutating func takeLittleEndian<Number: FixedWidthInteger & BitwiseCopyable>(
    _ field: Failure.Field, as type: Number.Type = Number.self
  ) throws(Failure) -> Number {
    try require(MemoryLayout<Number>.size, field)
    let number: Number = rest.littleEndian(at: 0)
    rest = rest.extracting(droppingFirst: MemoryLayout<Number>.size)
    return number
  }

  /// Reads a big-endian number.
  @inlinable
  @inline(__always)
  package mutating func takeBigEndian<Number: FixedWidthInteger & BitwiseCopyable>(
    _ field: Failure.Field, as type: Number.Type = Number.self
  ) throws(Failure) -> Number {
    try require(MemoryLayout<Number>.size, field)
    let number: Number = rest.bigEndian(at: 0)
    rest = rest.extracting(droppingFirst: MemoryLayout<Number>.size)
    return number
  }

  /// Reads `count` octets as an array, which is allocated only after the count was checked.
  @inlinable
  package mutating func takeOctets(_ count: Int, _ field: Failure.Field) throws(Failure) -> [UInt8] {
    try require(count, field)
    let octets = rest.extracting(first: count).octets
    rest = rest.extracting(droppingFirst: count)
    return octets
  }

  /// Reads all remaining octets.
  @inlinable
  package mutating func takeRest() -> [UInt8] {
    let octets = rest.octets
    rest = rest.extracting(first: 0)
    return octets
  }

  /// Reads `count` elements of at least `size` octets each. The array is allocated only after their minimum
  /// length was checked.
  @inlinable
  package mutating func takeArray<Element>(
    of count: UInt16, atLeast size: Int, _ field: Failure.Field,
    _ takeElement: (inout Self) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    // Cannot overflow: a 16-bit count times the size of a few fields.
    try require(Int(count) &* size, field)
    var elements: [Element] = []
    elements.reserveCapacity(Swift.min(Int(count), left))
    for _ in 0..<count { elements.append(try takeElement(&self)) }
    return elements
  }

  /// Skips `count` octets, which `require` must have checked.
  @inlinable
  @inline(__always)
  package mutating func skip(_ count: Int) { rest = rest.extracting(droppingFirst: count) }

  /// Drops everything after the next `count` octets, which `require` must have checked. Used to read a field
  /// of known length to its end; offsets remain correct.
  @inlinable
  package mutating func truncate(to count: Int) {
    self = OctetCursor(rest.extracting(first: count), at: offset)
  }
}

/// The error type of a protocol's cursor.
package protocol OctetCursorFailure: Error {
  /// The protocol's names for its fields.
  associatedtype Field

  /// `field` needs more octets than are left at the offset.
  init(truncated field: Field, at offset: Int, needed: Int, left: Int)
}
