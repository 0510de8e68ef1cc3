import Foundation
import NearbyBluetooth
import TestSupport
import Testing

@testable import NearbyBlueZ
@testable import NearbyLive

/// Advertising, and services for other devices.
@Suite("A peripheral on BlueZ", .needs(.dbusDaemon), .timeLimit(.minutes(3)), .ownThreads)
struct PeripheralTests {
  private struct Ready {
    let bus: PrivateBus
    let daemon: FakeBlueZ
    let client: Client

    init() throws {
      bus = try PrivateBus()
      daemon = try FakeBlueZ(on: bus)
      client = Client(bus.address)
      try client.listener.state(.poweredOn)
    }

    func advertised(_ advertising: BluetoothAdvertising) throws -> BluetoothFailure? {
      client.perform(.advertise(advertising))
      return try client.listener.events.next("advertising") { event -> BluetoothFailure?? in
        if case .advertising(let failure) = event { .some(failure) } else { nil }
      } ?? nil
    }

    func added(_ service: GATTService) throws -> BluetoothFailure? {
      client.perform(.add(service))
      return try client.listener.events.next("added") { event -> BluetoothFailure?? in
        if case .added(service.id, let failure) = event { .some(failure) } else { nil }
      } ?? nil
    }

    func call(_ path: String, _ member: String, _ body: [BusValue]) throws -> Result<[BusValue], BusError> {
      try daemon.call(path, BlueZName.characteristic, member, body)
    }
  }

  @Test("An iBeacon is sent as specified, not connectable, ten times per second")
  func beacon() throws {
    let ready = try Ready()
    var advertisement = Advertisement()
    let octets: [UInt8] = [2, 0x15] + (0..<16).map { UInt8($0) } + [0, 1, 0, 2, 0xC5]
    advertisement.manufacturerData = [Advertisement.ManufacturerData(company: 0x4C, octets: octets)]
    #expect(try ready.advertised(BluetoothAdvertising(advertisement)) == nil)
    let properties = try #require(try ready.daemon.read.next().body.first)
    #expect(properties["Type"]?.stringValue == "broadcast")
    let data = BusValue.dictionary(
      key: "q", value: "v", [BusEntry(.uint16(0x4C), .variant(.bytes(octets)))])
    #expect(properties["ManufacturerData"] == data)
    #expect(properties["MinInterval"] == .uint32(100))
    #expect(properties["MaxInterval"] == .uint32(100))
    #expect(properties["LocalName"] == nil)
    #expect(properties["ServiceUUIDs"] == nil)
    ready.client.perform(.stopAdvertising)
    _ = try ready.daemon.called("UnregisterAdvertisement")
  }

  @Test("A peripheral's name and services are advertised at the requested interval")
  func connectable() throws {
    let ready = try Ready()
    var advertisement = Advertisement()
    advertisement.isConnectable = true
    advertisement.name = "door"
    advertisement.services = [BluetoothUUID(0x180D as UInt16)]
    advertisement.serviceData = [
      Advertisement.ServiceData(service: BluetoothUUID(0xFE9A as UInt16), octets: [1])
    ]
    let advertising = BluetoothAdvertising(advertisement, interval: .milliseconds(350))
    #expect(try ready.advertised(advertising) == nil)
    let properties = try #require(try ready.daemon.read.next().body.first)
    #expect(properties["Type"]?.stringValue == "peripheral")
    #expect(properties["Discoverable"]?.boolValue == true)
    #expect(properties["LocalName"]?.stringValue == "door")
    #expect(properties["ServiceUUIDs"]?.strings == ["0000180d-0000-1000-8000-00805f9b34fb"])
    #expect(properties["ServiceData"]?["0000fe9a-0000-1000-8000-00805f9b34fb"] == .bytes([1]))
    #expect(properties["MinInterval"] == .uint32(350))
  }

