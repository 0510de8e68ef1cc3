// The strings match Apple's where apps are known to rely on them; the others repeat the symbol's name.

// MARK: Creating a manager

/// A `Bool`: whether the system alerts the user when Bluetooth is off. Has no effect here.
public let CBCentralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// A `String` that identifies the manager, so that its state can be restored when the app is relaunched.
public let CBCentralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"
/// See `CBCentralManagerOptionShowPowerAlertKey`.
public let CBPeripheralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// See `CBCentralManagerOptionRestoreIdentifierKey`.
public let CBPeripheralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"

// MARK: Restored state

/// `[CBPeripheral]`: peripherals that were connected or had a pending connection.
public let CBCentralManagerRestoredStatePeripheralsKey = "kCBRestoredPeripherals"
/// `[CBUUID]`: services the manager was scanning for.
public let CBCentralManagerRestoredStateScanServicesKey = "kCBRestoredScanServices"
/// `[String: Any]`: options of the scan.
public let CBCentralManagerRestoredStateScanOptionsKey = "kCBRestoredScanOptions"
/// `[CBMutableService]`: services that were published.
public let CBPeripheralManagerRestoredStateServicesKey = "kCBRestoredServices"
/// `[String: Any]`: data that was being advertised.
public let CBPeripheralManagerRestoredStateAdvertisementDataKey = "kCBRestoredAdvertisement"

// MARK: Scanning

/// A `Bool`: report every advertisement instead of merging repeated ones.
public let CBCentralManagerScanOptionAllowDuplicatesKey = "kCBScanOptionAllowDuplicates"
/// `[CBUUID]`: services that peripherals solicit. Accepted but ignored.
public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey = "kCBScanOptionSolicitedServiceUUIDs"

// MARK: Connecting

/// A `Bool`: whether the system alerts the user on connection. Has no effect here.
public let CBConnectPeripheralOptionNotifyOnConnectionKey = "kCBConnectOptionNotifyOnConnection"
/// A `Bool`: whether the system alerts the user on disconnection. Has no effect here.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey = "kCBConnectOptionNotifyOnDisconnection"
/// A `Bool`: whether the system alerts the user on notifications. Has no effect here.
public let CBConnectPeripheralOptionNotifyOnNotificationKey = "kCBConnectOptionNotifyOnNotification"
/// An `NSNumber` of seconds. Accepted but ignored.
public let CBConnectPeripheralOptionStartDelayKey = "kCBConnectOptionStartDelay"
/// A `Bool`. Accepted but ignored.
public let CBConnectPeripheralOptionEnableTransportBridgingKey = "kCBConnectOptionEnableTransportBridging"
/// A `Bool`. Accepted but ignored.
public let CBConnectPeripheralOptionRequiresANCS = "kCBConnectOptionRequiresANCS"
/// A `Bool`: reconnect automatically when the link is lost.
public let CBConnectPeripheralOptionEnableAutoReconnect = "kCBConnectOptionEnableAutoReconnect"

// MARK: Advertisements

/// A `String`: the advertised name.
public let CBAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
/// An `NSNumber`: transmit power in dBm, measured at the antenna.
public let CBAdvertisementDataTxPowerLevelKey = "kCBAdvDataTxPowerLevel"
/// `[CBUUID]`: the advertised services.
public let CBAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"
/// `[CBUUID: Data]`: data by service.
public let CBAdvertisementDataServiceDataKey = "kCBAdvDataServiceData"
/// `Data`: the company identifier (two octets, little-endian), followed by the manufacturer's data.
public let CBAdvertisementDataManufacturerDataKey = "kCBAdvDataManufacturerData"
/// `[CBUUID]`: services from the overflow area that an app in the background advertises and this scan looks
/// for.
public let CBAdvertisementDataOverflowServiceUUIDsKey = "kCBAdvDataHashedServiceUUIDs"
/// An `NSNumber` holding a `Bool`: whether the advertisement is connectable.
public let CBAdvertisementDataIsConnectable = "kCBAdvDataIsConnectable"
/// `[CBUUID]`: the services the peripheral solicits.
public let CBAdvertisementDataSolicitedServiceUUIDsKey = "kCBAdvDataSolicitedServiceUUIDs"

/// Keys for which Apple has no public symbol but which apps use anyway.
enum AdvertisementKey {
  /// An `NSNumber`: seconds since 1 January 2001, or the time of the simulated world.
  static let timestamp = "kCBAdvDataTimestamp"
  /// `Data` (21 octets) from `CLBeaconRegion`: UUID, major, minor, measured power.
  static let beacon = "kCBAdvDataAppleBeaconKey"
}
