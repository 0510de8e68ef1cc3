import Foundation
import NearbyInteraction
import NearbyTesting
import Testing

@Suite("Accessory configurations")
struct AccessoryConfigurationTests {
  /// The sample of an accessory's configuration data, after a header.
  static let octets: [UInt8] =
    [1, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 10) + [21]
    + [1, 0, 1, 0, 0x32, 0x11, 0x10, 0, 0x46, 1, 0x31, 0, 0, 0, 6, 4, 1, 5, 0xDA, 100, 0]

  @Test("Equal data gives an equal token, also from a slice; other data gives another one")
  func tokens() throws {
    let plain = try NINearbyAccessoryConfiguration(data: Data(Self.octets))
    let sliced = try NINearbyAccessoryConfiguration(data: Data([9, 9, 9] + Self.octets)[3...])
    let dropped = try NINearbyAccessoryConfiguration(data: Data([1] + Self.octets).dropFirst())
    #expect(plain.accessoryDiscoveryToken == sliced.accessoryDiscoveryToken)
    #expect(plain.accessoryDiscoveryToken.hash == dropped.accessoryDiscoveryToken.hash)
    #expect(plain == sliced)
    #expect(plain.hash == sliced.hash)
    var other = Self.octets
    other[33] ^= 1
    let different = try NINearbyAccessoryConfiguration(data: Data(other))
    #expect(different.accessoryDiscoveryToken != plain.accessoryDiscoveryToken)
    #expect(different != plain)
    let named = try NINearbyAccessoryConfiguration(
      accessoryData: Data(Self.octets), bluetoothPeerIdentifier: UUID())
    #expect(named.accessoryDiscoveryToken == plain.accessoryDiscoveryToken)
    #expect(named != plain)
  }

  @Test(
    "Invalid data throws invalidConfiguration from both initialisers",
    arguments: [
      [], Array(octets.prefix(15)), Array(octets.dropLast()), [2] + octets.dropFirst(),
      Array(octets.prefix(32)) + [2] + octets.suffix(4),
    ])
  func invalid(_ octets: [UInt8]) {
    #expect(throws: NIError(.invalidConfiguration)) { try NINearbyAccessoryConfiguration(data: Data(octets)) }
    #expect(throws: NIError(.invalidConfiguration)) {
      try NINearbyAccessoryConfiguration(accessoryData: Data(octets), bluetoothPeerIdentifier: UUID())
    }
  }

  @Test("A configuration survives copying and archiving")
  func copies() throws {
    let identifier = UUID()
    let configuration = try NINearbyAccessoryConfiguration(
      accessoryData: Data(Self.octets), bluetoothPeerIdentifier: identifier)
    configuration.isCameraAssistanceEnabled = true
    let copy = try #require(configuration.copy() as? NINearbyAccessoryConfiguration)
    #expect(copy == configuration)
    #expect(copy.isCameraAssistanceEnabled)
    configuration.isCameraAssistanceEnabled = false
    #expect(copy != configuration)
    let archive = try NSKeyedArchiver.archivedData(withRootObject: copy, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: NINearbyAccessoryConfiguration.self, from: archive)
    #expect(read == copy)
    let plain = try NINearbyAccessoryConfiguration(data: Data(Self.octets))
    let plainArchive = try NSKeyedArchiver.archivedData(withRootObject: plain, requiringSecureCoding: true)
    #expect(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: NINearbyAccessoryConfiguration.self, from: plainArchive)
        == plain)
  }

  @Test("Running a peer configuration with an accessory's token ends with invalidConfiguration")
  func noPeer() throws {
    let world = World()
    let phone = world.addPhone("Ann")
    let recorder = phone.launch { Recorder() }
    let configuration = try NINearbyAccessoryConfiguration(data: Data(Self.octets))
    recorder.session.run(NINearbyPeerConfiguration(peerToken: configuration.accessoryDiscoveryToken))
    world.advance(by: .seconds(1))
    #expect(recorder.history == ["invalidated invalidConfiguration"])
  }
}
