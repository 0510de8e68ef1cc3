import NearbyBluetooth
import NearbyOctets

// Beacons write numbers with the most significant octet first.
extension Span where Element == UInt8 {
  /// The 20 octets at `index`, which the caller has checked to be there.
  @inline(__always)
  func beaconIdentity(at index: Int) -> BeaconIdentity {
    BeaconIdentity(
      uuid: BluetoothUUID(high: bigEndian(at: index), low: bigEndian(at: index + 8)),
      major: bigEndian(at: index + 16), minor: bigEndian(at: index + 18))
  }
}

extension Array where Element == UInt8 {
  mutating func append(_ identity: BeaconIdentity) {
    append(bigEndian: identity.uuid.high)
    append(bigEndian: identity.uuid.low)
    append(bigEndian: identity.major)
    append(bigEndian: identity.minor)
  }
}
