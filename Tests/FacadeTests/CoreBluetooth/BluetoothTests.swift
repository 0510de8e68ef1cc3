import CoreBluetooth
import NearbyTesting
import Testing

@Suite("CoreBluetooth")
struct BluetoothTests {
  @Test(
    "An accessory app finds, connects, discovers, subscribes, and exchanges messages", arguments: 1...20)
  func flow(seed: UInt64) {
    let pairing = Pairing(seed: seed)
    pairing.ann.loseBluetoothPackets(0.1)
    pairing.accessory.onWrite = { [accessory = pairing.accessory] in _ = accessory.send($0 + [0xFF]) }
    #expect(pairing.connect(), "seed \(seed)")
    #expect(pairing.app.names.contains("Speaker") || pairing.app.peripheral?.name != nil)
    guard let peripheral = pairing.app.peripheral, let rx = pairing.app.rx else { return }
    #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
    peripheral.writeValue(Data([0x0A]), for: rx, type: .withResponse)
    pairing.world.advance(by: .seconds(1))
    #expect(
      pairing.app.history == [
        "state 5", "connected", "services 1", "notifying true", "wrote", "value",
      ]
        || pairing.app.history == [
          "state 5", "connected", "services 1", "notifying true", "value", "wrote",
        ], "seed \(seed): \(pairing.app.history)")
    #expect(pairing.app.received == [Data([0x0A, 0xFF])])
    #expect(pairing.accessory.history == ["state 5", "added", "advertising", "subscribed"])
    #expect(pairing.accessory.tx.subscribedCentrals?.count == 1)
    pairing.app.central?.cancelPeripheralConnection(peripheral)
    pairing.world.advance(by: .seconds(1))
    #expect(pairing.app.history.last == "disconnected 0")
    #expect(peripheral.state == .disconnected)
    #expect(pairing.accessory.history.last == "unsubscribed")
  }

  @Test("Values of up to 512 octets arrive as written, and longer ones are refused")
  func lengths() throws {
    let pairing = Pairing()
    #expect(pairing.connect())
    let peripheral = try #require(pairing.app.peripheral)
    let rx = try #require(pairing.app.rx)
    let values = [0, 1, 19, 20, 179, 180, 181, 182, 183, 512].map { Data(repeating: 7, count: $0) }
    for value in values { peripheral.writeValue(value, for: rx, type: .withResponse) }
    pairing.world.advance(by: .seconds(5))
    #expect(pairing.accessory.received == values)
    pairing.app.forget()
    peripheral.writeValue(Data(repeating: 7, count: 513), for: rx, type: .withResponse)
    pairing.world.advance(by: .seconds(1))
    #expect(pairing.app.history == ["wrote 13"])
    pairing.accessory.secretValue = Data((0..<512).map { UInt8($0 & 255) })
    peripheral.readValue(for: try #require(pairing.app.secret))
    pairing.world.advance(by: .seconds(2))
    #expect(pairing.app.received == [pairing.accessory.secretValue])
  }

  @Test("Reading an encrypted characteristic pairs, or fails if refused; a lost key ends the link")
  func pairing() throws {
    let pairing = Pairing()
    pairing.ann.setAcceptsPairing(false)
    #expect(pairing.connect())
    let peripheral = try #require(pairing.app.peripheral)
    pairing.app.forget()
    peripheral.readValue(for: try #require(pairing.app.secret))
    pairing.world.advance(by: .seconds(1))
    #expect(pairing.app.history == ["value CBATTErrorDomain 15"])
    pairing.ann.setAcceptsPairing(true)
    pairing.app.forget()
    peripheral.readValue(for: try #require(pairing.app.secret))
    pairing.world.advance(by: .seconds(1))
    #expect(pairing.app.history == ["value"])
    #expect(pairing.app.received == [Data([1, 2, 3])])
    // A factory reset makes the accessory forget the pairing.
    pairing.box.forgetBluetooth(pairing.ann)
    pairing.app.central?.cancelPeripheralConnection(peripheral)
    pairing.world.advance(by: .seconds(1))
    pairing.app.forget()
    pairing.app.central?.connect(peripheral)
    pairing.world.advance(by: .seconds(2))
    #expect(pairing.app.history == ["connected", "disconnected 14"])
  }

  @Test("A lost link is reported once, and a pending connect finds the peripheral when it is back")
  func lostLink() throws {
    let pairing = Pairing()
    #expect(pairing.connect())
    let peripheral = try #require(pairing.app.peripheral)
    pairing.app.forget()
    pairing.box.leaveRange()
    pairing.world.advance(by: .seconds(4))
    #expect(pairing.app.history == ["disconnected 6"])
    #expect(pairing.accessory.history.last == "unsubscribed")
    pairing.app.central?.connect(peripheral)
    pairing.world.advance(by: .seconds(120))
    #expect(peripheral.state == .connecting)
    pairing.box.place(at: [0, 3, 1])
    #expect(pairing.world.advance(until: { peripheral.state == .connected }, within: .seconds(3)))
    #expect(pairing.connect())
    pairing.ann.cutBluetooth(to: pairing.box)
    pairing.world.advance(by: .milliseconds(100))
    #expect(pairing.app.history.last == "disconnected 6")
  }

  @Test("A full queue refuses values and reports when it has room; no accepted value is lost")
  func backPressure() throws {
    let pairing = Pairing()
    #expect(pairing.connect())
    var taken: [Data] = []
    for number in 0..<50 {
      let value = Data([UInt8(number)])
      if pairing.accessory.send(value) { taken.append(value) } else { break }
    }
    #expect(taken.count == 10)
    pairing.world.advance(by: .seconds(1))
    #expect(pairing.accessory.history.last == "ready")
    #expect(pairing.app.received == taken)
    let peripheral = try #require(pairing.app.peripheral)
    let rx = try #require(pairing.app.rx)
    var written = 0
    while peripheral.canSendWriteWithoutResponse, written < 50 {
      peripheral.writeValue(Data([UInt8(written)]), for: rx, type: .withoutResponse)
      written += 1
    }
    #expect(written == 10)
    pairing.world.advance(by: .seconds(1))
    #expect(pairing.app.history.last == "ready")
    #expect(pairing.accessory.received == (0..<10).map { Data([$0]) })
  }

  @Test("Added and removed services are reported, and can be discovered again")
  func servicesChanged() throws {
    let pairing = Pairing()
    #expect(pairing.connect())
    let peripheral = try #require(pairing.app.peripheral)
    pairing.app.forget()
    pairing.accessory.manager?.remove(pairing.accessory.service)
    pairing.world.advance(by: .seconds(1))
    #expect(pairing.app.history == ["modified 1"])
    pairing.accessory.manager?.add(pairing.accessory.service)
    pairing.app.tx = nil
    peripheral.discoverServices([transferService])
    #expect(pairing.connect())
  }

  @Test("Switching Bluetooth off changes the state and ends connections; switching it on starts over")
  func power() {
    let pairing = Pairing()
    #expect(pairing.connect())
    pairing.app.forget()
    pairing.ann.switchBluetoothOff()
    pairing.world.advance(by: .seconds(4))
    #expect(pairing.app.history == ["state 4"])
    #expect(pairing.app.peripheral?.state == .disconnected)
    #expect(pairing.accessory.history.last == "unsubscribed")
    pairing.app.peripheral = nil
    pairing.ann.switchBluetoothOn()
    #expect(pairing.connect())
  }

  @Test("The state is unknown until the user answers, and unauthorized if refused or not described")
  func permission() {
    let world = World(seed: 3)
    let phone = world.addPhone("Ann")
    phone.setBluetoothAnswer(nil)
    #expect(phone.launch { CBCentralManager.authorization } == .notDetermined)
    let app = phone.launch { CentralApp() }
    world.advance(by: .seconds(1))
    #expect(app.history.isEmpty)
    phone.answerBluetooth(.deny)
    world.advance(by: .seconds(1))
    #expect(app.history == ["state 3"])
    #expect(phone.launch { CBCentralManager.authorization } == .denied)
    phone.changeBluetoothPermission(to: .allow)
    world.advance(by: .seconds(1))
    #expect(app.history == ["state 3", "state 5"])
    phone.setBluetoothUsageDescription(nil)
    world.advance(by: .seconds(1))
    #expect(app.history.last == "state 3")
  }

  @Test("In the background a scan needs services and has no duplicates; an advertiser loses its name")
  func background() {
    let pairing = Pairing()
    pairing.app.connectsAtOnce = false
    pairing.world.advance(by: .seconds(2))
    #expect(pairing.app.names.count > 5)
    #expect(pairing.app.names.contains("Speaker"))
    pairing.box.suspend()
    pairing.world.advance(by: .seconds(2))
    let last = pairing.app.advertisements.last ?? [:]
    #expect(last[CBAdvertisementDataLocalNameKey] == nil)
    #expect(last[CBAdvertisementDataServiceUUIDsKey] == nil)
    #expect(last[CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] == [transferService])
    pairing.ann.suspend()
    pairing.app.scan()
    let before = pairing.app.names.count
    pairing.world.advance(by: .seconds(60))
    #expect(pairing.app.names.count - before == 1)
    pairing.app.scansForAll = true
    pairing.app.scan()
    pairing.world.advance(by: .seconds(60))
    #expect(pairing.app.names.count - before == 1)
  }

  @Test("A manager with a restore identifier gets its connections back after its process ended")
  func restoration() throws {
    let pairing = Pairing(restoring: "speakers")
    #expect(pairing.connect())
    let identifier = try #require(pairing.app.peripheral?.identifier)
    pairing.ann.relaunch()
    pairing.world.advance(by: .seconds(1))
    _ = pairing.accessory.send(Data([42]))
    pairing.world.advance(by: .seconds(1))
    let next = pairing.ann.launch { CentralApp(restoring: "speakers") }
    pairing.world.advance(by: .seconds(1))
    #expect(next.history == ["restored [2]", "state 5", "value"])
    #expect(next.peripheral?.identifier == identifier)
    let characteristics = next.peripheral?.services?.first?.characteristics ?? []
    #expect(characteristics.first { $0.uuid == txCharacteristic }?.isNotifying == true)
    #expect(next.received == [Data([42])])
    #expect(pairing.accessory.history.last == "subscribed")
  }

  @Test("Without a restore identifier the end of a process ends its links")
  func processEnd() {
    let pairing = Pairing()
    #expect(pairing.connect())
    pairing.ann.relaunch()
    pairing.world.advance(by: .seconds(3))
    #expect(pairing.accessory.history.last == "unsubscribed")
  }

  @Test("A peripheral that is not retained is released")
  func released() {
    let pairing = Pairing()
    #expect(pairing.connect())
    pairing.app.peripheral = nil
    pairing.app.rx = nil
    pairing.app.tx = nil
    pairing.app.secret = nil
    pairing.world.advance(by: .seconds(2))
    #expect(pairing.accessory.history.last == "unsubscribed")
  }

  @Test("With automatic reconnection a lost link is restored, and the app is notified")
  func autoReconnect() {
    let pairing = Pairing()
    pairing.app.reconnects = true
    #expect(pairing.connect())
    pairing.app.tx = nil
    pairing.ann.cutBluetooth(to: pairing.box)
    #expect(pairing.connect())
    #expect(pairing.app.history.contains("disconnected 6"))
  }

  @Test("A simulated iBeacon is received with its contents, and fades with distance")
  func beacon() throws {
    let world = World(seed: 5)
    let phone = world.addPhone("Ann")
    let uuid = try #require(UUID(uuidString: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
    let beacon = world.addBeacon("Door", at: [0, 1, 1.2], uuid: uuid, major: 1, minor: 258)
    let app = phone.launch { CentralApp() }
    app.connectsAtOnce = false
    app.scansForAll = true
    world.advance(by: .seconds(10))
    let data = app.advertisements.last?[CBAdvertisementDataManufacturerDataKey] as? Data
    #expect(data?.count == 25)
    #expect(data?.suffix(5) == Data([0, 1, 1, 2, 0xC5]))
    #expect(app.advertisements.last?[CBAdvertisementDataIsConnectable] as? Bool == false)
    let near = Double(app.rssi.reduce(0, +)) / Double(app.rssi.count)
    #expect(app.rssi.count > 50)
    #expect(app.rssi.count < 100)
    let count = app.rssi.count
    beacon.place(at: [0, 15, 1.2])
    world.advance(by: .seconds(10))
    let far = app.rssi.dropFirst(count)
    #expect(Double(far.reduce(0, +)) / Double(far.count) < near - 5)
    beacon.switchOff()
    let silent = app.rssi.count
    world.advance(by: .seconds(5))
    #expect(app.rssi.count == silent)
  }

  @Test("The same seed gives the same run")
  func determinism() {
    func run() -> [Int] {
      let pairing = Pairing(seed: 9)
      pairing.app.connectsAtOnce = false
      pairing.world.advance(by: .seconds(5))
      return pairing.app.rssi
    }
    #expect(run() == run())
  }
}

@Suite("CoreBluetooth: methods of iOS 17")
struct BluetoothFormTests {
  @Test("A delegate with the newer disconnection method gets that one and not the older")
  func newerForm() {
    final class Newer: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
      var history: [String] = []
      var peripheral: CBPeripheral?
      func centralManagerDidUpdateState(_ central: CBCentralManager) {
        central.scanForPeripherals(withServices: [transferService])
      }
      func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any], rssi RSSI: NSNumber
      ) {
        self.peripheral = peripheral
        central.connect(peripheral)
      }
      func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
      ) {
        history.append("older")
      }
      func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
      ) {
        history.append("newer \(isReconnecting)")
      }
    }
    let world = World(seed: 2)
    let (phone, box) = (world.addPhone("Ann"), world.addPhone("Box", at: [0, 2, 1]))
    let accessory = box.launch { PeripheralApp() }
    let app = Newer()
    let manager = phone.launch { CBCentralManager(delegate: app, queue: nil) }
    #expect(world.advance(until: { app.peripheral?.state == .connected }, within: .seconds(5)))
    phone.cutBluetooth(to: box)
    world.advance(by: .milliseconds(100))
    #expect(app.history == ["newer false"])
    withExtendedLifetime((accessory, manager)) {}
  }
}
