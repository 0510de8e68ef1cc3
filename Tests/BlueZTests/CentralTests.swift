import Dispatch
import Foundation
import NearbyBluetooth
import TestSupport
import Testing

@testable import NearbyBlueZ
@testable import NearbyLive

/// Connections, and the attributes of the connected devices.
@Suite("A central on BlueZ", .needs(.dbusDaemon), .timeLimit(.minutes(3)), .ownThreads)
struct CentralTests {
  private static let uuid = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"

  /// A client connected to a device with one service, which has characteristic 0x11 with descriptor 0x13.
  private struct Connected {
    let bus: PrivateBus
    let daemon: FakeBlueZ
    let client: Client
    let peer: BluetoothPeer
    let device: String
    let service: String
    let characteristic: String
    static let id = AttributeID(0x11)

    init(flags: [String] = ["read", "write", "notify"], isPaired: Bool = false) throws {
      bus = try PrivateBus()
      daemon = try FakeBlueZ(on: bus)
      client = Client(bus.address)
      try client.listener.state(.poweredOn)
      client.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: false)))
      _ = try daemon.called("StartDiscovery")
      device = daemon.addDevice(
        "AA:BB:CC:00:00:01",
        [("RSSI", .int16(-60)), ("Connected", .bool(false)), ("Paired", .bool(isPaired))])
      peer = try client.listener.sighting().peer
      service = device + "/service0010"
      characteristic = service + "/char0011"
      serve(flags)
      client.perform(.connect(peer))
      _ = try daemon.called("StopDiscovery")
      _ = try daemon.called("Connect")
      let peer = peer
      try client.listener.events.next("connected") { event in
        if case .connected(peer) = event { () } else { nil }
      }
    }

    /// Adds the device's attributes as soon as it is connected.
    private func serve(_ flags: [String]) {
      let (device, service, characteristic) = (device, service, characteristic)
      daemon.on("Connect") { [weak daemon] _, answer in
        guard let daemon else { return }
        daemon.add(
          service,
          [BlueZName.gattService: [("UUID", .string(CentralTests.uuid)), ("Primary", .bool(true))]])
        daemon.add(
          characteristic,
          [
            BlueZName.characteristic: [
              ("UUID", .string("2a37")), ("Service", .path(service)), ("Flags", .strings(flags)),
              ("MTU", .uint16(185)),
            ]
          ])
        daemon.add(
          characteristic + "/desc0013",
          [BlueZName.descriptor: [("UUID", .string("2901")), ("Characteristic", .path(characteristic))]])
        daemon.change(device, BlueZName.device, [("Connected", .bool(true))])
        daemon.change(device, BlueZName.device, [("ServicesResolved", .bool(true))])
        daemon.finish(answer, [])
      }
    }

    func discover() throws -> [GATTService] {
      client.perform(.discover(peer))
      return try client.listener.events.next("discovered") { event in
        if case .discovered(_, let result) = event { result } else { nil }
      }.get()
    }

    func read(_ id: AttributeID = Self.id) throws -> Result<[UInt8], BluetoothFailure> {
      client.perform(.read(peer, id))
      return try client.listener.events.next("read") { event in
        if case .read(_, id, let result) = event { result } else { nil }
      }
    }

    func notify(_ isOn: Bool) throws -> (Bool, BluetoothFailure?) {
      client.perform(.setNotify(peer, Self.id, isOn))
      return try client.listener.events.next("notifying") { event in
        if case .notifying(_, _, let isOn, let failure) = event { (isOn, failure) } else { nil }
      }
    }

    func notified() throws -> [UInt8] {
      try client.listener.events.next("notified") { event in
        if case .notified(_, Self.id, let value) = event { value } else { nil }
      }
    }

    func notifyValue(_ value: [UInt8]) {
      daemon.change(characteristic, BlueZName.characteristic, [("Value", .bytes(value))])
    }
  }

  @Test("Connecting pauses scanning, and discovery returns the attribute table")
  func table() throws {
    let connected = try Connected()
    _ = try connected.daemon.called("StartDiscovery")
    let service = try #require(try connected.discover().first)
    #expect(service.id == AttributeID(0x10))
    #expect(service.uuid == BluetoothUUID(Self.uuid))
    #expect(service.isPrimary)
    let characteristic = try #require(service.characteristics.first)
    #expect(characteristic.id == AttributeID(0x11))
    #expect(characteristic.uuid == BluetoothUUID(0x2A37 as UInt16))
    #expect(characteristic.properties == [.read, .write, .notify])
    #expect(characteristic.descriptors.map(\.id) == [AttributeID(0x13)])
    let state = try #require(connected.client.bluetooth.peerState(connected.peer))
    #expect(state.isConnected)
    #expect(state.maximumWriteWithoutResponse == 182)
    #expect(state.maximumWrite == 512)
  }

  @Test("A second user of a connected device gets the existing link immediately, and may use it")
  func share() throws {
    let connected = try Connected()
    let (bluetooth, peer) = (connected.client.bluetooth, connected.peer)
    let other = Listener()
    let queue = DispatchQueue(label: "other")
    let user = bluetooth.makeUser(other, now: { .zero }, deliver: { queue.async(execute: $0) })
    bluetooth.perform(.connect(peer), of: user)
    bluetooth.perform(.discover(peer), of: user)
    try other.events.next("connected") { event in
      if case .connected(peer) = event { () } else { nil }
    }
    let found = try other.events.next("discovered") { event in
      if case .discovered(peer, let result) = event { result } else { nil }
    }
    #expect(try found.get().map(\.id) == [AttributeID(0x10)])
    // One user's disconnection leaves the other user's link up.
    bluetooth.perform(.disconnect(peer), of: user)
    let failure = try other.events.next("disconnected") { event -> BluetoothFailure?? in
      if case .disconnected(peer, let failure) = event { .some(failure) } else { nil }
    }
    #expect(failure == .some(nil))
    #expect(try connected.discover().count == 1)
  }

  @Test("A failed connection attempt is repeated when the device advertises again")
  func patience() throws {
    let bus = try PrivateBus()
    let daemon = try FakeBlueZ(on: bus)
    let client = Client(bus.address)
    try client.listener.state(.poweredOn)
    client.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: false)))
    _ = try daemon.called("StartDiscovery")
    let device = daemon.addDevice("AA:BB:CC:00:00:01", [("RSSI", .int16(-60)), ("Connected", .bool(false))])
    let peer = try client.listener.sighting().peer
    client.perform(.stopScan)
    daemon.on("Connect") { _, answer in answer.refuse(BlueZError.failed, "le-connection-abort-by-local") }
    client.perform(.connect(peer))
    _ = try daemon.called("Connect")
    // BlueZ can connect only to a device that it currently sees, so the client scans although no app asked
    // for it.
    _ = try daemon.called("StartDiscovery")
    daemon.on("Connect") { [weak daemon] call, answer in
      daemon?.change(call.path, BlueZName.device, [("Connected", .bool(true))])
      daemon?.finish(answer, [])
    }
    daemon.change(device, BlueZName.device, [("RSSI", .int16(-61))])
    let isConnected = try client.listener.events.next("an end of the attempt") { event in
      switch event {
      case .connected(peer): true
      case .notConnected: false
      default: nil
      }
    }
    #expect(isConnected, "the app was told of the first attempt's failure")
    #expect(try daemon.called("Connect").path == device)
    daemon.on("Connect") { _, answer in answer.give() }
  }

  @Test("A connection that was cancelled and is requested again is attempted at once", .tags(.slow))
  func cancelled() throws {
    let bus = try PrivateBus()
    let daemon = try FakeBlueZ(on: bus)
    let client = Client(bus.address)
    try client.listener.state(.poweredOn)
    client.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: false)))
    _ = try daemon.called("StartDiscovery")
    daemon.addDevice("AA:BB:CC:00:00:01", [("RSSI", .int16(-60)), ("Connected", .bool(false))])
    let peer = try client.listener.sighting().peer
    daemon.on("Connect") { _, answer in answer.refuse(BlueZError.failed, "le-connection-abort-by-local") }
    client.perform(.connect(peer))
    _ = try daemon.called("Connect")
    _ = try daemon.called("StartDiscovery")
    client.perform(.disconnect(peer))
    let start = ContinuousClock.now
    client.perform(.connect(peer))
    _ = try daemon.called("Connect")
    // Without the cancellation it would wait for 30 s, because the device does not advertise again.
    #expect(ContinuousClock.now - start < .seconds(15))
  }

  @Test("Connecting to an unknown peer fails, and so does reading from a peer that isn't connected")
  func notThere() throws {
    let bus = try PrivateBus()
    let daemon = try FakeBlueZ(on: bus)
    let client = Client(bus.address)
    try client.listener.state(.poweredOn)
    let nobody = BluetoothPeer(high: 1, low: 2)
    client.perform(.connect(nobody))
    client.perform(.read(nobody, AttributeID(1)))
    let failure = try client.listener.events.next("failure") { event in
      if case .notConnected(nobody, let failure) = event { failure } else { nil }
    }
    #expect(failure == .unknownPeer)
    let read = try client.listener.events.next("read") { event in
      if case .read(nobody, _, let result) = event { result } else { nil }
    }
    #expect(read == .failure(.notConnected))
    withExtendedLifetime(daemon) {}
  }

  @Test("Reads and writes as requested, with and without response")
  func values() throws {
    let connected = try Connected()
    connected.daemon.on("ReadValue") { _, answer in answer.give([.bytes([1, 2])]) }
    #expect(try connected.read() == .success([1, 2]))
    #expect(try connected.read(AttributeID(0x13)) == .success([1, 2]))
    #expect(try connected.read(AttributeID(0x99)) == .failure(.att(.invalidHandle)))
    let (client, peer) = (connected.client, connected.peer)
    client.perform(.write(peer, Connected.id, [7], withResponse: true))
    let request = try connected.daemon.called("WriteValue")
    #expect(request.body.first == .bytes([7]))
    #expect(request.body.last?["type"]?.stringValue == "request")
    let failure = try client.listener.events.next("wrote") { event -> BluetoothFailure?? in
      if case .wrote(_, Connected.id, let failure) = event { .some(failure) } else { nil }
    }
    #expect(failure == nil)
    client.perform(.write(peer, Connected.id, [8], withResponse: false))
    let command = try connected.daemon.called("WriteValue")
    #expect(command.body.last?["type"]?.stringValue == "command")
  }

  @Test("A read that was lost because of a pairing is repeated once")
  func lostRead() throws {
    let connected = try Connected()
    let (daemon, device) = (connected.daemon, connected.device)
    daemon.on("ReadValue") { [weak daemon] _, answer in
      daemon?.change(device, BlueZName.device, [("Paired", .bool(true))])
      daemon?.on("ReadValue") { _, answer in answer.give([.bytes([9])]) }
      daemon?.refuse(answer, BlueZError.failed, "Operation failed with ATT error: 0x0e")
    }
    #expect(try connected.read() == .success([9]))
    daemon.on("ReadValue") { _, answer in
      answer.refuse(BlueZError.failed, "Operation failed with ATT error: 0x0e")
    }
    #expect(try connected.read() == .failure(.att(.unlikelyError)))
  }

  @Test(
    "Reading an encrypted attribute pairs the devices, and a failed pairing is reported",
    arguments: [true, false])
  func pairing(succeeds: Bool) throws {
    let connected = try Connected()
    let (daemon, device) = (connected.daemon, connected.device)
    daemon.on("ReadValue") { _, answer in answer.refuse(BlueZError.notPermitted, "Not paired") }
    daemon.on("Pair") { [weak daemon] _, answer in
      guard succeeds else { return answer.refuse("org.bluez.Error.AuthenticationFailed") }
      daemon?.change(device, BlueZName.device, [("Paired", .bool(true))])
      daemon?.on("ReadValue") { _, answer in answer.give([.bytes([5])]) }
      daemon?.finish(answer, [])
    }
    #expect(try connected.read() == (succeeds ? .success([5]) : .failure(.pairingFailed)))
    #expect(connected.client.bluetooth.peerState(connected.peer)?.isPaired == succeeds)
  }

  @Test("The agent accepts a pairing only during a request, and only with the requested device")
  func agent() throws {
    let connected = try Connected()
    let (daemon, device) = (connected.daemon, connected.device)
    let answers = Inbox<[Result<[BusValue], BusError>]>()
    daemon.on("ReadValue") { [weak daemon] _, answer in
      Thread.detachNewThread { [weak daemon] in
        guard let daemon else { return }
        let agent = "/nearby/agent"
        let devices = [device, FakeBlueZ.adapter + "/dev_00_00_00_00_00_99"]
        let results = devices.map { device in
          (try? daemon.call(agent, BlueZName.agent, "RequestAuthorization", [.path(device)]))
            ?? .failure(.timedOut)
        }
        answers.put(results)
        daemon.finish(answer, [.bytes([3])])
      }
    }
    #expect(try connected.read() == .success([3]))
    let results = try answers.next()
    #expect(results.first == .success([]))
    #expect(results.last == .failure(.refused(name: BlueZError.rejected, text: "")))
    let later = try daemon.call("/nearby/agent", BlueZName.agent, "RequestAuthorization", [.path(device)])
    #expect(later == .failure(.refused(name: BlueZError.rejected, text: "")))
  }

  @Test("All notifications are delivered, and the value of a read is not reported as a notification")
  func notifications() throws {
    let connected = try Connected()
    let (isOn, failure) = try connected.notify(true)
    #expect(isOn)
    #expect(failure == nil)
    for octet: UInt8 in 1...3 { connected.notifyValue([octet]) }
    #expect(try (0..<3).map { _ in try connected.notified() } == [[1], [2], [3]])
    // The daemon reports the value of a read like a notification. Here a real notification comes between.
    let characteristic = connected.characteristic
    connected.daemon.on("ReadValue") { [weak daemon = connected.daemon] _, answer in
      for octet: UInt8 in [4, 50] {
        daemon?.change(characteristic, BlueZName.characteristic, [("Value", .bytes([octet]))])
      }
      daemon?.finish(answer, [.bytes([50])])
    }
    connected.client.perform(.read(connected.peer, Connected.id))
    connected.client.perform(.setNotify(connected.peer, Connected.id, false))
    var order: [String] = []
    while order.last != "off" {
      let word = try connected.client.listener.events.next("events") { event -> String? in
        switch event {
        case .notified(_, _, let value): "notified \(value)"
        case .read(_, _, let result): "read \((try? result.get()) ?? [])"
        case .notifying: "off"
        default: nil
        }
      }
      order.append(word)
    }
    #expect(order.prefix(2) == ["notified [4]", "read [50]"])
    _ = try connected.daemon.called("StopNotify")
  }

  @Test("The end of a connection is reported with the side that ended it, and fails pending operations")
  func ends() throws {
    let connected = try Connected()
    let (client, peer) = (connected.client, connected.peer)
    // This read is never answered.
    let kept = Inbox<BusConnection.Answer>()
    connected.daemon.on("ReadValue") { _, answer in kept.put(answer) }
    client.perform(.read(peer, Connected.id))
    client.perform(.read(peer, AttributeID(0x13)))
    _ = try connected.daemon.called("ReadValue")
    connected.daemon.change(connected.device, BlueZName.device, [("Connected", .bool(false))])
    let failure = try client.listener.events.next("disconnected") { event -> BluetoothFailure?? in
      if case .disconnected(peer, let failure) = event { .some(failure) } else { nil }
    }
    #expect(failure == .peripheralDisconnected)
    let read = try client.listener.events.next("read") { event in
      if case .read(_, AttributeID(0x13), let result) = event { result } else { nil }
    }
    #expect(read == .failure(.notConnected))
    client.perform(.connect(peer))
    try client.listener.events.next("connected") { event in
      if case .connected(peer) = event { () } else { nil }
    }
    client.perform(.disconnect(peer))
    let asked = try client.listener.events.next("disconnected") { event -> BluetoothFailure?? in
      if case .disconnected(peer, let failure) = event { .some(failure) } else { nil }
    }
    #expect(asked == .some(nil))
    _ = try connected.daemon.called("Disconnect")
    withExtendedLifetime(kept) {}
  }

  @Test("The removal of a discovered service is reported")
  func changes() throws {
    let connected = try Connected()
    _ = try connected.discover()
    connected.daemon.remove(connected.characteristic)
    connected.daemon.remove(connected.service)
    let changed = try connected.client.listener.events.next("servicesChanged") { event in
      if case .servicesChanged(_, let ids) = event { ids } else { nil }
    }
    #expect(changed == [AttributeID(0x10)])
  }

  @Test("Writes without response are limited, and readyToWrite follows when more are accepted")
  func flow() throws {
    let connected = try Connected(flags: ["write-without-response"])
    let (client, peer) = (connected.client, connected.peer)
    let answers = Inbox<BusConnection.Answer>()
    connected.daemon.on("WriteValue") { _, answer in answers.put(answer) }
    var count = 0
    while client.bluetooth.canWrite(to: peer, of: client.user), count < 1000 {
      client.perform(.write(peer, Connected.id, [UInt8(truncatingIfNeeded: count)], withResponse: false))
      _ = try connected.daemon.called("WriteValue")
      count += 1
    }
    #expect((1...64).contains(count))
    connected.daemon.finish(try answers.next(), [])
    try client.listener.events.next("readyToWrite") { event in
      if case .readyToWrite(peer) = event { () } else { nil }
    }
    #expect(client.bluetooth.canWrite(to: peer, of: client.user))
  }

  @Test("A daemon whose handlers use it and keep answers leaves the bus when its test releases it")
  func releasedDaemon() throws {
    weak var released: FakeBlueZ?
    func connect() throws -> (PrivateBus, Client) {
      let connected = try Connected()
      let (bus, client) = (connected.bus, connected.client)
      released = connected.daemon
      let unanswered = Inbox<BusConnection.Answer>()
      connected.daemon.on("ReadValue") { _, answer in unanswered.put(answer) }
      client.perform(.read(connected.peer, Connected.id))
      _ = try connected.daemon.called("ReadValue")
      // Waits until the handler has returned.
      _ = try connected.daemon.clientName()
      return (bus, client)
    }
    let (bus, client) = try connect()
    #expect(try client.listener.nextState() == .resetting)
    #expect(released == nil)
    withExtendedLifetime(bus) {}
  }

  @Test(
    "The daemon's errors are mapped to Bluetooth errors",
    arguments: [
      (BlueZError.notPermitted, "Read not permitted", .att(.readNotPermitted)),
      (BlueZError.notPermitted, "Write not permitted", .att(.writeNotPermitted)),
      (BlueZError.notPermitted, "Not paired", .att(.insufficientEncryption)),
      (BlueZError.notAuthorized, "", .att(.insufficientAuthorization)),
      (BlueZError.notSupported, "", .att(.requestNotSupported)),
      (BlueZError.invalidArguments, "Invalid offset", .att(.invalidOffset)),
      (BlueZError.invalidArguments, "Invalid Length", .att(.invalidAttributeValueLength)),
      (BlueZError.failed, "Operation failed with ATT error: 0x80", .att(ATTError(code: 0x80))),
      (BlueZError.failed, "Operation failed with ATT error: 0x", .att(.unlikelyError)),
      (BlueZError.failed, "0xzz", .att(.unlikelyError)),
      (BlueZError.failed, "Not connected", .notConnected),
      ("org.bluez.Error.AuthenticationCanceled", "", .pairingFailed),
      (BlueZName.unknownObject, "", .notConnected),
      ("org.freedesktop.DBus.Error.NoReply", "", .timedOut),
      ("", "", .att(.unlikelyError)),
    ] as [(String, String, GATTFailure)])
  func failures(_ name: String, _ text: String, _ failure: GATTFailure) {
    #expect(GATTFailure(BusError.refused(name: name, text: text)) == failure)
  }
}
