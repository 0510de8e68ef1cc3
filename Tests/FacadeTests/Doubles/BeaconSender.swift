import CoreBluetooth
import CoreLocation

/// An app that makes its phone a beacon.
final class BeaconSender: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  struct NotADictionary: Error {}
  private var manager: CBPeripheralManager?
  private let data: [String: Any]
  private(set) var hasStarted = false

  init(_ region: CLBeaconRegion) throws {
    guard let data = region.peripheralData(withMeasuredPower: nil) as? [String: Any] else {
      throw NotADictionary()
    }
    self.data = data
    super.init()
    manager = CBPeripheralManager(delegate: self, queue: nil)
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    if peripheral.state == .poweredOn { peripheral.startAdvertising(data) }
  }

  func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
    hasStarted = error == nil
  }
}
