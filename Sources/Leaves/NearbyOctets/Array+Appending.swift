/// Appends fields of wire formats.
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

  /// Appends the low `count` octets of a number, 0 to 8, little-endian.
  @inlinable
  @inline(__always)
  package mutating func append(_ number: UInt64, octets count: Int) {
    // Appending one at a time takes fewer instructions than copying so few octets.
    for index in 0..<count { append(UInt8(truncatingIfNeeded: number &>> UInt64(8 &* index))) }
  }

  /// Overwrites octets with a number, such as a count that is known only after the counted items were
  /// written.
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
