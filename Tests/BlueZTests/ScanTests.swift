import Foundation
import NearbyBlueZ
import NearbyBluetooth
import TestSupport
import Testing

@testable import NearbyLive

/// Advertisements received through BlueZ's objects.
@Suite("Scanning on BlueZ", .needs(.dbusDaemon), .timeLimit(.minutes(3)), .ownThreads)
struct ScanTests {
  /// A client that scans, and its daemon.
  private static func scanning(
    _ scan: BluetoothScan = BluetoothScan(services: nil, allowsDuplicates: true)
  ) throws -> (PrivateBus, FakeBlueZ, Client) {
    let bus = try PrivateBus()
    let daemon = try FakeBlueZ(on: bus)
    let client = Client(bus.address)
    try client.listener.state(.poweredOn)
    client.perform(.scan(scan))
    _ = try daemon.called("StartDiscovery")
    return (bus, daemon, client)
  }

  @Test("A monitor is active before discovery begins, with its filter and with duplicates")
  func order() throws {
    let bus = try PrivateBus()
    let daemon = try FakeBlueZ(on: bus)
    let client = Client(bus.address)
    try client.listener.state(.poweredOn)
    client.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)))
    _ = try daemon.called("RegisterMonitor")
    let filter = try daemon.called("SetDiscoveryFilter").body.first
    #expect(filter?["Transport"]?.stringValue == "le")
    #expect(filter?["DuplicateData"]?.boolValue == true)
    _ = try daemon.called("StartDiscovery")
    let read = try daemon.read.next()
    let monitor = read.body.first?.entries?.first?.value[BlueZName.monitor]
    #expect(monitor?["Type"]?.stringValue == "or_patterns")
    let patterns = monitor?["Patterns"]
    #expect(patterns?.signature == "a(yyay)")
    #expect(patterns?.elements == [.structure([.byte(0), .byte(0xFF), .bytes([0x4C, 0, 2, 0x15])])])
    client.perform(.stopScan)
    _ = try daemon.called("StopDiscovery")
    _ = try daemon.called("UnregisterMonitor")
  }

  @Test("Without support for monitors, discovery begins immediately")
  func noMonitors() throws {
    let bus = try PrivateBus()
    let daemon = try FakeBlueZ(on: bus, hasAdapter: false)
    daemon.addAdapter(FakeBlueZ.adapter, isOn: true, hasMonitors: false)
    let client = Client(bus.address)
    try client.listener.state(.poweredOn)
    client.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)))
    let member = try daemon.calls.next("either") { call in
      ["RegisterMonitor", "StartDiscovery"].contains(call.member) ? call.member : nil
    }
    #expect(member == "StartDiscovery")
  }

  @Test(
    "A monitor that is refused or never activated does not prevent scanning", .tags(.slow),
    arguments: [false, true])
  func refusedMonitor(isSilent: Bool) throws {
    let bus = try PrivateBus()
    let daemon = try FakeBlueZ(on: bus)
    daemon.on("RegisterMonitor") { _, answer in
      if isSilent { answer.give() } else { answer.refuse(BlueZError.failed) }
    }
    let client = Client(bus.address)
    try client.listener.state(.poweredOn)
    client.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)))
    _ = try daemon.called("StartDiscovery")
    daemon.addDevice("AA:BB:CC:00:00:01", [("RSSI", .int16(-60))])
    #expect(try client.listener.sighting().rssi == -60)
  }

  @Test("Registering the monitor again restarts its time limit", .tags(.slow))
  func patience() throws {
    let bus = try PrivateBus()
    let daemon = try FakeBlueZ(on: bus)
    daemon.on("RegisterMonitor") { _, answer in answer.give() }
    let client = Client(bus.address)
    try client.listener.state(.poweredOn)
    let scan = BluetoothCommand.scan(BluetoothScan(services: nil, allowsDuplicates: true))
    client.perform(scan)
    _ = try daemon.called("RegisterMonitor")
    // Nothing signals this moment: it lies between the two registrations' deadlines.
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1.5)
    client.perform(.stopScan)
    client.perform(scan)
    _ = try daemon.called("RegisterMonitor")
    let start = ContinuousClock.now
    _ = try daemon.called("StartDiscovery")
    #expect(ContinuousClock.now - start > .seconds(2.5))
  }

  @Test("Every advertisement is reported, even with the same RSSI, except with an invalid RSSI")
  func strengths() throws {
    let (bus, daemon, client) = try Self.scanning()
    let path = daemon.addDevice(
      "AA:BB:CC:00:00:01",
      [("RSSI", .int16(-60)), ("ManufacturerData", FakeBlueZ.beacon(minor: 1)), ("Name", .string("tag"))])
    for rssi: Int16 in [-60, 127, 0, -60, 21, -127, -61] {
      daemon.change(
        path, BlueZName.device,
        [("RSSI", .int16(rssi)), ("ManufacturerData", FakeBlueZ.beacon(minor: 1))])
    }
    let sightings = try (0..<4).map { _ in try client.listener.sighting() }
    #expect(sightings.map(\.rssi) == [-60, -60, -60, -61])
    #expect(Set(sightings.map(\.peer)).count == 1)
    #expect(sightings.allSatisfy { $0.advertisement.name == "tag" })
    #expect(zip(sightings, sightings.dropFirst()).allSatisfy { $0.time <= $1.time })
    let data = try #require(sightings.last?.advertisement.manufacturerData.first)
    #expect(data.company == 0x4C)
    #expect(data.octets.prefix(2) == [2, 0x15] && data.octets.count == 23 && data.octets[21] == 1)
    withExtendedLifetime(bus) {}
  }

  @Test("Alternating frames are reported one by one, without data of earlier frames")
  func turns() throws {
    let (bus, daemon, client) = try Self.scanning()
    let path = daemon.addDevice(
      "AA:BB:CC:00:00:01", [("RSSI", .int16(-60)), ("ManufacturerData", FakeBlueZ.beacon(minor: 1))])
    let service = "0000feaa-0000-1000-8000-00805f9b34fb"
    daemon.change(
      path, BlueZName.device,
      [("RSSI", .int16(-61)), ("ServiceData", .options([(service, .bytes([0, 9]))]))])
    daemon.change(
      path, BlueZName.device, [("RSSI", .int16(-62)), ("ManufacturerData", FakeBlueZ.beacon(minor: 2))])
    let first = try client.listener.sighting().advertisement
    let second = try client.listener.sighting().advertisement
    let third = try client.listener.sighting().advertisement
    #expect(first.manufacturerData.map(\.octets[21]) == [1])
    #expect(first.serviceData.isEmpty)
    #expect(second.manufacturerData.isEmpty)
    #expect(
      second.serviceData == [
        Advertisement.ServiceData(service: BluetoothUUID(0xFEAA as UInt16), octets: [0, 9])
      ])
    #expect(third.manufacturerData.map(\.octets[21]) == [2])
    #expect(third.serviceData.isEmpty)
    withExtendedLifetime(bus) {}
  }

  @Test("Without duplicates each advertiser is reported once, and only if it has the requested service")
  func once() throws {
    let (bus, daemon, client) = try Self.scanning(
      BluetoothScan(services: [BluetoothUUID(0x180D as UInt16)], allowsDuplicates: false))
    let wanted: [(String, BusValue)] = [
      ("RSSI", .int16(-50)), ("UUIDs", .strings(["0000180d-0000-1000-8000-00805f9b34fb"])),
    ]
    daemon.addDevice("AA:BB:CC:00:00:01", [("RSSI", .int16(-40))])
    let path = daemon.addDevice("AA:BB:CC:00:00:02", wanted)
    daemon.change(path, BlueZName.device, [("RSSI", .int16(-51))])
    daemon.addDevice("AA:BB:CC:00:00:03", wanted.map { ($0.0, $0.0 == "RSSI" ? .int16(-52) : $0.1) })
    #expect(try client.listener.sighting().rssi == -50)
    #expect(try client.listener.sighting().rssi == -52)
    withExtendedLifetime(bus) {}
  }

  @Test("Signals of other programs on the bus are ignored")
  func forged() throws {
    let (bus, daemon, client) = try Self.scanning()
    let forger = try FakeBlueZ(on: bus, name: nil)
    let path = FakeBlueZ.adapter + "/dev_AA_BB_CC_00_00_01"
    let properties: [(String, BusValue)] = [("Address", .string("AA:BB:CC:00:00:01")), ("RSSI", .int16(-1))]
    forger.add(path, [BlueZName.device: properties])
    forger.change(FakeBlueZ.adapter, BlueZName.adapter, [("Powered", .bool(false))])
    // When the bus answers this call, it has already delivered both forged signals.
    _ = try forger.call(
      "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", [], at: "org.freedesktop.DBus")
    daemon.addDevice("AA:BB:CC:00:00:02", [("RSSI", .int16(-70))])
    let event = try client.listener.events.next("the first event") { event -> BluetoothEvent? in
      if case .sighted = event { event } else if case .state = event { event } else { nil }
    }
    guard case .sighted(let sighting) = event else { Issue.record("state: \(event)"); return }
    #expect(sighting.rssi == -70)
  }

  /// Message bodies that BlueZ's documentation does not define.
  static let strange: [[BusValue]] = [
    [], [.string(BlueZName.device)], [.string(BlueZName.device), .options(), .options()],
    [.uint32(1), .options(), .strings([])],
    [.string(BlueZName.device), .options([("RSSI", .string("-60"))]), .strings([])],
    [.string(BlueZName.device), .options([("RSSI", .int32(-60))]), .strings([])],
    [.string(BlueZName.device), .options([("RSSI", .variant(.variant(.bool(true))))]), .strings([])],
    [.string(BlueZName.device), .options([("Address", .uint64(1)), ("Name", .bytes([255]))]), .strings([])],
    [
      .string(BlueZName.device),
      .options([("ManufacturerData", .strings(["x"])), ("UUIDs", .bytes([1])), ("ServiceData", .bool(true))]),
      .strings([]),
    ],
    [.path("/"), .dictionary(key: "s", value: "a{sv}", [])],
    [.path(FakeBlueZ.adapter + "/dev_1"), .options([(BlueZName.device, .bool(true))])],
    [.string("no path"), .strings([BlueZName.device])],
    [.path(FakeBlueZ.adapter), .array(of: "i", [.int32(1)])],
  ]

  @Test("Malformed signals change nothing")
  func strangeSignals() throws {
    let (bus, daemon, client) = try Self.scanning()
    let path = daemon.addDevice("AA:BB:CC:00:00:01", [("RSSI", .int16(-60))])
    _ = try client.listener.sighting()
    for body in Self.strange {
      daemon.emit(path, BlueZName.properties, "PropertiesChanged", body)
      daemon.emit("/", BlueZName.objectManager, "InterfacesAdded", body)
      daemon.emit("/", BlueZName.objectManager, "InterfacesRemoved", body)
    }
    daemon.change(path, BlueZName.device, [("RSSI", .int16(-66))])
    #expect(try client.listener.sighting().rssi == -66)
    #expect(client.bluetooth.currentState == .poweredOn)
    withExtendedLifetime(bus) {}
  }

  @Test("A daemon whose objects are malformed counts as absent until they are valid")
  func strangeObjects() throws {
    let bus = try PrivateBus()
    let daemon = try FakeBlueZ(on: bus)
    daemon.on("GetManagedObjects") { _, answer in answer.give([.strings(["/org/bluez/hci0"])]) }
    let client = Client(bus.address)
    #expect(try client.listener.nextState() == .unsupported)
    _ = try daemon.called("GetManagedObjects")
    _ = try daemon.called("GetManagedObjects")
    let value: BusValue = .dictionary(
      key: "o", value: "a{sa{sv}}",
      [
        BusEntry(
          .path(FakeBlueZ.adapter),
          .dictionary(
            key: "s", value: "a{sv}",
            [BusEntry(.string(BlueZName.adapter), .options(["Powered": .bool(true)]))]))
      ])
    daemon.on("GetManagedObjects") { _, answer in answer.give([value]) }
    #expect(try client.listener.nextState() == .poweredOn)
  }

  @Test("Discovery that can't start yet is retried", .tags(.slow))
  func retry() throws {
    let bus = try PrivateBus()
    let daemon = try FakeBlueZ(on: bus)
    let answers = Inbox<BusConnection.Answer>()
    daemon.on("StartDiscovery") { _, answer in answers.put(answer) }
    let client = Client(bus.address)
    try client.listener.state(.poweredOn)
    client.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)))
    daemon.refuse(try answers.next(), BlueZError.notReady)
    let start = ContinuousClock.now
    daemon.finish(try answers.next(), [])
    #expect(ContinuousClock.now - start > .seconds(1), "retried without a pause")
    daemon.addDevice("AA:BB:CC:00:00:01", [("RSSI", .int16(-60))])
    #expect(try client.listener.sighting().rssi == -60)
  }
}
