import AccessorySetupKit
import CoreBluetooth
import Foundation
import NearbyBluetooth
import NearbyDevice
import NearbyDeviceMachine
import TestSupport
import Testing

@testable import NearbyBlueZ
@testable import NearbyLive

/// An app that sets up an accessory on an adapter, and what happens to it.
private final class SetupApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
  // Used on its own queue only, except for the inbox.
  enum Happening: Equatable, Sendable {
    case event(ASAccessoryEventType)
    case closed(ASError.Code?)
    case powered, connected, disconnected
    case completed(CBError.Code?)
  }

  let heard = Inbox<Happening>()
  let queue = DispatchQueue(label: "app")
  private(set) var session: ASAccessorySession?
  private(set) var central: CBCentralManager?
  private(set) var peripheral: CBPeripheral?
  private let item: ASPickerDisplayItem

  init(pairs: Bool) {
    let descriptor = ASDiscoveryDescriptor()
    descriptor.bluetoothServiceUUID = CBUUID(string: "180D")
    if pairs { descriptor.supportedOptions = .bluetoothPairingLE }
    item = ASPickerDisplayItem(name: "Tag", productImage: UIImage(), descriptor: descriptor)
    super.init()
  }

  func begin() {
    let session = ASAccessorySession()
    self.session = session
    session.activate(on: queue) { [weak self] event in
      self?.heard.put(.event(event.eventType))
      if event.eventType == .activated { self?.pick() }
    }
  }

  private func pick() {
    session?.showPicker(for: [item]) { [weak self] error in
      self?.heard.put(.closed((error as? ASError)?.code))
    }
  }

  func makeCentral() { central = CBCentralManager(delegate: self, queue: queue) }

  func connect(_ peripheral: CBPeripheral) {
    self.peripheral = peripheral
    peripheral.delegate = self
    central?.connect(peripheral)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn { heard.put(.powered) }
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    heard.put(.connected)
    peripheral.startChannelSoundingSession(CBChannelSoundingSessionConfiguration(role: .initiator))
  }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    heard.put(.disconnected)
  }

  func peripheral(_ peripheral: CBPeripheral, didCompleteChannelSoundingSession error: (any Error)?) {
    heard.put(.completed((error as? CBError)?.code))
  }
}

/// AccessorySetupKit and Channel Sounding with an adapter.
@Suite("Accessories on BlueZ", .needs(.dbusDaemon), .timeLimit(.minutes(3)), .ownThreads)
struct SetupTests {
  private struct Silent: PermissionKeeper {
    func ask(_ completion: @escaping @Sendable (Permission) -> Void) {}
    func store(_ permission: Permission) {}
  }

  /// A device whose Bluetooth is a fake daemon's adapter, with a tag and another device in range.
  private struct Desk {
    let bus: PrivateBus
    let daemon: FakeBlueZ
    let home: URL
    let device: NearbyDevice
    let driver: LiveDriver

    init() throws {
      bus = try PrivateBus()
      daemon = try FakeBlueZ(on: bus)
      home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      var radio = BlueZRadio.Settings()
      radio.busAddress = bus.address
      radio.pace.first = .milliseconds(20)
      radio.pace.longest = .milliseconds(50)
      let bluetooth = BluetoothSettings(radio: radio)
      let setup = AccessorySetupSettings(
        environment: [
          "NSAccessorySetupSupports": "Bluetooth", "NSAccessorySetupBluetoothServices": "180D",
          "NEARBY_ACCESSORY_PICKER": "choose",
        ], program: "app", bundled: { _ in nil }, besideProgram: nil, home: home)
      driver = LiveDriver(
        machine: DeviceMachine(
          settings: DeviceSettings(), hasRadio: false, permission: .allowed, usageDescription: nil),
        link: nil, permissions: Silent(), bluetooth: { LiveBluetooth(bluetooth, turns: $0) },
        accessorySetup: setup)
      device = NearbyDevice(name: "desk", shell: driver)
      driver.begin()
    }

