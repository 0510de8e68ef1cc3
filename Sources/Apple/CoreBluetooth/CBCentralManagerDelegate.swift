import Foundation

/// Seconds since 1 January 2001.
public typealias CFAbsoluteTime = Double

/// Whether a peripheral connected or disconnected.
public enum CBConnectionEvent: Int, Sendable {
  /// The peripheral disconnected.
  case peerDisconnected = 0
  /// The peripheral connected.
  case peerConnected = 1
  /// Never a value. It lets apps write `default` beside all cases, as for Apple's open enumeration.
  @available(*, unavailable, message: "No value has this case.")
  case _unlisted
}

/// Keys of the filter for connection events.
public struct CBConnectionEventMatchingOption: RawRepresentable, Hashable, Sendable {
  /// The key's text.
  public let rawValue: String
  /// Creates a key from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Report peripherals with one of these identifiers; the value is `[UUID]`.
  public static let peripheralUUIDs = Self(rawValue: "CBConnectionEventMatchingOptionPeripheralUUIDs")
  /// Report peripherals with one of these services; the value is `[CBUUID]`.
  public static let serviceUUIDs = Self(rawValue: "CBConnectionEventMatchingOptionServiceUUIDs")
}

/// Receives a central manager's events. All methods except the first are optional.
public protocol CBCentralManagerDelegate: NSObjectProtocol {
  /// The manager's state changed. In any state but `poweredOn` all connections are lost, and no
  /// `didDisconnectPeripheral` call follows.
  func centralManagerDidUpdateState(_ central: CBCentralManager)
  /// Called first on a manager with a restore identifier: `dict` holds the state of the earlier manager with
  /// that identifier.
  func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])
  /// An advertisement was received.
  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber)
  /// A connection was established.
  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
  /// A connection attempt failed for good.
  func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)
  /// A connection ended; `error` is `nil` if the app ended it.
  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?)
  /// A connection ended. Called instead of the previous method if the delegate implements it (iOS 17 and
  /// later).
  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?)
  /// A peripheral matching the filter of `registerForConnectionEvents(options:)` connected or disconnected.
  func centralManager(
    _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
    for peripheral: CBPeripheral)
  /// Never called: the Apple Notification Center Service is not supported here.
  func centralManager(
    _ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral)
}

extension CBCentralManagerDelegate {
  /// Does nothing.
  public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {}
  /// Does nothing.
  public func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {}
  /// Does nothing.
  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}
  /// Does nothing.
  public func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) {}
  /// Does nothing.
  public func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {}
  /// Calls the method without a timestamp.
  public func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
  ) {
    centralManager(central, didDisconnectPeripheral: peripheral, error: error)
  }
  /// Does nothing.
  public func centralManager(
    _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
    for peripheral: CBPeripheral
  ) {}
  /// Does nothing.
  public func centralManager(
    _ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral
  ) {}
}
