import NearbyBluetooth

/// Apple's beacon frame: an identity and the power at 1 m.
///
/// Source: Apple, Proximity Beacon Specification R1, table 1. As manufacturer data, with numbers big-endian
/// except for the company:
///
///     offset  size
///       0       2   company, little-endian: 0x004C
///       2       1   type: 0x02
///       3       1   size of the rest: 21
///       4      16   UUID
///      20       2   major
///      22       2   minor
///      24       1   measured power at 1 m, dBm, signed
package struct IBeacon: Hashable, Sendable {
  package var identity: BeaconIdentity
  /// Power at 1 m in dBm.
  package var measuredPower: Int8

  /// Used if an app states no measured power, dBm.
  package static let usualMeasuredPower: Int8 = -59
  /// Company, type and length before the frame's own octets: manufacturer data starts with `4C 00 02 15`.
  package static let company: UInt16 = 0x004C
  static let type: UInt8 = 0x02
  /// Octets of UUID, major, minor and power.
  package static let size = 21

  package init(identity: BeaconIdentity, measuredPower: Int8 = usualMeasuredPower) {
    self.identity = identity
    self.measuredPower = measuredPower
  }

  /// Parses the frame's own 21 octets, the content of the dictionary that
  /// `peripheralData(withMeasuredPower:)` returns; `nil` for another number of octets.
  package init?(octets: Span<UInt8>) {
    guard octets.count == Self.size else { return nil }
    self.init(octets, at: 0)
  }

  /// - Parameter start: Index of the UUID; the caller has checked that `size` octets follow.
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

  /// The octets after the company identifier in manufacturer data.
  package var manufacturerOctets: [UInt8] {
    var octets = [Self.type, UInt8(Self.size)]
    write(to: &octets)
    return octets
  }
}
