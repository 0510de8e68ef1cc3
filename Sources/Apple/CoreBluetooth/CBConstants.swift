// The texts are Apple's where apps are seen to use them; the others are the symbols' own names.

// MARK: Making a manager

/// A `Bool`: the system says so when Bluetooth is off. Nothing shows it here.
public let CBCentralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// A `String` by which an app that was ended gets back what its manager had.
public let CBCentralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"
/// As the central's.
public let CBPeripheralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// As the central's.
public let CBPeripheralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"

// MARK: Restored state

/// `[CBPeripheral]` that are connected or to be connected.
public let CBCentralManagerRestoredStatePeripheralsKey = "kCBRestoredPeripherals"
/// `[CBUUID]` that are searched for.
public let CBCentralManagerRestoredStateScanServicesKey = "kCBRestoredScanServices"
/// `[String: Any]` with which is searched.
public let CBCentralManagerRestoredStateScanOptionsKey = "kCBRestoredScanOptions"
/// `[CBMutableService]` that are served.
public let CBPeripheralManagerRestoredStateServicesKey = "kCBRestoredServices"
/// `[String: Any]` that is advertised.
public let CBPeripheralManagerRestoredStateAdvertisementDataKey = "kCBRestoredAdvertisement"

// MARK: Scanning

/// A `Bool`: tell every advertisement.
public let CBCentralManagerScanOptionAllowDuplicatesKey = "kCBScanOptionAllowDuplicates"
/// `[CBUUID]` that peripherals ask for; taken and not used.
public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey = "kCBScanOptionSolicitedServiceUUIDs"

// MARK: Connecting

/// A `Bool`: the system tells the user. Nothing shows it here, nor the next two.
public let CBConnectPeripheralOptionNotifyOnConnectionKey = "kCBConnectOptionNotifyOnConnection"
/// A `Bool`.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey = "kCBConnectOptionNotifyOnDisconnection"
/// A `Bool`.
public let CBConnectPeripheralOptionNotifyOnNotificationKey = "kCBConnectOptionNotifyOnNotification"
/// An `NSNumber` of seconds; taken and not used.
public let CBConnectPeripheralOptionStartDelayKey = "kCBConnectOptionStartDelay"
/// A `Bool`; taken and not used.
public let CBConnectPeripheralOptionEnableTransportBridgingKey = "kCBConnectOptionEnableTransportBridging"
/// A `Bool`; taken and not used.
public let CBConnectPeripheralOptionRequiresANCS = "kCBConnectOptionRequiresANCS"
/// A `Bool`: connect again when the link is lost.
public let CBConnectPeripheralOptionEnableAutoReconnect = "kCBConnectOptionEnableAutoReconnect"

// MARK: Advertisements

/// A `String`.
public let CBAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
/// An `NSNumber`, dBm at the antenna.
public let CBAdvertisementDataTxPowerLevelKey = "kCBAdvDataTxPowerLevel"
/// `[CBUUID]`.
public let CBAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"
/// `[CBUUID: Data]`.
public let CBAdvertisementDataServiceDataKey = "kCBAdvDataServiceData"
/// `Data`, the company's two octets first, least significant first.
public let CBAdvertisementDataManufacturerDataKey = "kCBAdvDataManufacturerData"
/// `[CBUUID]` of those searched for that an app in the background advertises.
public let CBAdvertisementDataOverflowServiceUUIDsKey = "kCBAdvDataHashedServiceUUIDs"
/// An `NSNumber` of a `Bool`.
public let CBAdvertisementDataIsConnectable = "kCBAdvDataIsConnectable"
/// `[CBUUID]`.
public let CBAdvertisementDataSolicitedServiceUUIDsKey = "kCBAdvDataSolicitedServiceUUIDs"

/// Without a symbol at Apple, and used by apps all the same.
enum AdvertisementKey {
  /// An `NSNumber`, seconds since 2001.
  static let timestamp = "kCBAdvDataTimestamp"
  /// `Data`: UUID, major, minor, power. What `CLBeaconRegion` gives for advertising.
  static let beacon = "kCBAdvDataAppleBeaconKey"
}
