import Foundation

/// Seconds since 1 January 2001.
public typealias CFAbsoluteTime = Double

/// Whether another app of the device connected or lost a peripheral.
public enum CBConnectionEvent: Int, Sendable {
  /// It is gone.
  case peerDisconnected = 0
  /// It is there.
  case peerConnected = 1
}

/// Which peripherals' connections are told.
public struct CBConnectionEventMatchingOption: RawRepresentable, Hashable, Sendable {
  /// The text.
  public let rawValue: String
  /// Makes one of a text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Those with one of these identifiers: `[UUID]`.
  public static let peripheralUUIDs = Self(rawValue: "CBConnectionEventMatchingOptionPeripheralUUIDs")
  /// Those with one of these services: `[CBUUID]`.
  public static let serviceUUIDs = Self(rawValue: "CBConnectionEventMatchingOptionServiceUUIDs")
}

/// What a central manager tells its app. All but the first method are optional.
public protocol CBCentralManagerDelegate: NSObjectProtocol {
  /// Bluetooth can be used, or no longer: below `poweredOn` all connections are lost without another word.
  func centralManagerDidUpdateState(_ central: CBCentralManager)
  /// Of a manager that has a restore identifier, before all else: what an earlier one of that name had.
  func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any])
  /// Somebody advertises.
  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber)
  /// A connection came about.
  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
  /// No connection will come about.
  func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)
  /// A connection is over; without an error where the app wanted so.
  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?)
  /// The same as of iOS 17, called in place of the other form where there is one.
  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
    timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?)
  /// After `registerForConnectionEvents`.
  func centralManager(
    _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
    for peripheral: CBPeripheral)
  /// Never called: there is no Apple Notification Center Service here.
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
  /// Calls the older form.
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
