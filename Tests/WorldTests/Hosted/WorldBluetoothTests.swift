import CoreBluetooth
import Dispatch
import Foundation
import NearbyBluetooth
import NearbyDevice
import NearbyScenarios
import NearbyWorld
import NearbyWorldProtocol
import Synchronization
import Testing

@Suite("Bluetooth in a shared world")
struct WorldBluetoothTests {
  static let peer = BluetoothPeer(high: 1, low: .max)
  static let id = AttributeID(33)
  static let service = GATTService(
    id: AttributeID(1), uuid: BluetoothUUID(0x180F as UInt16),
    characteristics: [
      GATTCharacteristic(
        id: AttributeID(2), uuid: BluetoothUUID(high: 3, low: 4),
        properties: [.read, .notifyEncryptionRequired],
        permissions: .readEncryptionRequired, value: [1],
        descriptors: [GATTDescriptor(id: AttributeID(3), uuid: BluetoothUUID(0x2901 as UInt16), value: [65])])
    ])

  static let advertising: BluetoothAdvertising = {
    var it = Advertisement()
    it.flags = 6
    it.name = "ä"
    it.services = [BluetoothUUID(0x180F as UInt16)]
    it.solicitedServices = it.services
    it.overflowServices = it.services
    it.serviceData = [Advertisement.ServiceData(service: it.services[0], octets: [])]
    it.manufacturerData = [Advertisement.ManufacturerData(company: 0x4C, octets: [2, 0x15])]
    it.transmitPower = -7
    it.isConnectable = true
    return BluetoothAdvertising(it, interval: .milliseconds(100))
  }()

  static let commands: [BluetoothCommand] = [
    .scan(BluetoothScan(services: nil, allowsDuplicates: true)),
    .scan(BluetoothScan(services: [BluetoothUUID(high: 1, low: 2)], allowsDuplicates: false)), .stopScan,
    .connect(peer), .disconnect(peer), .discover(peer), .read(peer, id),
    .write(peer, id, [1, 2], withResponse: true), .write(peer, id, [], withResponse: false),
    .setNotify(peer, id, true), .readRSSI(peer), .add(service), .remove(id), .removeAll,
    .advertise(advertising), .stopAdvertising, .respond(BluetoothRequestID(number: 5), .success([1])),
    .respond(BluetoothRequestID(number: 5), .failure(.insufficientEncryption)),
    .startSounding(peer), .stopSounding(peer), .offerSounding(true),
    .showOnly(nil), .showOnly([peer]), .pair(peer),
  ]

  static let events: [BluetoothEvent] = {
    var restoration = BluetoothRestoration()
    restoration.connected = [peer]
    restoration.connecting = [peer]
    restoration.tables = [peer: [service]]
    restoration.notifying = [peer: [id]]
    restoration.scan = BluetoothScan(services: nil, allowsDuplicates: false)
    restoration.services = [service]
    restoration.advertising = advertising
    return [
      .state(.poweredOn), .restored(BluetoothRestoration()), .restored(restoration),
      .sighted(
        BluetoothSighting(
          peer: peer, advertisement: advertising.advertisement, rssi: -70, time: .seconds(3))),
      .connected(peer), .notConnected(peer, .connectionLimitReached), .disconnected(peer, nil),
      .disconnected(peer, .att(.unlikelyError)), .discovered(peer, .success([service])),
      .discovered(peer, .failure(.notConnected)), .read(peer, id, .success([])),
      .read(peer, id, .failure(.pairingFailed)), .notified(peer, id, [9]), .wrote(peer, id, nil),
      .notifying(peer, id, true, .operationCancelled), .rssi(peer, .success(-128)), .readyToWrite(peer),
      .servicesChanged(peer, [id]), .nameChanged(peer, nil), .added(id, nil),
      .advertising(.alreadyAdvertising), .subscribed(peer, id, maximumUpdate: 182), .unsubscribed(peer, id),
      .readRequest(BluetoothRequestID(number: 1), peer, id, offset: 184),
      .writeRequest(
        BluetoothRequestID(number: 1), peer, [BluetoothWrite(attribute: id, offset: 2, value: [3])]),
      .readyToUpdate, .centralGone(peer),
      .sounded(
        peer,
        .success(
          BluetoothSounding(
            time: .seconds(3), impulseResponse: 4.5, phaseSlope: nil, roundTrip: 0.25, power: -61.5,
            hasGoodTones: true))),
      .sounded(peer, .failure(.soundingProcedureFailed)), .soundingEnded(peer, nil),
      .soundingEnded(peer, .soundingConfigurationFailed), .paired(peer, nil),
      .paired(peer, .pairingFailed),
    ]
  }()