  @Test("A connectable advertisement is registered again when a central connects or disconnects")
  func stillThere() throws {
    let ready = try Ready()
    var advertisement = Advertisement()
    advertisement.isConnectable = true
    #expect(try ready.advertised(BluetoothAdvertising(advertisement)) == nil)
    let first = try ready.daemon.called("RegisterAdvertisement").body.first
    let device = ready.daemon.addDevice("AA:BB:CC:00:00:01", [("Connected", .bool(true))])
    #expect(try ready.daemon.called("UnregisterAdvertisement").body.first == first)
    let second = try ready.daemon.called("RegisterAdvertisement").body.first
    #expect(second != first)
    ready.daemon.change(device, BlueZName.device, [("Connected", .bool(false))])
    #expect(try ready.daemon.called("UnregisterAdvertisement").body.first == second)
    _ = try ready.daemon.called("RegisterAdvertisement")
  }

  @Test(
    "An advertisement that the daemon refuses fails with its reason",
    arguments: [
      (BlueZError.failed, .invalidParameters), (BlueZError.notPermitted, .connectionLimitReached),
      (BlueZError.notSupported, .notSupported), (BlueZError.alreadyExists, .alreadyAdvertising),
    ] as [(String, BluetoothFailure)])
  func refused(_ name: String, _ failure: BluetoothFailure) throws {
    let ready = try Ready()
    ready.daemon.on("RegisterAdvertisement") { _, answer in answer.refuse(name, "no") }
    #expect(try ready.advertised(BluetoothAdvertising(Advertisement())) == failure)
  }

  private static let service = GATTService(
    id: AttributeID(1), uuid: BluetoothUUID(0x1234 as UInt16),
    characteristics: [
      GATTCharacteristic(
        id: AttributeID(2), uuid: BluetoothUUID(0x0002 as UInt16), properties: .read,
        permissions: [.readable, .readEncryptionRequired], value: [1, 2, 3, 4]),
      GATTCharacteristic(
        id: AttributeID(3), uuid: BluetoothUUID(0x0003 as UInt16),
        properties: [.read, .write, .writeWithoutResponse, .notify], permissions: [.readable, .writeable],
        descriptors: [
          GATTDescriptor(id: AttributeID(4), uuid: BluetoothUUID(0x2901 as UInt16), value: [65, 66])
        ]),
    ])

  private static func options(_ device: String, offset: UInt16 = 0) -> BusValue {
    .options(["device": .path(device), "offset": .uint16(offset), "mtu": .uint16(185), "link": .string("LE")])
  }

  private static let central = FakeBlueZ.adapter + "/dev_AA_BB_CC_00_00_07"

  /// A published service, with the paths of its two characteristics.
  private static func serving() throws -> (Ready, fixed: String, asked: String) {
    let ready = try Ready()
    #expect(try ready.added(service) == nil)
    let objects = try #require(try ready.daemon.read.next().body.first?.entries)
    func path(_ short: String) throws -> String {
      let entry = objects.first { entry in
        entry.value[BlueZName.characteristic]?["UUID"]?.stringValue?.hasPrefix("0000" + short) == true
      }
      return try #require(entry?.key.pathValue)
    }
    return (ready, try path("0002"), try path("0003"))
  }

