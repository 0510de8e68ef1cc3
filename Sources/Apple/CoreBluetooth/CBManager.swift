import Dispatch
import Foundation
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyHome
import Synchronization

/// Whether Bluetooth can be used.
public enum CBManagerState: Int, Sendable {
  /// Not said yet.
  case unknown = 0
  /// Gone for a moment.
  case resetting = 1
  /// There is none.
  case unsupported = 2
  /// The user does not allow it, or the app does not say what for.
  case unauthorized = 3
  /// Switched off.
  case poweredOff = 4
  /// It can be used.
  case poweredOn = 5

  init(_ state: BluetoothState) { self = CBManagerState(rawValue: state.rawValue) ?? .unknown }
}

/// The old name.
@available(*, deprecated, message: "Use CBManagerState")
public typealias CBCentralManagerState = CBManagerState
/// The old name.
@available(*, deprecated, message: "Use CBManagerState")
public typealias CBPeripheralManagerState = CBManagerState

/// Whether the user lets the app use Bluetooth.
public enum CBManagerAuthorization: Int, Sendable {
  /// Not asked yet.
  case notDetermined = 0
  /// Not this user's to say.
  case restricted = 1
  /// No.
  case denied = 2
  /// Yes.
  case allowedAlways = 3
}

/// What central and peripheral managers have in common.
///
/// A manager belongs to the device that is current when it is made: the process's own, or in a test the phone
/// whose code makes it. Its delegate is called on its queue, the main queue where it has none.
open class CBManager: NSObject, @unchecked Sendable {
  // All stored properties are immutable; what changes is behind locks.
  let access: BluetoothAccess
  let relay: ManagerRelay
  private let lastState = Mutex(CBManagerState.unknown)

  init(role: BluetoothRole, queue: DispatchQueue?) {
    let device = NearbyDevice.bound
    relay = ManagerRelay(device: device, queue: queue)
    access = BluetoothAccess(device: device, queue: queue, user: device.bluetooth.makeUser(relay, role: role))
    super.init()
  }

  deinit { access.device.bluetooth.release(access.user) }

  /// Whether Bluetooth can be used, as the delegate was last told; commands do something in `poweredOn` only.
  open var state: CBManagerState { lastState.withLock { $0 } }

  /// Whether the user lets the app of the current device use Bluetooth; asks nobody.
  open class var authorization: CBManagerAuthorization {
    CBManagerAuthorization(rawValue: NearbyDevice.bound.bluetooth.currentAuthorization.rawValue)
      ?? .notDetermined
  }

  /// Whether the user lets the app use Bluetooth.
  @available(*, deprecated, message: "Use the class's property")
  open var authorization: CBManagerAuthorization {
    CBManagerAuthorization(rawValue: access.device.bluetooth.currentAuthorization.rawValue) ?? .notDetermined
  }

  /// On the delegate's queue.
  func report(_ event: BluetoothEvent) {}

  func set(_ state: BluetoothState) { lastState.withLock { $0 = CBManagerState(state) } }
}

/// What a manager and its peripherals need of their device.
struct BluetoothAccess: Sendable {
  let device: NearbyDevice
  let queue: DispatchQueue?
  let user: BluetoothUser

  func perform(_ command: BluetoothCommand) { device.bluetooth.perform(command, of: user) }

  /// Calls `body` on the delegate's queue after the caller has returned.
  func later(_ body: @escaping @Sendable () -> Void) {
    device.app.later { [device, queue] in device.perform(on: queue, body) }
  }
}

/// Carries a manager's events to its queue without keeping it alive.
typealias ManagerRelay = Relay<CBManager, BluetoothEvent>

extension ManagerRelay: BluetoothSink {}

extension ManagerRelay {
  convenience init(device: NearbyDevice, queue: DispatchQueue?) {
    self.init(holdingEarlyEventsFor: { device.app.later($0) }) { relay, event in
      device.perform(on: queue) { relay.owner?.report(event) }
    }
  }
}

extension Dictionary where Key == String, Value == Any {
  /// A flag among options, as a `Bool` or an `NSNumber`.
  func flag(_ key: String) -> Bool {
    guard let value = self[key] else { return false }
    return value as? Bool ?? (value as? NSNumber)?.boolValue ?? false
  }
}