  static let deviceMessages: [DeviceBluetoothMessage] =
    [
      .made(user: 1, .central(restoring: nil)), .made(user: 2, .peripheral(restoring: "name")),
      .made(user: 3, .system),
      .released(user: 3), .update(user: 4, id, [1], centrals: nil),
      .update(user: 4, id, [], centrals: [peer]),
    ] + commands.map { .command(user: 7, $0) }

  static let worldMessages: [WorldBluetoothMessage] =
    [
      .status(.poweredOff, .denied),
      .peer(
        peer, BluetoothPeerState(name: nil, isConnected: true, isPaired: false, maximumWrite: 512),
        services: [service.uuid]),
      .taken(user: 1, false), .wrote(user: 1, peer, hasRoom: true),
    ] + events.map { .event(user: 8, $0) }

  @Test(
    "A device's message survives a round trip, and every truncated one is refused", arguments: deviceMessages)
  func deviceRoundTrip(_ message: DeviceBluetoothMessage) throws {
    var frame = DeviceMessage.bluetooth(message).frame(at: .zero)
    #expect(try DeviceMessage(frame) == .bluetooth(message))
    while !frame.payload.isEmpty {
      frame.payload.removeLast()
      #expect(throws: WorldProtocolError.self) { try DeviceMessage(frame) }
    }
  }

  @Test(
    "A world's message survives a round trip, and every truncated one is refused", arguments: worldMessages)
  func worldRoundTrip(_ message: WorldBluetoothMessage) throws {
    var frame = WorldMessage.bluetooth(message).frame(at: .zero)
    #expect(try WorldMessage(frame) == .bluetooth(message))
    while !frame.payload.isEmpty {
      frame.payload.removeLast()
      #expect(throws: WorldProtocolError.self) { try WorldMessage(frame) }
    }
  }

  @Test("A changed octet gives another message or is refused")
  func changedOctets() {
    for message in Self.deviceMessages {
      let frame = DeviceMessage.bluetooth(message).frame(at: .zero)
      for index in frame.payload.indices {
        for change: UInt8 in [1, 0x80, 0xFF] {
          var changed = frame
          changed.payload[index] ^= change
          guard let read = try? DeviceMessage(changed) else { continue }
          #expect(read != .bluetooth(message))
        }
      }
    }
  }

  // MARK: Large messages

  /// A service with this many characteristics, with values of 512 octets.
  private static func service(_ number: Int, characteristics: Int) -> GATTService {
    GATTService(
      id: AttributeID(number * 10_000), uuid: BluetoothUUID(UInt16(number)), isPrimary: true,
      characteristics: (0..<characteristics).map { index in
        GATTCharacteristic(
          id: AttributeID(number * 10_000 + index + 1), uuid: BluetoothUUID(UInt16(index)),
          properties: [.read, .notify], permissions: [], value: [UInt8](repeating: 1, count: 512),
          descriptors: [])
      })
  }