  @Test("A service is registered in the daemon's format, with encryption where required")
  func objects() throws {
    let ready = try Ready()
    #expect(try ready.added(Self.service) == nil)
    let objects = try #require(try ready.daemon.read.next().body.first?.entries).map(\.value)
    let service = try #require(objects.compactMap { $0[BlueZName.gattService] }.first)
    #expect(service["UUID"]?.stringValue == "00001234-0000-1000-8000-00805f9b34fb")
    #expect(service["Primary"]?.boolValue == true)
    let characteristics = objects.compactMap { $0[BlueZName.characteristic] }
    #expect(characteristics.first?["Flags"]?.strings == ["encrypt-read"])
    #expect(characteristics.first?["NotifyAcquired"] == nil)
    #expect(
      characteristics.last?["Flags"]?.strings == ["read", "write-without-response", "write", "notify"])
    #expect(characteristics.last?["NotifyAcquired"]?.boolValue == false)
    let descriptor = try #require(objects.compactMap { $0[BlueZName.descriptor] }.first)
    #expect(descriptor["Flags"]?.strings == ["read"])
    // A service that requires encryption makes the client register a pairing agent.
    _ = try ready.daemon.called("RequestDefaultAgent")
    let agreed = try ready.daemon.call(
      "/nearby/agent", BlueZName.agent, "RequestAuthorization", [.path(Self.central)])
    #expect(agreed == .success([]))
    // Pairing is refused while the program does not accept new pairings.
    ready.client.perform(.acceptPairing(false))
    let refused = try ready.daemon.call(
      "/nearby/agent", BlueZName.agent, "RequestAuthorization", [.path(Self.central)])
    #expect(refused != .success([]))
    ready.client.perform(.acceptPairing(true))
    let agreedAgain = try ready.daemon.call(
      "/nearby/agent", BlueZName.agent, "RequestAuthorization", [.path(Self.central)])
    #expect(agreedAgain == .success([]))
    ready.client.perform(.remove(AttributeID(1)))
    _ = try ready.daemon.called("UnregisterApplication")
  }

  @Test("If the daemon refuses a service, adding it fails")
  func refusedService() throws {
    let ready = try Ready()
    ready.daemon.on("RegisterApplication") { _, answer in answer.refuse(BlueZError.failed) }
    #expect(try ready.added(Self.service) == .invalidParameters)
  }

  @Test("A fixed value is read from any offset without asking the app", arguments: [0, 3, 4, 5])
  func fixedValue(offset: Int) throws {
    let (ready, path, _) = try Self.serving()
    let options = Self.options(Self.central, offset: UInt16(offset))
    let result = try ready.call(path, "ReadValue", [options])
    if offset <= 4 {
      #expect(result == .success([.bytes(Array([1, 2, 3, 4][offset...]))]))
    } else {
      #expect(result == .failure(.refused(name: BlueZError.invalidOffset, text: "")))
    }
    let description = try ready.daemon.call(
      path.replacingOccurrences(of: "char0", with: "char1") + "/desc0", BlueZName.descriptor, "ReadValue",
      [Self.options(Self.central)])
    #expect(description == .success([.bytes([65, 66])]))
  }

  /// Calls the client while the test answers as the app.
  private static func asked(
    _ ready: Ready, _ path: String, _ member: String, _ body: [BusValue],
    _ respond: (BluetoothEvent) -> BluetoothCommand?
  ) throws -> Result<[BusValue], BusError> {
    let result = Inbox<Result<[BusValue], BusError>>()
    let daemon = ready.daemon
    Thread.detachNewThread {
      result.put((try? daemon.call(path, BlueZName.characteristic, member, body)) ?? .failure(.timedOut))
    }
    ready.client.perform(try ready.client.listener.events.next("request", respond))
    return try result.next()
  }

  @Test("The app answers all other reads and writes")
  func requests() throws {
    let (ready, _, path) = try Self.serving()
    let read = try Self.asked(ready, path, "ReadValue", [Self.options(Self.central, offset: 2)]) { event in
      if case .readRequest(let id, _, AttributeID(3), offset: 2) = event {
        .respond(id, .success([9]))
      } else {
        nil
      }
    }
    #expect(read == .success([.bytes([9])]))
    let write = try Self.asked(ready, path, "WriteValue", [.bytes([5, 6]), Self.options(Self.central)]) {
      event in
      guard case .writeRequest(let id, _, let writes) = event else { return nil }
      #expect(writes == [BluetoothWrite(attribute: AttributeID(3), offset: 0, value: [5, 6])])
      return .respond(id, .success([]))
    }
    #expect(write == .success([]))
  }

  @Test(
    "An ATT error from the app reaches the daemon as the corresponding D-Bus error",
    arguments: [
      (.writeNotPermitted, BlueZError.notPermitted, ""), (.invalidOffset, BlueZError.invalidOffset, ""),
      (.insufficientAuthorization, BlueZError.notAuthorized, ""),
      (.requestNotSupported, BlueZError.notSupported, ""),
      (.invalidAttributeValueLength, BlueZError.invalidLength, ""),
      (ATTError(code: 0x80), BlueZError.failed, "0x80"),
    ] as [(ATTError, String, String)])
  func refusals(_ error: ATTError, _ name: String, _ text: String) throws {
    let (ready, _, path) = try Self.serving()
    let result = try Self.asked(ready, path, "WriteValue", [.bytes([]), Self.options(Self.central)]) {
      event in
      if case .writeRequest(let id, _, _) = event { .respond(id, .failure(error)) } else { nil }
    }
    #expect(result == .failure(.refused(name: name, text: text)))
  }

  @Test("Each subscription is reported, receives updates, and its end is reported")
  func subscriptions() throws {
    let (ready, _, path) = try Self.serving()
    let client = ready.client
    let device = ready.daemon.addDevice("AA:BB:CC:00:00:07", [("Connected", .bool(true))])
    let refused = try ready.call(path, "AcquireNotify", [Self.options(device)])
    #expect(refused == .failure(.refused(name: BlueZError.notSupported, text: "")))
    #expect(try ready.call(path, "StartNotify", []) == .success([]))
    let peer = try client.listener.events.next("subscribed") { event in
      if case .subscribed(let peer, AttributeID(3), maximumUpdate: 182) = event { peer } else { nil }
    }
    #expect(client.bluetooth.update(AttributeID(3), [7, 7], centrals: [peer], of: client.user))
    // The client reads the device only after it has sent the value.
    _ = try ready.daemon.called("Get")
    ready.daemon.change(device, BlueZName.device, [("Connected", .bool(false))])
    try client.listener.events.next("unsubscribed") { event in
      if case .unsubscribed(peer, AttributeID(3)) = event { () } else { nil }
    }
    try client.listener.events.next("centralGone") { event in
      if case .centralGone(peer) = event { () } else { nil }
    }
  }

  @Test("A full queue refuses updates, and readyToUpdate follows when it has room")
  func backPressure() throws {
    let (ready, _, path) = try Self.serving()
    let client = ready.client
    let questions = Inbox<BusConnection.Answer>()
    ready.daemon.on("Get") { _, answer in questions.put(answer) }
    _ = try ready.call(path, "AcquireNotify", [Self.options(Self.central)])
    var count = 0
    while client.bluetooth.update(AttributeID(3), [UInt8(count)], centrals: nil, of: client.user), count < 200
    {
      count += 1
    }
    #expect((8...64).contains(count))
    for _ in 0..<count { ready.daemon.finish(try questions.next(), []) }
    try client.listener.events.next("readyToUpdate") { event in
      if case .readyToUpdate = event { () } else { nil }
    }
    #expect(client.bluetooth.update(AttributeID(3), [1], centrals: nil, of: client.user))
  }

  @Test("Only the daemon may call the exported objects")
  func strangers() throws {
    let (ready, path, _) = try Self.serving()
    let stranger = try FakeBlueZ(on: ready.bus, name: nil)
    let name = try ready.daemon.clientName()
    let calls = [
      (path, BlueZName.characteristic, "ReadValue"), ("/nearby/agent", BlueZName.agent, "Release"),
    ]
    for (path, interface, member) in calls {
      let result = try stranger.call(path, interface, member, [Self.options(Self.central)], at: name)
      #expect(result == .failure(.refused(name: BlueZName.accessDenied, text: "")))
    }
  }

  @Test("Malformed calls are refused, and the next call is answered")
  func strangeCalls() throws {
    let (ready, path, asked) = try Self.serving()
    let bodies: [[BusValue]] =
      ScanTests.strange + [
        [.bytes([1])], [.options(), .bytes([1])], [.strings([]), .options()],
        [.options([("offset", .string("x")), ("device", .bool(true))])],
      ]
    for body in bodies {
      for member in ["WriteValue", "AcquireNotify", "AcquireWrite", "Nothing"] {
        guard case .failure = try ready.call(asked, member, body) else {
          Issue.record("\(member) \(body)")
          continue
        }
      }
      _ = try ready.daemon.call(asked, BlueZName.properties, "Get", body)
      _ = try ready.daemon.call(asked, BlueZName.properties, "GetAll", body)
    }
    #expect(
      try ready.call(path, "ReadValue", [Self.options(Self.central)]) == .success([.bytes([1, 2, 3, 4])]))
  }
}
