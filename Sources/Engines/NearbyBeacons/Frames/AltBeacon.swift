import NearbyBluetooth

/// Radius Networks' open beacon frame: like iBeacon, but for any company and with an octet for the maker's
/// own use.
///
/// Source: AltBeacon Protocol Specification 1.0. By custom, its 20 octets of id are a UUID and two numbers.
/// As manufacturer data, with numbers big-endian except for the company:
///
///     offset  size
///       0       2   company, little-endian
///       2       2   code: BE AC
///       4      16   UUID
///      20       2   major
///      22       2   minor
///      24       1   measured power at 1 m, dBm, signed
///      25       1   for the maker's own use
package struct AltBeacon: Hashable, Sendable {
  /// Company identifier of the maker; 0x0118 is Radius Networks.
  package var company: UInt16
  package var identity: BeaconIdentity
  /// Power at 1 m in dBm.
  package var measuredPower: Int8
  package var makersOctet: UInt8

  static let code: (UInt8, UInt8) = (0xBE, 0xAC)
  /// Octets after the company identifier, including the code.
  static let size = 24

  package init(company: UInt16, identity: BeaconIdentity, measuredPower: Int8, makersOctet: UInt8 = 0) {
    self.company = company
    self.identity = identity
    self.measuredPower = measuredPower
    self.makersOctet = makersOctet
  }

  /// - Parameter start: Index of the code; the caller has checked that `size` octets follow.
  @inline(__always)
  init(company: UInt16, _ payload: Span<UInt8>, at start: Int) {
    self.company = company
    identity = payload.beaconIdentity(at: start + 2)
    measuredPower = Int8(bitPattern: payload[start + 22])
    makersOctet = payload[start + 23]
  }

  /// The octets after the company identifier in manufacturer data.
  package var manufacturerOctets: [UInt8] {
    var octets = [Self.code.0, Self.code.1]
    octets.append(identity)
    octets += [UInt8(bitPattern: measuredPower), makersOctet]
    return octets
  }
}