  @Test("Events fit into a frame: what does not fit is omitted and the rest is parsed")
  func largeEvents() throws {
    let services = (1...200).map { Self.service($0, characteristics: 40) }
    var restoration = BluetoothRestoration()
    restoration.connected = (0..<20).map { BluetoothPeer(high: 7, low: $0) }
    for peer in restoration.connected {
      restoration.tables[peer] = (1...9).map { Self.service($0, characteristics: 2) }
    }
    restoration.connecting = (0..<5000).map { BluetoothPeer(high: 8, low: $0) }
    restoration.scan = BluetoothScan(
      services: (0..<5000).map { BluetoothUUID(UInt16($0)) }, allowsDuplicates: true)
    restoration.services = services
    let events: [BluetoothEvent] = [
      .discovered(Self.peer, .success(services)), .restored(restoration),
      .servicesChanged(Self.peer, (0..<5000).map { AttributeID($0) }),
      .writeRequest(
        BluetoothRequestID(number: 1), Self.peer,
        (0..<500).map {
          BluetoothWrite(attribute: AttributeID($0), offset: 0, value: .init(repeating: 1, count: 512))
        }),
    ]
    for event in events {
      var octets: [UInt8] = []
      WorldMessage.bluetooth(.event(user: 1, event)).frame(at: .zero).write(to: &octets)
      #expect(octets.count <= WorldFrame.headerSize + WorldFrame.maximumPayload)
      var reader = WorldFrameReader()
      reader.append(octets)
      let frame = try #require(try reader.next())
      guard case .bluetooth(.event(user: 1, let read)) = try WorldMessage(frame) else {
        Issue.record("another message")
        continue
      }
      if case .restored(let read) = read {
        #expect(read.connected == restoration.connected)
        // Only complete tables are restored.
        #expect(!read.tables.isEmpty)
        #expect(read.tables.count < 20)
        #expect(read.tables.allSatisfy { $0.value == restoration.tables[$0.key] })
      }
    }
    var octets: [UInt8] = []
    DeviceMessage.bluetooth(.command(user: 1, .add(Self.service(1, characteristics: 1000)))).frame(at: .zero)
      .write(to: &octets)
    #expect(octets.count <= WorldFrame.headerSize + WorldFrame.maximumPayload)
  }

  @Test("A device's services must fit in one message; one too many is refused, and the world continues")
  func servicesLimit() {
    var world = HostedWorld(.empty)
    let anna = WorldClient(number: 1)
    world.received(.hello(DeviceHello(token: "", device: "anna", program: "")), from: anna)
    world.received(.bluetooth(.made(user: 1, .peripheral(restoring: nil))), from: anna)
    var refused = 0
    for number in 1...20 {
      let service = Self.service(number, characteristics: 10)
      world.received(.bluetooth(.command(user: 1, .add(service))), from: anna)
      for case .send(.bluetooth(.event(user: 1, .added(service.id, let failure))), to: anna, at: _)
        in world.takeActions()
      {
        if failure == .att(.insufficientResources) { refused += 1 }
      }
    }
    #expect((1..<20).contains(refused))
    // Removing services makes room for new ones.
    world.received(.bluetooth(.command(user: 1, .removeAll)), from: anna)
    _ = world.takeActions()
    world.received(.bluetooth(.command(user: 1, .add(Self.service(30, characteristics: 10)))), from: anna)
    #expect(
      world.takeActions().contains {
        if case .send(.bluetooth(.event(_, .added(_, nil))), to: anna, at: _) = $0 { true } else { false }
      })
  }

  @Test("Two programs find each other, connect and exchange messages over TCP")
  func flow() async throws {
    let world = try ServedWorld()
    let (anna, box) = (try world.join("anna"), try world.join("box"))
    world.server.withWorld { world in
      world.perform(.place(device: 0, [0, 0, 1.2]))
      world.perform(.place(device: 1, [0, 2, 1.2]))
    }
    let speaker = NearbyDevice.$current.withValue(box) { WorldSpeaker() }
    let phone = NearbyDevice.$current.withValue(anna) { WorldPhone() }
    #expect(await speaker.heard.wait { $0.contains("advertising") })
    #expect(await phone.heard.wait { $0.contains("value 0A0B") })
    #expect(await phone.heard.wait { $0.filter { $0.hasPrefix("value") }.count == 31 })
    let values = phone.heard.all.filter { $0.hasPrefix("value") }
    #expect(values.dropFirst() == (0..<30).map { "value \(String(format: "%02X", $0))" }[...])
    #expect(phone.heard.all.contains("secret 090807"))
    phone.leave()
    #expect(await speaker.heard.wait { $0.last == "unsubscribed" })
  }
}

