import Dispatch
import Foundation
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import Synchronization

/// How soon a central is to be answered.
public enum CBPeripheralManagerConnectionLatency: Int, Sendable {
  /// At once.
  case low = 0
  /// Soon.
  case medium = 1
  /// To save power.
  case high = 2
}

/// Advertises, and serves attributes.
///
/// Source: `facts/corebluetooth.md`, sections 4 and 7.
open class CBPeripheralManager: CBManager, @unchecked Sendable {
  struct Contents: Sendable {
    var delegate = WeakBox<any CBPeripheralManagerDelegate>()
    var isAdvertising = false
    /// Services that were added, or are about to be.
    var services: [AttributeID: CBMutableService] = [:]
    var characteristics: [AttributeID: CBMutableCharacteristic] = [:]
    /// Those that subscribed or asked.
    var centrals: [BluetoothPeer: CBCentral] = [:]
  }

  // What changes is behind the lock.
  let contents = Mutex(Contents())

  /// Makes a manager without a delegate.
  public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

  /// Makes a manager.
  public convenience init(delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?) {
    self.init(delegate: delegate, queue: queue, options: nil)
  }

  /// Makes a manager of the device that is current.
  ///
  /// - Parameters:
  ///   - delegate: Not kept alive.
  ///   - queue: Where it is called; the main queue where `nil`.
  ///   - options: `CBPeripheralManagerOption…Key`.
  public init(
    delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
  ) {
    let name = options?[CBPeripheralManagerOptionRestoreIdentifierKey] as? String
    super.init(role: .peripheral(restoring: name), queue: queue)
    self.delegate = delegate
    relay.attach(self)
  }

  /// Hears what centrals ask. Not kept alive.
  open weak var delegate: (any CBPeripheralManagerDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      contents.withLock { $0.delegate = new }
    }
  }

  // MARK: Advertising

  /// Whether it advertises.
  open var isAdvertising: Bool { contents.withLock { $0.isAdvertising } }

  /// Begins to advertise: `peripheralManagerDidStartAdvertising`.
  ///
  /// - Parameter advertisementData: Of its keys three count: `CBAdvertisementDataLocalNameKey`,
  ///   `CBAdvertisementDataServiceUUIDsKey`, and Apple's own for a beacon, which
  ///   `CLBeaconRegion.peripheralData(withMeasuredPower:)` gives.
  open func startAdvertising(_ advertisementData: [String: Any]?) {
    var advertisement = Advertisement()
    advertisement.isConnectable = true
    advertisement.name = advertisementData?[CBAdvertisementDataLocalNameKey] as? String
    let services = advertisementData?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
    advertisement.services = services?.map(\.value) ?? []
    if let beacon = advertisementData?[AdvertisementKey.beacon] as? Data {
      guard beacon.count == Self.beaconOctets else { return refuseAdvertising(.invalidParameters) }
      advertisement.manufacturerData = [
        Advertisement.ManufacturerData(company: 0x004C, octets: [0x02, 0x15] + beacon)
      ]
    }
    access.perform(.advertise(BluetoothAdvertising(advertisement)))
  }

  /// UUID, major, minor, power.
  private static let beaconOctets = 21

  private func refuseAdvertising(_ failure: BluetoothFailure) {
    access.later { [weak self] in self?.report(.advertising(failure)) }
  }

  /// Ends advertising.
  open func stopAdvertising() {
    contents.withLock { $0.isAdvertising = false }
    access.perform(.stopAdvertising)
  }

  // MARK: Services

  /// Serves a service: `didAdd`. What it is now counts; later changes of it do nothing.
  ///
  /// A characteristic with a value can only be read; where others may write it or have it told, `didAdd` says
  /// `invalidParameters` (Apple's stops the process).
  open func add(_ service: CBMutableService) {
    let gatt = service.gatt
    let isFit = gatt.characteristics.allSatisfy { it in
      it.value == nil
        || it.properties.isDisjoint(with: [.write, .writeWithoutResponse, .notify, .indicate])
          && it.permissions.isDisjoint(with: [.writeable, .writeEncryptionRequired])
    }
    contents.withLock { contents in
      contents.services[service.id] = service
      for case let it as CBMutableCharacteristic in service.characteristics ?? [] {
        contents.characteristics[it.id] = it
      }
    }
    guard isFit else {
      return access.later { [weak self] in self?.report(.added(gatt.id, .invalidParameters)) }
    }
    access.perform(.add(gatt))
  }

  /// Serves a service no longer.
  open func remove(_ service: CBMutableService) {
    forget(service.id)
    access.perform(.remove(service.id))
  }

  /// Serves nothing any more.
  open func removeAllServices() {
    contents.withLock { contents in
      contents.services = [:]
      contents.characteristics = [:]
    }
    access.perform(.removeAll)
  }

  func forget(_ id: AttributeID) {
    contents.withLock { contents in
      let service = contents.services.removeValue(forKey: id)
      for characteristic in service?.characteristics ?? [] {
        contents.characteristics[characteristic.id] = nil
      }
    }
  }

  // MARK: Centrals

  /// Answers a request, once. Of writes the answer to the first is for all that came with it.
  open func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
    guard result == .success else {
      return access.perform(.respond(request.id, .failure(ATTError(code: UInt8(result.rawValue)))))
    }
    let value = request.isRead ? [UInt8](request.value ?? Data()) : []
    access.perform(.respond(request.id, .success(value)))
  }

  /// Tells centrals that subscribed.
  ///
  /// - Parameters:
  ///   - value: What is longer than a central's `maximumUpdateValueLength` is cut.
  ///   - characteristic: One of this manager's.
  ///   - centrals: All that subscribed where `nil`.
  /// - Returns: False where there is no room: try again on `peripheralManagerIsReady`.
  open func updateValue(
    _ value: Data, for characteristic: CBMutableCharacteristic, onSubscribedCentrals centrals: [CBCentral]?
  ) -> Bool {
    access.device.bluetooth.update(
      characteristic.id, [UInt8](value), centrals: centrals?.map(\.peer), of: access.user)
  }

  /// Does nothing: links keep the interval that centrals choose.
  open func setDesiredConnectionLatency(
    _ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral
  ) {}

  /// Fails with `operationNotSupported`.
  open func publishL2CAPChannel(withEncryption encryptionRequired: Bool) {
    access.later { [weak self] in
      guard let self else { return }
      delegate?.peripheralManager(
        self, didPublishL2CAPChannel: 0, error: CBError(.operationNotSupported))
    }
  }

  /// Fails with `operationNotSupported`.
  open func unpublishL2CAPChannel(_ PSM: CBL2CAPPSM) {
    access.later { [weak self] in
      guard let self else { return }
      delegate?.peripheralManager(
        self, didUnpublishL2CAPChannel: PSM, error: CBError(.operationNotSupported))
    }
  }

  override func report(_ event: BluetoothEvent) { take(event) }
}
