/// The writer of every encoder here: little-endian, at the end.
extension Array where Element == UInt8 {
  @inline(__always)
  package mutating func append<Value: FixedWidthInteger>(littleEndian value: Value) {
    append(UInt64(truncatingIfNeeded: value), octets: Value.bitWidth / 8)
  }

  /// Appends the low `count` octets of `value`, 0 to 8.
  @inline(__always)
  package mutating func append(_ value: UInt64, octets count: Int) {
    for index in 0..<count { append(UInt8(truncatingIfNeeded: value &>> UInt64(8 &* index))) }
  }

  /// Appends octets of a span.
  package mutating func append(contentsOf octets: Span<UInt8>) {
    for index in octets.indices { append(octets[index]) }
  }

  /// Appends octets behind their count; octets past 255 are left out.
  package mutating func append(counted octets: [UInt8]) {
    append(UInt8(clamping: octets.count))
    append(contentsOf: octets.prefix(255))
  }
}
