import NearbyAccessoryProtocol
import NearbyBluetooth
import NearbyKeyDerivation

/// An accessory as an app names it to a session: what the accessory said of itself, and who it is on Bluetooth.
///
/// Equal by its octets. A class, for it never changes and sessions copy it.
package final class AccessoryTarget: Hashable, Sendable {
  /// As they came.
  package let octets: [UInt8]
  package let data: AccessoryConfigurationData
  /// Given, the session goes on in the background while that peer is paired and connected.
  package let bluetoothPeer: BluetoothPeer?
  /// Made of the octets alone, so that equal data gives an equal token: `facts/accessory-protocol.md`, section 7.
  package let identity: DiscoveryIdentity

  package init(octets: [UInt8], bluetoothPeer: BluetoothPeer? = nil) throws(AccessoryProtocolError) {
    data = try AccessoryConfigurationData(octets)
    self.octets = octets
    self.bluetoothPeer = bluetoothPeer
    let name = KeyDerivation.expand(
      secret: octets, salt: Array("swift-nearby accessory".utf8), info: Array("identity".utf8), count: 16)
    identity = DiscoveryIdentity(capabilities: [.preciseDistance, .accessory], random: name)
  }

  package static func == (left: AccessoryTarget, right: AccessoryTarget) -> Bool {
    left.octets == right.octets && left.bluetoothPeer == right.bluetoothPeer
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
    hasher.combine(bluetoothPeer)
  }
}

/// What a phone knows of an accessory on Bluetooth while the two are paired and connected.
package struct AccessoryLinkState: Hashable, Sendable {
  /// What the accessory's Nearby Interaction service holds, nothing where it has none; `nil` until it was read.
  package var configuration: [UInt8]?
  package init(configuration: [UInt8]? = nil) { self.configuration = configuration }
}