    /// Launches an app; the devices are seen once it scans.
    func launch(pairs: Bool) throws -> SetupApp {
      let app = SetupApp(pairs: pairs)
      NearbyDevice.$current.withValue(device) { app.begin() }
      _ = try daemon.called("StartDiscovery")
      daemon.addDevice("AA:BB:CC:00:00:02", [("RSSI", .int16(-50)), ("Connected", .bool(false))])
      let service = BusValue.strings(["0000180d-0000-1000-8000-00805f9b34fb"])
      daemon.addDevice(
        "AA:BB:CC:00:00:01",
        [("RSSI", .int16(-60)), ("UUIDs", service), ("Connected", .bool(false)), ("Paired", .bool(false))])
      return app
    }

    /// The identifier under which the app would know a device in range.
    func identifier(_ address: String) throws -> UUID {
      try #require(driver.bluetooth as? LiveBluetooth).names.peer(address: address).uuid
    }
  }

  /// The events from the picker to its end.
  private func history(_ app: SetupApp) throws -> [SetupApp.Happening] {
    var history: [SetupApp.Happening] = []
    while true {
      let next = try app.heard.next()
      history.append(next)
      if case .closed = next { return history }
    }
  }

  @Test(
    "The app sees only what was set up, Channel Sounding is not supported, and removal ends the connection")
  func flow() throws {
    let desk = try Desk()
    defer { try? FileManager.default.removeItem(at: desk.home) }
    let app = try desk.launch(pairs: false)
    #expect(
      try history(app) == [
        .event(.activated), .event(.pickerDidPresent), .event(.pickerSetupPairing), .event(.accessoryAdded),
        .event(.pickerDidDismiss), .closed(nil),
      ])
    let accessory = try #require(app.session?.accessories.first)
    let identifier = try desk.identifier("AA:BB:CC:00:00:01")
    #expect(accessory.bluetoothIdentifier == identifier)
    NearbyDevice.$current.withValue(desk.device) { app.makeCentral() }
    try app.heard.next("power") { $0 == .powered ? () : nil }
    let central = try #require(app.central)
    let other = try desk.identifier("AA:BB:CC:00:00:02")
    let known = central.retrievePeripherals(withIdentifiers: [other, identifier])
    #expect(known.map(\.identifier) == [identifier])
    let supports = NearbyDevice.$current.withValue(desk.device) {
      CBCentralManager.supports(.channelSounding)
    }
    #expect(!supports)
    app.connect(try #require(known.first))
    #expect(try app.heard.next() == .connected)
    #expect(try app.heard.next() == .completed(.operationNotSupported))
    app.session?.removeAccessory(accessory) { _ in }
    try app.heard.next("the end of the connection") { $0 == .disconnected ? () : nil }
    #expect(central.retrievePeripherals(withIdentifiers: [identifier]).isEmpty)
  }

  @Test("The picker pairs through the daemon; a refusal gives pickerSetupFailed", arguments: [true, false])
  func pairing(accepts: Bool) throws {
    let desk = try Desk()
    defer { try? FileManager.default.removeItem(at: desk.home) }
    desk.daemon.on("Pair") { _, answer in
      if accepts { answer.give() } else { answer.refuse("org.bluez.Error.AuthenticationFailed") }
    }
    let app = try desk.launch(pairs: true)
    let middle: [SetupApp.Happening] =
      accepts ? [.event(.accessoryAdded)] : [.event(.pickerSetupFailed)]
    #expect(
      try history(app) == [
        .event(.activated), .event(.pickerDidPresent), .event(.pickerSetupPairing),
      ] + middle + [.event(.pickerDidDismiss), .closed(accepts ? nil : .connectionFailed)])
    #expect(app.session?.accessories.count == (accepts ? 1 : 0))
  }
}
