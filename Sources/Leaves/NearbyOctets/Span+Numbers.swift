/// Reads numbers at an index. An index out of range is the caller's bug and traps: check the length of
/// untrusted octets first, or read them with an `OctetCursor`.
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

  /// A copy as an array.
  @inlinable
  @inline(__always)
  package var octets: [UInt8] { withUnsafeBufferPointer { [UInt8]($0) } }
}

extension UInt64 {
  /// Reads a little-endian number of up to 8 octets.
  @inlinable
  package init(littleEndianOctets octets: Span<UInt8>) {
    self = 0
    for index in 0..<Swift.min(octets.count, 8) { self |= UInt64(octets[index]) &<< UInt64(8 &* index) }
  }
}

extension FixedWidthInteger {
  /// Reads a little-endian number. Octets that do not fit are discarded.
  @inlinable
  package init(littleEndianOctets octets: some BidirectionalCollection<UInt8>) {
    self = octets.reversed().reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
  }

  /// Reads a big-endian number. Leading octets that do not fit are discarded.
  @inlinable
  package init(bigEndianOctets octets: some Sequence<UInt8>) {
    self = octets.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
  }

  @inlinable
  package var littleEndianOctets: [UInt8] { Swift.withUnsafeBytes(of: littleEndian) { [UInt8]($0) } }

  @inlinable
  package var bigEndianOctets: [UInt8] { Swift.withUnsafeBytes(of: bigEndian) { [UInt8]($0) } }
}
