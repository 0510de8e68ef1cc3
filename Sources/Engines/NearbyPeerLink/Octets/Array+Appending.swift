/// The writer of every encoder here: little-endian, at the end.
extension Array where Element == UInt8 {
  @inline(__always)
  mutating func append<Value: FixedWidthInteger>(littleEndian value: Value) {
    var value = value.littleEndian
    Swift.withUnsafeBytes(of: &value) { append(contentsOf: $0) }
  }

  /// Appends octets of a span, in one copy.
  @inline(__always)
  mutating func append(copying octets: Span<UInt8>) {
    octets.withUnsafeBufferPointer { append(contentsOf: $0) }
  }

  /// Appends octets behind their 16-bit count; the caller's types bound the count.
  mutating func append(counted octets: some Collection<UInt8>) {
    precondition(octets.count <= Int(UInt16.max), "a counted field of \(octets.count) octets")
    append(littleEndian: UInt16(octets.count))
    append(contentsOf: octets)
  }

  mutating func append(_ id: PeerSessionID) {
    append(littleEndian: id.stamp)
    append(littleEndian: id.secret)
  }
}

extension Span where Element == UInt8 {
  /// The octets as an array, in one copy.
  @inline(__always)
  var octets: [UInt8] { withUnsafeBufferPointer { [UInt8]($0) } }

  /// A little-endian number; the caller has checked that four octets are there.
  @inline(__always)
  func uint32(at index: Int) -> UInt32 {
    UInt32(self[index]) | UInt32(self[index &+ 1]) &<< 8 | UInt32(self[index &+ 2]) &<< 16
      | UInt32(self[index &+ 3]) &<< 24
  }
}
