import CoreBluetooth
import Foundation
import NearbyInteraction

/// How many apps exchange discovery tokens: one phone offers its token in a characteristic and receives the other's in a
/// second one.
enum TokenService {
  static let uuid = CBUUID(string: "7A1C0001-52C1-4D0E-9B7B-0B7B8A4D3C21")
  static let offer = CBUUID(string: "7A1C0002-52C1-4D0E-9B7B-0B7B8A4D3C21")
  static let answer = CBUUID(string: "7A1C0003-52C1-4D0E-9B7B-0B7B8A4D3C21")

  static func data(_ token: NIDiscoveryToken?) -> Data? {
    token.flatMap { try? NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true) }
  }

  static func configuration(_ data: Data?) -> NINearbyPeerConfiguration? {
    data.flatMap { try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: $0) }
      .map { NINearbyPeerConfiguration(peerToken: $0) }
  }
}

/// Measures the distance to one peer.
class TokenRanger: NSObject, NISessionDelegate {
  let ranging = NISession()
  var distance: Float?

  override init() {
    super.init()
    ranging.delegate = self
  }

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    distance = nearbyObjects.first?.distance ?? distance
  }
}

final class TokenOwner: TokenRanger, CBPeripheralManagerDelegate {
  private var manager: CBPeripheralManager?
  private let offer = CBMutableCharacteristic(
    type: TokenService.offer, properties: .read, value: nil, permissions: .readable)
  /// Whether each request names the characteristic object that the app added.
  var ownObjects: [Bool] = []

  override init() {
    super.init()
    manager = CBPeripheralManager(delegate: self, queue: nil)
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    let service = CBMutableService(type: TokenService.uuid, primary: true)
    let answer = CBMutableCharacteristic(
      type: TokenService.answer, properties: .write, value: nil, permissions: .writeable)
    service.characteristics = [offer, answer]
    peripheral.add(service)
    peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [TokenService.uuid]])
    // The app's own copy of the value, set after the service was added: requests still arrive.
    offer.value = TokenService.data(ranging.discoveryToken)
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
    ownObjects.append(request.characteristic === offer)
    guard let value = (request.characteristic as? CBMutableCharacteristic)?.value,
      request.offset <= value.count
    else { return peripheral.respond(to: request, withResult: .invalidOffset) }
    request.value = value.subdata(in: request.offset..<value.count)
    peripheral.respond(to: request, withResult: .success)
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    for request in requests {
      ownObjects.append(request.characteristic is CBMutableCharacteristic)
      if let configuration = TokenService.configuration(request.value) { ranging.run(configuration) }
      peripheral.respond(to: request, withResult: .success)
    }
  }
}

final class TokenReader: TokenRanger, CBCentralManagerDelegate, CBPeripheralDelegate {
  private var manager: CBCentralManager?
  private var found: CBPeripheral?
  private var answer: CBCharacteristic?
  var hasWritten = false

  override init() {
    super.init()
    manager = CBCentralManager(delegate: self, queue: nil)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn { central.scanForPeripherals(withServices: [TokenService.uuid]) }
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    found = peripheral
    central.stopScan()
    central.connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.delegate = self
    peripheral.discoverServices([TokenService.uuid])
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for service in peripheral.services ?? [] {
      peripheral.discoverCharacteristics([TokenService.offer, TokenService.answer], for: service)
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
  ) {
    for characteristic in service.characteristics ?? [] {
      if characteristic.uuid == TokenService.answer { answer = characteristic }
      if characteristic.uuid == TokenService.offer { peripheral.readValue(for: characteristic) }
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    guard let configuration = TokenService.configuration(characteristic.value), let answer,
      let own = TokenService.data(ranging.discoveryToken)
    else { return }
    ranging.run(configuration)
    peripheral.writeValue(own, for: answer, type: .withResponse)
  }

  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) { hasWritten = error == nil }
}