/// An accessory in a world. It answers each write with the same octets and one more, then sends thirty
/// values.
private final class WorldSpeaker: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
  // Used on its manager's queue; `heard` is used from anywhere.
  let heard = Heard<String>()
  private var manager: CBPeripheralManager?
  private let tx = CBMutableCharacteristic(
    type: CBUUID(string: "AA01"), properties: .notify, value: nil, permissions: .readable)
  private let rx = CBMutableCharacteristic(
    type: CBUUID(string: "AA02"), properties: .write, value: nil, permissions: .writeable)
  private let secret = CBMutableCharacteristic(
    type: CBUUID(string: "AA03"), properties: .read, value: Data([9, 8, 7]),
    permissions: .readEncryptionRequired)
  private var left: [Data] = []

  override init() {
    super.init()
    let queue = DispatchQueue(label: "speaker")
    queue.sync { manager = CBPeripheralManager(delegate: self, queue: queue) }
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    let service = CBMutableService(type: CBUUID(string: "AA00"), primary: true)
    service.characteristics = [tx, rx, secret]
    peripheral.add(service)
    peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "AA00")]])
  }
  func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
    heard.add("advertising")
  }
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    peripheral.respond(to: requests[0], withResult: .success)
    left = [(requests[0].value ?? Data()) + [0x0B]] + (0..<30).map { Data([$0]) }
    send()
  }
  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { send() }
  private func send() {
    while let first = left.first,
      manager?.updateValue(first, for: tx, onSubscribedCentrals: nil) == true
    {
      left.removeFirst()
    }
  }
  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral,
    didUnsubscribeFrom characteristic: CBCharacteristic
  ) {
    heard.add("unsubscribed")
  }
}

/// Finds the speaker, reads its encrypted value, subscribes and writes once.
private final class WorldPhone: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable
{
  // Used on its manager's queue; `heard` is used from anywhere.
  let heard = Heard<String>()
  private let queue = DispatchQueue(label: "phone")
  private var central: CBCentralManager?
  private var peripheral: CBPeripheral?

  override init() {
    super.init()
    queue.sync { central = CBCentralManager(delegate: self, queue: queue) }
  }

  func leave() {
    queue.async { [self] in
      if let peripheral { central?.cancelPeripheralConnection(peripheral) }
    }
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBUUID(string: "AA00")]) }
  }
  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard self.peripheral == nil else { return }
    self.peripheral = peripheral
    peripheral.delegate = self
    central.stopScan()
    central.connect(peripheral)
  }
  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices(nil)
  }
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
  }
  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
  ) {
    for characteristic in service.characteristics ?? [] where characteristic.uuid == CBUUID(string: "AA03") {
      peripheral.readValue(for: characteristic)
    }
  }
  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    let text = (characteristic.value ?? Data()).map { String(format: "%02X", $0) }.joined()
    guard characteristic.uuid == CBUUID(string: "AA03") else { return heard.add("value \(text)") }
    heard.add("secret \(error.map { "\($0)" } ?? text)")
    let all = peripheral.services?.flatMap { $0.characteristics ?? [] } ?? []
    for tx in all where tx.uuid == CBUUID(string: "AA01") { peripheral.setNotifyValue(true, for: tx) }
  }
  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    let all = peripheral.services?.flatMap { $0.characteristics ?? [] } ?? []
    for rx in all where rx.uuid == CBUUID(string: "AA02") {
      peripheral.writeValue(Data([0x0A]), for: rx, type: .withResponse)
    }
  }
}
