import CoreBluetooth
import NearbyTesting
import Testing

enum Lamp {
  static let service = CBUUID(string: "8F1D0001-6C1A-4E0B-9D3A-5A1C7E2B9F40")
  static let power = CBUUID(string: "8F1D0002-6C1A-4E0B-9D3A-5A1C7E2B9F40")
}

final class LampRemote: NSObject, CBCentralManagerDelegate {
  private var central: CBCentralManager?
  private var lamp: CBPeripheral?
  private var power: CBCharacteristic?
  private(set) var isLit: Bool?

  func start() { central = CBCentralManager(delegate: self, queue: nil) }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn { central.scanForPeripherals(withServices: [Lamp.service]) }
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    lamp = peripheral
    peripheral.delegate = self
    central.stopScan()
    central.connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices([Lamp.service])
  }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    power = nil
    central.connect(peripheral)
  }
}

extension LampRemote: CBPeripheralDelegate {
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for service in peripheral.services ?? [] {
      peripheral.discoverCharacteristics([Lamp.power], for: service)
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
  ) {
    power = service.characteristics?.first
    if let power { peripheral.setNotifyValue(true, for: power) }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    isLit = characteristic.value?.first == 1
  }

  func setPower(_ isOn: Bool) {
    guard let lamp, let power else { return }
    lamp.writeValue(Data([isOn ? 1 : 0]), for: power, type: .withResponse)
  }

  var isReady: Bool { power?.isNotifying == true }
}

final class LampAccessory: NSObject, CBPeripheralManagerDelegate {
  private var manager: CBPeripheralManager?
  private let power = CBMutableCharacteristic(
    type: Lamp.power, properties: [.write, .notify], value: nil, permissions: .writeable)

  func start() { manager = CBPeripheralManager(delegate: self, queue: nil) }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    let service = CBMutableService(type: Lamp.service, primary: true)
    service.characteristics = [power]
    peripheral.add(service)
    peripheral.startAdvertising([
      CBAdvertisementDataLocalNameKey: "Lamp", CBAdvertisementDataServiceUUIDsKey: [Lamp.service],
    ])
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    guard let first = requests.first else { return }
    peripheral.respond(to: first, withResult: .success)
    if let value = first.value { _ = peripheral.updateValue(value, for: power, onSubscribedCentrals: nil) }
  }
}

@Suite("Talking to an accessory")
struct BluetoothArticle {
  @Test("A remote switches a lamp on")
  func lamp() {
    let world = World(seed: 4)
    let phone = world.addPhone("Ann")
    let lamp = world.addPhone("Lamp", at: [0, 2, 1])
    let remote = phone.launch { LampRemote() }
    let accessory = lamp.launch { LampAccessory() }
    lamp.launch { accessory.start() }
    phone.launch { remote.start() }
    #expect(world.advance(until: { remote.isReady }, within: .seconds(10)))
    remote.setPower(true)
    world.advance(by: .seconds(1))
    #expect(remote.isLit == true)
  }
}
