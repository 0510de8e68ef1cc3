import CoreBluetooth
import NearbyInteraction

enum MessageId: UInt8 {
  case accessoryConfigurationData = 0x1
  case initialize = 0xA
  case configureAndStart = 0xB
}

class AccessoryLink: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  private var central: CBCentralManager!
  private var peripheral: CBPeripheral?
  private var rx: CBCharacteristic?
  private let service = CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
  var accessoryDataHandler: ((Data, String) -> Void)?

  func start() { central = CBCentralManager(delegate: self, queue: nil, options: [CBCentralManagerOptionShowPowerAlertKey: true]) }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return }
    central.scanForPeripherals(withServices: [service], options: nil)
  }
  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    self.peripheral = peripheral
    let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? "?"
    print(name, RSSI.intValue)
    central.connect(peripheral, options: nil)
  }
  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.delegate = self
    peripheral.discoverServices([service])
  }
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
    peripheral.services?.forEach { peripheral.discoverCharacteristics(nil, for: $0) }
  }
  func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?) {
    guard let value = characteristic.value, let first = value.first, let id = MessageId(rawValue: first) else { return }
    switch id {
    case .accessoryConfigurationData: accessoryDataHandler?(value.advanced(by: 1), peripheral.name ?? "")
    case .initialize, .configureAndStart: break
    }
  }
  func send(_ id: MessageId, _ body: Data = Data()) {
    guard let rx, let peripheral else { return }
    let size = peripheral.maximumWriteValueLength(for: .withoutResponse)
    peripheral.writeValue((Data([id.rawValue]) + body).prefix(size), for: rx, type: .withResponse)
  }
}
