/// Writes fields at the end of octets.
extension Array where Element == UInt8 {
  @inlinable
  @inline(__always)
  package mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    append(UInt64(truncatingIfNeeded: number), octets: Number.bitWidth / 8)
  }

  @inlinable
  @inline(__always)
  package mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
    append(littleEndian: number.byteSwapped)
  }

  /// Appends the low `count` octets of a number, 0 to 8, the least significant one first.
  @inlinable
  @inline(__always)
  package mutating func append(_ number: UInt64, octets count: Int) {
    // Octet by octet: fewer instructions than a copy of so few.
    for index in 0..<count { append(UInt8(truncatingIfNeeded: number &>> UInt64(8 &* index))) }
  }

  /// Writes a number over octets that are there: a count that is known only when what it counts is written.
  @inlinable
  @inline(__always)
  package mutating func replace<Number: FixedWidthInteger>(at start: Int, littleEndian number: Number) {
    for index in 0..<Number.bitWidth / 8 {
      self[start + index] = UInt8(truncatingIfNeeded: number &>> Number(truncatingIfNeeded: 8 &* index))
    }
  }

  /// Appends octets in one copy.
  @inlinable
  @inline(__always)
  package mutating func append(copying octets: Span<UInt8>) {
    octets.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
