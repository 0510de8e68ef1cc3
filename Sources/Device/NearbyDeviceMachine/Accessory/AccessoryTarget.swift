import NearbyAccessoryProtocol
import NearbyBluetooth
import NearbyKeyDerivation

/// An accessory as an app names it to a session: its configuration data, and its identity on Bluetooth.
///
/// Equal by its octets. A class, because it never changes and sessions copy it.
package final class AccessoryTarget: Hashable, Sendable {
  /// The configuration data as the app gave it.
  package let octets: [UInt8]
  package let data: AccessoryConfigurationData
  /// If given, the session continues in the background while that peer is paired and connected.
  package let bluetoothPeer: BluetoothPeer?
  /// Derived from the octets alone, so that equal data gives an equal token.
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

/// The state of an accessory on Bluetooth while it is paired and connected with the phone.
package struct AccessoryLinkState: Hashable, Sendable {
  /// The content of the accessory's Nearby Interaction service, empty without such a service; `nil` until it
  /// was read.
  package var configuration: [UInt8]?
  package init(configuration: [UInt8]? = nil) { self.configuration = configuration }
}
