import CoreBluetooth
import NearbyTesting

let transferService = CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
let rxCharacteristic = CBUUID(string: "6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
let txCharacteristic = CBUUID(string: "6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
let secretCharacteristic = CBUUID(string: "95E8D9D5-D8EF-4721-9A4E-807375F53328")

/// A phone's app as accessory makers write it: it scans, connects, discovers, subscribes and writes.
final class CentralApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  private(set) var central: CBCentralManager?
  var peripheral: CBPeripheral?
  var rx: CBCharacteristic?
  var tx: CBCharacteristic?
  var secret: CBCharacteristic?
  private(set) var history: [String] = []
  private(set) var received: [Data] = []
  private(set) var names: [String] = []
  private(set) var rssi: [Int] = []
  private(set) var advertisements: [[String: Any]] = []
  var connectsAtOnce = true
  var scansForAll = false
  var scanOptions: [String: Any] = [CBCentralManagerScanOptionAllowDuplicatesKey: true]
  var restored: [CBPeripheral] = []
  var reconnects = false

  init(restoring: String? = nil) {
    super.init()
    var options: [String: Any] = [CBCentralManagerOptionShowPowerAlertKey: true]
    if let restoring { options[CBCentralManagerOptionRestoreIdentifierKey] = restoring }
    central = CBCentralManager(delegate: self, queue: nil, options: options)
  }

  func forget() { history = [] }
  func scan() {
    central?.scanForPeripherals(withServices: scansForAll ? nil : [transferService], options: scanOptions)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    history.append("state \(central.state.rawValue)")
    if central.state == .poweredOn, restored.isEmpty { scan() }
  }

  func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
    restored = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
    history.append("restored \(restored.map(\.state.rawValue))")
    peripheral = restored.first
    restored.forEach { $0.delegate = self }
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    rssi.append(RSSI.intValue)
    names.append(advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? "")
    advertisements.append(advertisementData)
    guard connectsAtOnce, self.peripheral == nil else { return }
    self.peripheral = peripheral
    central.stopScan()
    central.connect(
      peripheral, options: reconnects ? [CBConnectPeripheralOptionEnableAutoReconnect: true] : nil)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    history.append("connected")
    peripheral.delegate = self
    peripheral.discoverServices([transferService])
  }

  func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) {
    history.append("failed \((error as? CBError)?.errorCode ?? -1)")
  }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    history.append("disconnected \((error as? CBError)?.errorCode ?? 0)")
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    history.append("services \(peripheral.services?.count ?? 0)")
    for service in peripheral.services ?? [] {
      peripheral.discoverCharacteristics(
        [rxCharacteristic, txCharacteristic, secretCharacteristic], for: service)
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
  ) {
    for characteristic in service.characteristics ?? [] {
      switch characteristic.uuid {
      case rxCharacteristic: rx = characteristic
      case secretCharacteristic: secret = characteristic
      case txCharacteristic:
        tx = characteristic
        peripheral.setNotifyValue(true, for: characteristic)
      default: break
      }
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {
    history.append("notifying \(characteristic.isNotifying)")
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    if let error {
      history.append("value \((error as NSError).domain) \((error as NSError).code)")
    } else {
      history.append("value")
      received.append(characteristic.value ?? Data())
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    history.append("wrote\((error as? CBATTError).map { " \($0.errorCode)" } ?? "")")
  }

  func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
    history.append("modified \(invalidatedServices.count)")
  }

  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { history.append("ready") }

  func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
    history.append("rssi")
    rssi.append(RSSI.intValue)
  }
}

/// An accessory with the Nordic UART service and an encrypted characteristic.
final class PeripheralApp: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  private(set) var manager: CBPeripheralManager?
  let tx = CBMutableCharacteristic(
    type: txCharacteristic, properties: [.notify, .read], value: nil, permissions: .readable)
  let rx = CBMutableCharacteristic(
    type: rxCharacteristic, properties: [.write, .writeWithoutResponse], value: nil, permissions: .writeable)
  let secret = CBMutableCharacteristic(
    type: secretCharacteristic, properties: .read, value: nil, permissions: .readEncryptionRequired)
  let service = CBMutableService(type: transferService, primary: true)
  private(set) var history: [String] = []
  private(set) var received: [Data] = []
  var secretValue = Data([1, 2, 3])
  var answersWrites = true
  var onWrite: ((Data) -> Void)?

  override init() {
    super.init()
    service.characteristics = [rx, tx, secret]
    manager = CBPeripheralManager(delegate: self, queue: nil)
  }

  func send(_ data: Data) -> Bool {
    manager?.updateValue(data, for: tx, onSubscribedCentrals: nil) ?? false
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    history.append("state \(peripheral.state.rawValue)")
    guard peripheral.state == .poweredOn else { return }
    peripheral.removeAllServices()
    peripheral.add(service)
    peripheral.startAdvertising([
      CBAdvertisementDataLocalNameKey: "Speaker", CBAdvertisementDataServiceUUIDsKey: [transferService],
    ])
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
    history.append("added")
  }
  func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
    history.append("advertising\((error as? CBError).map { " \($0.errorCode)" } ?? "")")
  }
  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
  ) {
    history.append("subscribed")
  }
  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral,
    didUnsubscribeFrom characteristic: CBCharacteristic
  ) {
    history.append("unsubscribed")
  }
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
    guard request.offset <= secretValue.count else {
      return peripheral.respond(to: request, withResult: .invalidOffset)
    }
    request.value = secretValue.dropFirst(request.offset)
    peripheral.respond(to: request, withResult: .success)
  }
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    for request in requests {
      received.append(request.value ?? Data())
      onWrite?(request.value ?? Data())
    }
    if answersWrites { peripheral.respond(to: requests[0], withResult: .success) }
  }
  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
    history.append("ready")
  }
}

/// A phone and an accessory, 2 m apart.
struct Pairing {
  let world: World
  let ann: Phone
  let box: Phone
  let app: CentralApp
  let accessory: PeripheralApp

  init(seed: UInt64 = 1, restoring: String? = nil) {
    world = World(seed: seed)
    ann = world.addPhone("Ann")
    box = world.addPhone("Box", at: [0, 2, 1])
    accessory = box.launch { PeripheralApp() }
    app = ann.launch { CentralApp(restoring: restoring) }
  }

  /// Advances time until the app is subscribed to the accessory's messages.
  @discardableResult
  func connect() -> Bool { world.advance(until: { app.tx?.isNotifying == true }, within: .seconds(10)) }
}
