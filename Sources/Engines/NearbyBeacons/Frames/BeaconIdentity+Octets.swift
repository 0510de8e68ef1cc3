import NearbyBluetooth
import NearbyOctets

// Beacon frames are big-endian.
extension Span where Element == UInt8 {
  /// Reads the 20 octets at `index`; the caller has checked that they exist.
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
