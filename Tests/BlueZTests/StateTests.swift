import Foundation
import NearbyBlueZ
import NearbyBluetooth
import TestSupport
import Testing

@testable import NearbyLive

/// Whether Bluetooth is available, and why not. It recovers on its own each time.
@Suite("Bluetooth's state on BlueZ", .needs(.dbusDaemon), .timeLimit(.minutes(3)), .ownThreads)
struct StateTests {
  @Test("Without a bus the state is unsupported, and poweredOn once bus and daemon appear")
  func noBus() throws {
    let folder = try PrivateBus.makeFolder()
    let client = Client(PrivateBus.address(in: folder))
    #expect(try client.listener.nextState() == .unsupported)
    let bus = try PrivateBus(in: folder)
    let daemon = try FakeBlueZ(on: bus)
    #expect(try client.listener.nextState() == .poweredOn)
    withExtendedLifetime((bus, daemon)) {}
  }

  @Test("Without a daemon the state is unsupported, and poweredOn once one appears")
  func noDaemon() throws {
    let bus = try PrivateBus()
    let client = Client(bus.address)
    #expect(try client.listener.nextState() == .unsupported)
    let daemon = try FakeBlueZ(on: bus)
    #expect(try client.listener.nextState() == .poweredOn)
    withExtendedLifetime(daemon) {}
  }

  @Test("If the bus denies access to the daemon, the state is unauthorised")
  func notPermitted() throws {
    let bus = try PrivateBus(deniesDaemon: true)
    let daemon = try FakeBlueZ(on: bus)
    let client = Client(bus.address)
    #expect(try client.listener.nextState() == .unauthorized)
    withExtendedLifetime(daemon) {}
  }

  @Test("The state changes when the adapter is plugged in, switched on or off, or unplugged")
  func adapter() throws {
    let bus = try PrivateBus()
    let daemon = try FakeBlueZ(on: bus, hasAdapter: false)
    let client = Client(bus.address)
    #expect(try client.listener.nextState() == .unsupported)
    daemon.addAdapter(FakeBlueZ.adapter, isOn: false)
    #expect(try client.listener.nextState() == .poweredOff)
    daemon.change(FakeBlueZ.adapter, BlueZName.adapter, [("Powered", .bool(true))])
    #expect(try client.listener.nextState() == .poweredOn)
    daemon.change(FakeBlueZ.adapter, BlueZName.adapter, [("Powered", .bool(false))])
    #expect(try client.listener.nextState() == .poweredOff)
    daemon.remove(FakeBlueZ.adapter)
    #expect(try client.listener.nextState() == .resetting)
    #expect(try client.listener.nextState() == .unsupported)
  }

