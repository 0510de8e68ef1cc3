import NearbyBluetooth

// Beacons write numbers with the most significant octet first. Callers have checked the bounds.
extension Span where Element == UInt8 {
  @inline(__always)
  func bigEndianUInt16(at index: Int) -> UInt16 { UInt16(self[index]) << 8 | UInt16(self[index + 1]) }

  @inline(__always)
  func bigEndianUInt32(at index: Int) -> UInt32 {
    UInt32(bigEndianUInt16(at: index)) << 16 | UInt32(bigEndianUInt16(at: index + 2))
  }

  @inline(__always)
  func bigEndianUInt64(at index: Int) -> UInt64 {
    UInt64(bigEndianUInt32(at: index)) << 32 | UInt64(bigEndianUInt32(at: index + 4))
  }

  @inline(__always)
  func beaconIdentity(at index: Int) -> BeaconIdentity {
    BeaconIdentity(
      uuid: BluetoothUUID(high: bigEndianUInt64(at: index), low: bigEndianUInt64(at: index + 8)),
      major: bigEndianUInt16(at: index + 16), minor: bigEndianUInt16(at: index + 18))
  }
}

extension Array where Element == UInt8 {
  mutating func append<Value: FixedWidthInteger & UnsignedInteger>(bigEndian value: Value) {
    for shift in stride(from: Value.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> Value(shift)))
    }
  }

  mutating func append(_ identity: BeaconIdentity) {
    append(bigEndian: identity.uuid.high)
    append(bigEndian: identity.uuid.low)
    append(bigEndian: identity.major)
    append(bigEndian: identity.minor)
  }
}
