import NearbyBluetooth

/// Apple's frame: who a beacon is, and how loud it is at a metre.
///
/// Source: Apple, Proximity Beacon Specification R1, table 1.
package struct IBeacon: Hashable, Sendable {
  package var identity: BeaconIdentity
  /// dBm at 1 m.
  package var measuredPower: Int8

  /// What apps get when they name no measured power, dBm.
  package static let usualMeasuredPower: Int8 = -59
  /// The company, type and length that stand before the frame: manufacturer data `4C 00 02 15`.
  package static let company: UInt16 = 0x004C
  static let type: UInt8 = 0x02
  /// Octets of UUID, major, minor and power.
  package static let size = 21

  package init(identity: BeaconIdentity, measuredPower: Int8 = usualMeasuredPower) {
    self.identity = identity
    self.measuredPower = measuredPower
  }

  /// Reads the frame's own 21 octets: what `peripheralData(withMeasuredPower:)` holds.
  package init?(octets: Span<UInt8>) {
    guard octets.count == Self.size else { return nil }
    self.init(octets, at: 0)
  }

  /// - Parameter start: `size` octets follow.
  @inline(__always)
  init(_ payload: Span<UInt8>, at start: Int) {
    identity = payload.beaconIdentity(at: start)
    measuredPower = Int8(bitPattern: payload[start + 20])
  }

  /// Appends the frame's own 21 octets.
  package func write(to octets: inout [UInt8]) {
    octets.append(identity)
    octets.append(UInt8(bitPattern: measuredPower))
  }

  /// The octets behind the company, as manufacturer data has them.
  package var manufacturerOctets: [UInt8] {
    var octets = [Self.type, UInt8(Self.size)]
    write(to: &octets)
    return octets
  }
}