  @Test("The requested adapter is used even if another one is on")
  func chosenAdapter() throws {
    let bus = try PrivateBus()
    let daemon = try FakeBlueZ(on: bus)
    let client = Client(bus.address, adapter: "hci1")
    #expect(try client.listener.nextState() == .unsupported)
    daemon.addAdapter("/org/bluez/hci1", isOn: true)
    #expect(try client.listener.nextState() == .poweredOn)
    client.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)))
    #expect(try daemon.called("StartDiscovery").path == "/org/bluez/hci1")
  }

  @Test("Of two adapters, the one that is on is used")
  func adapterThatIsOn() throws {
    let bus = try PrivateBus()
    let daemon = try FakeBlueZ(on: bus, hasAdapter: false)
    daemon.addAdapter("/org/bluez/hci0", isOn: false)
    daemon.addAdapter("/org/bluez/hci1", isOn: true)
    let client = Client(bus.address)
    try client.listener.state(.poweredOn)
    client.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)))
    #expect(try daemon.called("StartDiscovery").path == "/org/bluez/hci1")
  }

  @Test("A restarted daemon gets all registrations again")
  func restart() throws {
    let bus = try PrivateBus()
    var daemon = try FakeBlueZ(on: bus)
    let client = Client(bus.address)
    #expect(try client.listener.nextState() == .poweredOn)
    var advertisement = Advertisement()
    advertisement.manufacturerData = [Advertisement.ManufacturerData(company: 0x4C, octets: [1])]
    client.perform(.advertise(BluetoothAdvertising(advertisement)))
    client.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)))
    client.perform(
      .add(GATTService(id: AttributeID(1), uuid: BluetoothUUID(0x1234 as UInt16), characteristics: [])))
    try Self.isToldEverything(daemon)
    daemon.end()
    try client.listener.state(.resetting)
    daemon = try FakeBlueZ(on: bus)
    #expect(try client.listener.nextState() == .poweredOn)
    try Self.isToldEverything(daemon)
    daemon.addDevice("AA:BB:CC:00:00:01", [("RSSI", .int16(-40))])
    #expect(try client.listener.sighting().rssi == -40)
  }

  private static func isToldEverything(_ daemon: FakeBlueZ) throws {
    var missing: Set = [
      "RegisterAgent", "RegisterMonitor", "StartDiscovery", "RegisterAdvertisement", "RegisterApplication",
    ]
    while !missing.isEmpty {
      missing.remove(try daemon.calls.next().member)
    }
  }

  @Test("The client reconnects to a restarted bus")
  func busRestart() throws {
    let folder = try PrivateBus.makeFolder()
    var bus: PrivateBus? = try PrivateBus(in: folder)
    var daemon: FakeBlueZ? = try bus.map { try FakeBlueZ(on: $0) }
    let client = Client(PrivateBus.address(in: folder))
    #expect(try client.listener.nextState() == .poweredOn)
    (daemon, bus) = (nil, nil)
    #expect(try client.listener.nextState() == .resetting)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    bus = try PrivateBus(in: folder)
    daemon = try bus.map { try FakeBlueZ(on: $0) }
    #expect(try client.listener.nextState() == .poweredOn)
    withExtendedLifetime(daemon) {}
  }

  @Test("With Bluetooth disabled, the state is unsupported and advertising fails")
  func off() throws {
    let bluetooth = LiveBluetooth(BluetoothSettings(radio: nil))
    let listener = Listener()
    let queue = DispatchQueue(label: "off")
    let user = bluetooth.makeUser(listener, now: { .zero }, deliver: { queue.async(execute: $0) })
    #expect(try listener.nextState() == .unsupported)
    #expect(bluetooth.currentState == .unsupported)
    #expect(bluetooth.peerState(BluetoothPeer(high: 1, low: 2)) == nil)
    #expect(bluetooth.connectedPeers(with: []).isEmpty)
    let isTaken = bluetooth.update(AttributeID(1), [1], centrals: nil, of: user)
    #expect(!isTaken)
    bluetooth.perform(.advertise(BluetoothAdvertising(Advertisement())), of: user)
    let failure = try listener.events.next("advertising") { event -> BluetoothFailure?? in
      if case .advertising(let failure) = event { .some(failure) } else { nil }
    }
    #expect(failure == .notSupported)
  }

  @Test(
    "NEARBY_BLUETOOTH selects the adapter, or none",
    arguments: [
      (nil, true, nil, 0), ("", true, nil, 0), ("off", false, nil, 0), ("hci3", true, "hci3", 0),
      ("usb", false, nil, 1), ("hci", false, nil, 1), ("hci-1", false, nil, 1),
    ] as [(String?, Bool, String?, Int)])
  func settings(_ text: String?, _ isThere: Bool, _ adapter: String?, _ notices: Int) {
    var environment = ["XDG_STATE_HOME": "/somewhere"]
    environment["NEARBY_BLUETOOTH"] = text
    let settings = BluetoothSettings(environment: environment, home: URL(fileURLWithPath: "/home"))
    #expect((settings.radio != nil) == isThere)
    #expect(settings.radio?.adapter == adapter)
    #expect(settings.notices.count == notices)
    #expect(settings.keyFile?.path == "/somewhere/swift-nearby/bluetooth.key")
  }

  @Test("A peer's identifier depends on its address and on the secret file, which only its owner can read")
  func names() throws {
    let folder = try PrivateBus.makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("state/bluetooth.key")
    let first = PeerNames(file: file).peer(address: "AA:BB:CC:DD:EE:FF")
    #expect(PeerNames(file: file).peer(address: "AA:BB:CC:DD:EE:FF") == first)
    #expect(PeerNames(file: file).peer(address: "AA:BB:CC:DD:EE:FE") != first)
    #expect(PeerNames(file: nil).peer(address: "AA:BB:CC:DD:EE:FF") != first)
    #expect(first.high & 0xF000 == 0x4000)
    #expect(first.low >> 62 == 2)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }
}
