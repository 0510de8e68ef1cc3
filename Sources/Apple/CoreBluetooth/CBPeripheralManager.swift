import Dispatch
import Foundation
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import Synchronization

/// The desired latency of a connection to a central.
public enum CBPeripheralManagerConnectionLatency: Int, Sendable {
  /// Favours fast responses over battery life.
  case low = 0
  /// Balances response time and battery life.
  case medium = 1
  /// Favours battery life over fast responses.
  case high = 2
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// Whether the user allows the app to share data while it is in the background.
///
/// Source: Apple's documentation of `CBPeripheralManagerAuthorizationStatus`.
@available(*, deprecated, message: "Use CBManagerAuthorization")
public enum CBPeripheralManagerAuthorizationStatus: Int, Sendable {
  /// The user has not been asked yet.
  case notDetermined = 0
  /// Access is restricted, and the user cannot change that.
  case restricted = 1
  /// The user denied access.
  case denied = 2
  /// The user allowed access.
  case authorized = 3
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// Advertises, and publishes services to centrals.
///
/// Source: Apple's documentation of `CBPeripheralManager`.
open class CBPeripheralManager: CBManager, @unchecked Sendable {
  struct Contents: Sendable {
    var delegate = WeakBox<any CBPeripheralManagerDelegate>()
    var isAdvertising = false
    /// Services that were added or are being added.
    var services: [AttributeID: CBMutableService] = [:]
    var characteristics: [AttributeID: CBMutableCharacteristic] = [:]
    /// Centrals that subscribed or sent a request.
    var centrals: [BluetoothPeer: CBCentral] = [:]
  }

  // All mutable state is behind this lock.
  let contents = Mutex(Contents())

  /// Creates a manager without a delegate.
  public convenience init() { self.init(delegate: nil, queue: nil, options: nil) }

  /// Creates a manager that calls `delegate` on `queue`.
  public convenience init(delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?) {
    self.init(delegate: delegate, queue: queue, options: nil)
  }

  /// Creates a manager for the current device.
  ///
  /// - Parameters:
  ///   - delegate: Receives the manager's events; held weakly.
  ///   - queue: The queue on which the delegate is called; `nil` means the main queue.
  ///   - options: Values for `CBPeripheralManagerOption…Key`.
  public init(
    delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
  ) {
    let name = options?[CBPeripheralManagerOptionRestoreIdentifierKey] as? String
    super.init(_CBManagerCore(role: .peripheral(restoring: name), queue: queue))
    self.delegate = delegate
    relay.attach(self)
  }

  /// Receives the manager's events; held weakly.
  open weak var delegate: (any CBPeripheralManagerDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      contents.withLock { $0.delegate = new }
    }
  }

  /// Whether the user of the current device allows access. Reading it does not prompt the user.
  @available(*, deprecated, message: "Use CBManager's authorization")
  open class func authorizationStatus() -> CBPeripheralManagerAuthorizationStatus {
    CBPeripheralManagerAuthorizationStatus(rawValue: authorization.rawValue) ?? .notDetermined
  }

  // MARK: Advertising

  /// Whether the manager is advertising.
  open var isAdvertising: Bool { contents.withLock { $0.isAdvertising } }

  /// Starts advertising and reports the result with `peripheralManagerDidStartAdvertising`.
  ///
  /// - Parameter advertisementData: Three keys have an effect: `CBAdvertisementDataLocalNameKey`,
  ///   `CBAdvertisementDataServiceUUIDsKey`, and Apple's private beacon key from
  ///   `CLBeaconRegion.peripheralData(withMeasuredPower:)`.
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

  /// UUID (16 octets), major (2), minor (2) and measured power (1).
  private static let beaconOctets = 21

  private func refuseAdvertising(_ failure: BluetoothFailure) {
    access.later { [weak self] in self?.report(.advertising(failure)) }
  }

  /// Stops advertising.
  open func stopAdvertising() {
    contents.withLock { $0.isAdvertising = false }
    access.perform(.stopAdvertising)
  }

  // MARK: Services

  /// Publishes a service and reports the result with `didAdd`. Later changes of the object have no effect.
  ///
  /// A characteristic with a constant value is read-only. If it is also writable or allows notifications,
  /// `didAdd` reports `invalidParameters` (Apple's framework ends the process).
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

  /// Removes a service.
  open func remove(_ service: CBMutableService) {
    forget(service.id)
    access.perform(.remove(service.id))
  }

  /// Removes all services.
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

  /// Answers a request; call it once. For writes, answer the first request: the answer applies to all that
  /// arrived with it.
  open func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
    guard result == .success else {
      return access.perform(.respond(request.id, .failure(ATTError(code: UInt8(result.rawValue)))))
    }
    let value = request.isRead ? [UInt8](request.value ?? Data()) : []
    access.perform(.respond(request.id, .success(value)))
  }

  /// Sends an updated value to subscribed centrals.
  ///
  /// - Parameters:
  ///   - value: The value, truncated to each central's `maximumUpdateValueLength`.
  ///   - characteristic: A characteristic of this manager.
  ///   - centrals: The recipients; `nil` means every subscribed central.
  /// - Returns: False if the transmit queue is full; retry on
  ///   `peripheralManagerIsReady(toUpdateSubscribers:)`.
  open func updateValue(
    _ value: Data, for characteristic: CBMutableCharacteristic, onSubscribedCentrals centrals: [CBCentral]?
  ) -> Bool {
    access.device.bluetooth.update(
      characteristic.id, [UInt8](value), centrals: centrals?.map(\.peer), of: access.user)
  }

  /// Has no effect: the central chooses a link's connection interval.
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

  override func report(_ event: BluetoothEvent) { handle(event) }
}
