import Dispatch
import Foundation
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyHome
import Synchronization

/// Whether Bluetooth is available.
public enum CBManagerState: Int, Sendable {
  /// The state has not been determined yet.
  case unknown = 0
  /// The connection to the Bluetooth service was lost for a moment.
  case resetting = 1
  /// This device has no Bluetooth.
  case unsupported = 2
  /// The user denied access, or the app's usage description is missing.
  case unauthorized = 3
  /// Bluetooth is switched off.
  case poweredOff = 4
  /// Bluetooth is available.
  case poweredOn = 5
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted

  init(_ state: BluetoothState) { self = CBManagerState(rawValue: state.rawValue) ?? .unknown }
}

/// The name before iOS 10.
@available(*, deprecated, message: "Use CBManagerState")
public typealias CBCentralManagerState = CBManagerState
/// The name before iOS 10.
@available(*, deprecated, message: "Use CBManagerState")
public typealias CBPeripheralManagerState = CBManagerState

/// Whether the user allows the app to use Bluetooth.
public enum CBManagerAuthorization: Int, Sendable {
  /// The user has not been asked yet.
  case notDetermined = 0
  /// Access is restricted, and the user cannot change that.
  case restricted = 1
  /// The user denied access.
  case denied = 2
  /// The user allowed access.
  case allowedAlways = 3
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// The common base class of `CBCentralManager` and `CBPeripheralManager`.
///
/// A manager belongs to the device that is current when it is created: the process's own device or, in a
/// test, the phone whose code creates it. It calls its delegate on its queue, or on the main queue if none
/// was given.
open class CBManager: NSObject, @unchecked Sendable {
  // All stored properties are immutable; all mutable state is behind locks.
  let access: BluetoothAccess
  let relay: ManagerRelay
  private let lastState = Mutex(CBManagerState.unknown)

  /// Only this module can create the argument. The initializer is public because Swift passes on the
  /// convenience initializers of `CBCentralManager` and `CBPeripheralManager` to an app's subclass only if the
  /// app can see every designated one.
  public init(_ _core: _CBManagerCore) {
    relay = _core.relay
    access = _core.access
    super.init()
  }

  deinit {
    access.device.bluetooth.release(access.user)
    if lastState.withLock({ $0 }) == .poweredOn { access.device.countPoweredManager(-1) }
  }

  /// The state last reported to the delegate. Commands have no effect unless it is `poweredOn`.
  open var state: CBManagerState { lastState.withLock { $0 } }

  /// Whether the user allows the current device's app to use Bluetooth. Reading it does not prompt the user.
  open class var authorization: CBManagerAuthorization {
    CBManagerAuthorization(rawValue: NearbyDevice.bound.bluetooth.currentAuthorization.rawValue)
      ?? .notDetermined
  }

  /// Whether the user allows the app to use Bluetooth.
  @available(*, deprecated, message: "Use the class's property")
  open var authorization: CBManagerAuthorization {
    CBManagerAuthorization(rawValue: access.device.bluetooth.currentAuthorization.rawValue) ?? .notDetermined
  }

  /// Handles an event on the delegate's queue; subclasses override it.
  func report(_ event: BluetoothEvent) {}

  func set(_ state: BluetoothState) {
    let new = CBManagerState(state)
    let old = lastState.withLock { state in
      defer { state = new }
      return state
    }
    guard (old == .poweredOn) != (new == .poweredOn) else { return }
    access.device.countPoweredManager(new == .poweredOn ? 1 : -1)
  }
}

/// What a manager is made of; not for apps.
public struct _CBManagerCore: Sendable {
  let access: BluetoothAccess
  let relay: ManagerRelay

  init(role: BluetoothRole, queue: DispatchQueue?) {
    var type = "CBPeripheralManager"
    if case .central = role { type = "CBCentralManager" }
    let device = NearbyDevice.bound(for: type)
    relay = ManagerRelay(device: device, queue: queue)
    access = BluetoothAccess(device: device, queue: queue, user: device.bluetooth.makeUser(relay, role: role))
  }
}

/// A manager's connection to its device, shared with its peripherals.
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

/// Delivers events to a manager's queue without keeping the manager alive.
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
  /// The Boolean option for `key`, given as a `Bool` or an `NSNumber`; false if missing.
  func flag(_ key: String) -> Bool {
    guard let value = self[key] else { return false }
    return value as? Bool ?? (value as? NSNumber)?.boolValue ?? false
  }
}
