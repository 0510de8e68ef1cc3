import Foundation
import NearbyAccessorySetup
import NearbyBluetooth
import Testing

@testable import NearbyLive

@Suite("What a program declares about accessories")
struct AccessorySetupSettingsTests {
  private func settings(
    environment: [String: String] = [:], list: [String: Any] = [:]
  ) throws -> AccessorySetupSettings {
    AccessorySetupSettings(
      environment: environment, program: "a/b", bundled: { _ in nil },
      besideProgram: try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0),
      home: URL(fileURLWithPath: "/home/ann"))
  }

  @Test(
    "Both spellings of the key count", arguments: ["NSAccessorySetupSupports", "NSAccessorySetupKitSupports"])
  func spellings(key: String) throws {
    let usage = try #require(
      settings(list: [
        key: ["Bluetooth", "WiFi"], "NSAccessorySetupBluetoothServices": ["180F", "oops"],
        "NSAccessorySetupBluetoothCompanyIdentifiers": [76, "0x00e0"],
        "NSAccessorySetupBluetoothNames": ["Keys"],
      ]).usage)
    #expect(usage.services == [BluetoothUUID(0x180F as UInt16)])
    #expect(usage.companies == [0x4C, 0xE0] && usage.names == ["Keys"])
  }

  @Test("Without Bluetooth among the technologies the app sets nothing up")
  func undeclared() throws {
    #expect(try settings().usage == nil)
    #expect(try settings(list: ["NSAccessorySetupSupports": ["WiFi"]]).usage == nil)
  }

  @Test("What was set up is stored and read again whole; other contents count as none")
  func file() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = AccessoryFile(url: folder.appendingPathComponent("state/app.json"))
    #expect(file.read().isEmpty)
    var descriptor = SetupDescriptor()
    descriptor.service = BluetoothUUID(0x180D as UInt16)
    descriptor.company = 0x4C
    descriptor.manufacturerData = .init([1, 2], mask: [0xFF, 0])
    descriptor.serviceData = .init([3])
    descriptor.nameSubstring = "Keys"
    (descriptor.ignoresCase, descriptor.isImmediate, descriptor.pairs) = (true, true, true)
    let accessories = [
      SetUpAccessory(
        peer: BluetoothPeer(high: 1, low: .max), name: "Keys ä", descriptor: descriptor, state: .authorized),
      SetUpAccessory(
        peer: BluetoothPeer(high: 2, low: 0), name: "", descriptor: SetupDescriptor(),
        state: .awaitingAuthorization),
    ]
    file.write(accessories)
    #expect(file.read() == accessories)
    file.write([])
    #expect(file.read().isEmpty)
    try Data("no JSON".utf8).write(to: file.url)
    #expect(file.read().isEmpty)
  }

  @Test("The environment takes precedence, and a bad answer counts as cancel")
  func environment() throws {
    let it = try settings(
      environment: [
        "NSAccessorySetupSupports": "Bluetooth", "NSAccessorySetupBluetoothServices": "180D, zz",
        "NEARBY_ACCESSORY_PICKER": "maybe",
      ], list: ["NSAccessorySetupBluetoothServices": ["180F"]])
    #expect(it.usage?.services == [BluetoothUUID(0x180D as UInt16)])
    #expect(it.preset == .cancel && it.notices.count == 2, "\(it.notices)")
    #expect(it.file.path == "/home/ann/.local/state/swift-nearby/accessories/a_b.json")
  }
}
