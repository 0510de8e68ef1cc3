/// Writes fields at the end of octets.
extension Array where Element == UInt8 {
  @inlinable
  @inline(__always)
  package mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  @inlinable
  @inline(__always)
  package mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
    Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends the low `count` octets of a number, 0 to 8, the least significant one first.
  @inlinable
  package mutating func append(_ number: UInt64, octets count: Int) {
    Swift.withUnsafeBytes(of: number.littleEndian) {
      append(contentsOf: UnsafeRawBufferPointer(rebasing: $0.prefix(count)))
    }
  }

  /// Appends octets in one copy.
  @inlinable
  @inline(__always)
  package mutating func append(copying octets: Span<UInt8>) {
    octets.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
