import AccessoryApp
import CoreBluetooth
import NearbyTesting

/// A phone whose app writes arbitrary octets to any attribute of an accessory.
///
/// Used on the one thread that advances the world's time.
final class HostilePhone: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
  private let service = AccessoryChannel.Service.nordicUART
  private var central: CBCentralManager?
  private(set) var accessory: CBPeripheral?
  private(set) var characteristics: [CBCharacteristic] = []
  /// Codes of the errors of writes and reads.
  private(set) var errors: [Int] = []
  private(set) var messages: [Data] = []

  override init() {
    super.init()
    central = CBCentralManager(delegate: self, queue: nil)
  }

  var isReady: Bool { characteristics.count >= 2 }

  func write(_ value: Data, to uuid: CBUUID? = nil, _ type: CBCharacteristicWriteType = .withResponse) {
    guard let it = characteristics.first(where: { $0.uuid == uuid ?? service.receive }) else { return }
    accessory?.writeValue(value, for: it, type: type)
  }

  func read(_ uuid: CBUUID) {
    guard let it = characteristics.first(where: { $0.uuid == uuid }) else { return }
    accessory?.readValue(for: it)
  }

  func leave() {
    if let accessory { central?.cancelPeripheralConnection(accessory) }
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn { central.scanForPeripherals(withServices: [service.service]) }
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard accessory == nil else { return }
    accessory = peripheral
    peripheral.delegate = self
    central.connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices(nil)
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor found: CBService, error: (any Error)?
  ) {
    characteristics += found.characteristics ?? []
    for it in found.characteristics ?? [] where it.uuid == service.transmit {
      peripheral.setNotifyValue(true, for: it)
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    if let error = error as? CBATTError { errors.append(error.errorCode) }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    if let error = error as? CBATTError { errors.append(error.errorCode) }
    if let value = characteristic.value, characteristic.uuid == service.transmit { messages.append(value) }
  }
}
