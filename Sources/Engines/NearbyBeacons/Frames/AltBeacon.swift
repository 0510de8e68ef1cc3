import NearbyBluetooth

/// Radius Networks' open frame: as iBeacon, of any company, with an octet of the maker's own.
///
/// Source: AltBeacon Protocol Specification 1.0. Its 20 octets of id are a UUID and two numbers by custom.
package struct AltBeacon: Hashable, Sendable {
  /// Who made it; 0x0118 is Radius Networks.
  package var company: UInt16
  package var identity: BeaconIdentity
  /// dBm at 1 m.
  package var measuredPower: Int8
  package var makersOctet: UInt8

  static let code: (UInt8, UInt8) = (0xBE, 0xAC)
  /// Octets behind the company, code included.
  static let size = 24

  package init(company: UInt16, identity: BeaconIdentity, measuredPower: Int8, makersOctet: UInt8 = 0) {
    self.company = company
    self.identity = identity
    self.measuredPower = measuredPower
    self.makersOctet = makersOctet
  }

  /// - Parameter start: Where the code stands; `size` octets follow.
  @inline(__always)
  init(company: UInt16, _ payload: Span<UInt8>, at start: Int) {
    self.company = company
    identity = payload.beaconIdentity(at: start + 2)
    measuredPower = Int8(bitPattern: payload[start + 22])
    makersOctet = payload[start + 23]
  }

  /// The octets behind the company, as manufacturer data has them.
  package var manufacturerOctets: [UInt8] {
    var octets = [Self.code.0, Self.code.1]
    octets.append(identity)
    octets += [UInt8(bitPattern: measuredPower), makersOctet]
    return octets
  }
}
