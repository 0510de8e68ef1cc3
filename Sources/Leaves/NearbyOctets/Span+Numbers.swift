/// Numbers at a place in octets. A place that is not there is a broken invariant of the caller's and traps: strangers'
/// octets are counted first, or read with an `OctetCursor`.
extension Span where Element == UInt8 {
  @inlinable
  @inline(__always)
  package func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type = Number.self, at index: Int
  ) -> Number {
    Number(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: type))
  }

  @inlinable
  @inline(__always)
  package func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type = Number.self, at index: Int
  ) -> Number {
    Number(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: type))
  }

  /// The octets as an array, in one copy.
  @inlinable
  @inline(__always)
  package var octets: [UInt8] { withUnsafeBufferPointer { [UInt8]($0) } }
}

extension UInt64 {
  /// The number of up to 8 octets, the least significant one first.
  @inlinable
  package init(littleEndianOctets octets: Span<UInt8>) {
    self = 0
    for index in 0..<Swift.min(octets.count, 8) { self |= UInt64(octets[index]) &<< UInt64(8 &* index) }
  }
}

extension FixedWidthInteger {
  /// The number of the octets, the least significant one first. Those that do not fit are left out.
  @inlinable
  package init(littleEndianOctets octets: some BidirectionalCollection<UInt8>) {
    self = octets.reversed().reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
  }

  /// The number of the octets, the most significant one first. Those that do not fit are left out, from the front.
  @inlinable
  package init(bigEndianOctets octets: some Sequence<UInt8>) {
    self = octets.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
  }

  @inlinable
  package var littleEndianOctets: [UInt8] { Swift.withUnsafeBytes(of: littleEndian) { [UInt8]($0) } }

  @inlinable
  package var bigEndianOctets: [UInt8] { Swift.withUnsafeBytes(of: bigEndian) { [UInt8]($0) } }
}
