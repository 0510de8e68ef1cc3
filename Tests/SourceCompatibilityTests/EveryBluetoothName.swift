// swift-format-ignore-file
// Uses every public name of our CoreBluetooth once, with exactly Apple's type.
import CoreBluetooth

enum EveryBluetoothName {
  static func central(_ it: CBCentralManager) {
    let _: () -> CBCentralManager = CBCentralManager.init
    let _: (CBCentralManagerDelegate?, DispatchQueue?) -> CBCentralManager = CBCentralManager.init(delegate:queue:)
    let _: (CBCentralManagerDelegate?, DispatchQueue?, [String: Any]?) -> CBCentralManager =
      CBCentralManager.init(delegate:queue:options:)
    let _: KeyPath<CBManager, CBManagerState> = \.state
    let _: CBManagerAuthorization = CBManager.authorization
    let _: CBManager = it
    let _: ReferenceWritableKeyPath<CBCentralManager, CBCentralManagerDelegate?> = \.delegate
    let _: KeyPath<CBCentralManager, Bool> = \.isScanning
    let _: ([CBUUID]?, [String: Any]?) -> Void = it.scanForPeripherals(withServices:options:)
    let _: () -> Void = it.stopScan
    let _: (CBPeripheral, [String: Any]?) -> Void = it.connect(_:options:)
    let _: (CBPeripheral) -> Void = it.cancelPeripheralConnection(_:)
    let _: ([UUID]) -> [CBPeripheral] = it.retrievePeripherals(withIdentifiers:)
    let _: ([CBUUID]) -> [CBPeripheral] = it.retrieveConnectedPeripherals(withServices:)
    let _: ([CBConnectionEventMatchingOption: Any]?) -> Void = it.registerForConnectionEvents(options:)
    let _: (CBCentralManager.Feature) -> Bool = CBCentralManager.supports(_:)
    let _: CBCentralManager.Feature = [.extendedScanAndConnect, .channelSounding]
  }

  static func sounding(
    _ it: CBPeripheral, _ delegate: CBPeripheralDelegate, _ results: CBChannelSoundingProcedureResults
  ) {
    let _: (CBChannelSoundingSessionConfiguration.Role) -> CBChannelSoundingSessionConfiguration =
      CBChannelSoundingSessionConfiguration.init(role:)
    let _: KeyPath<CBChannelSoundingSessionConfiguration, CBChannelSoundingSessionConfiguration.Role> = \.role
    let _: CBChannelSoundingSessionConfiguration.Role = .initiator
    let _: KeyPath<CBChannelSoundingProcedureResults, Double> = \.distance
    let _: NSObject = results
    let _: (CBChannelSoundingSessionConfiguration) -> Void = it.startChannelSoundingSession(_:)
    let _: () -> Void = it.cancelChannelSoundingSession
    let _: (CBPeripheral, CBChannelSoundingProcedureResults?, Error?) -> Void =
      delegate.peripheral(_:didReceive:error:)
    let _: (CBPeripheral, Error?) -> Void = delegate.peripheral(_:didCompleteChannelSoundingSession:)
    let _: [CBError.Code] = [.channelSoundingConfigurationFailed, .channelSoundingProcedureFailed]
    let _: String = CBUUIDCharacteristicObservationScheduleString
  }

  static func centralDelegate(_ delegate: CBCentralManagerDelegate) {
    let _: (CBCentralManager) -> Void = delegate.centralManagerDidUpdateState(_:)
    let _: (CBCentralManager, [String: Any]) -> Void = delegate.centralManager(_:willRestoreState:)
    let _: (CBCentralManager, CBPeripheral, [String: Any], NSNumber) -> Void =
      delegate.centralManager(_:didDiscover:advertisementData:rssi:)
    let _: (CBCentralManager, CBPeripheral) -> Void = delegate.centralManager(_:didConnect:)
    let _: (CBCentralManager, CBPeripheral, Error?) -> Void = delegate.centralManager(_:didFailToConnect:error:)
    let _: (CBCentralManager, CBPeripheral, Error?) -> Void =
      delegate.centralManager(_:didDisconnectPeripheral:error:)
    let _: (CBCentralManager, CBPeripheral, CFAbsoluteTime, Bool, Error?) -> Void =
      delegate.centralManager(_:didDisconnectPeripheral:timestamp:isReconnecting:error:)
    let _: (CBCentralManager, CBConnectionEvent, CBPeripheral) -> Void =
      delegate.centralManager(_:connectionEventDidOccur:for:)
    let _: (CBCentralManager, CBPeripheral) -> Void = delegate.centralManager(_:didUpdateANCSAuthorizationFor:)
  }

  static func peripheral(_ it: CBPeripheral, _ peer: CBPeer) {
    let _: KeyPath<CBPeer, UUID> = \.identifier
    let _: NSObject & NSCopying = peer
    let _: CBPeer = it
    let _: ReferenceWritableKeyPath<CBPeripheral, CBPeripheralDelegate?> = \.delegate
    let _: KeyPath<CBPeripheral, String?> = \.name
    let _: KeyPath<CBPeripheral, CBPeripheralState> = \.state
    let _: KeyPath<CBPeripheral, [CBService]?> = \.services
    let _: KeyPath<CBPeripheral, Bool> = \.canSendWriteWithoutResponse
    let _: KeyPath<CBPeripheral, Bool> = \.ancsAuthorized
    let _: () -> Void = it.readRSSI
    let _: ([CBUUID]?) -> Void = it.discoverServices(_:)
    let _: ([CBUUID]?, CBService) -> Void = it.discoverIncludedServices(_:for:)
    let _: ([CBUUID]?, CBService) -> Void = it.discoverCharacteristics(_:for:)
    let _: (CBCharacteristic) -> Void = it.discoverDescriptors(for:)
    let _: (CBCharacteristic) -> Void = it.readValue(for:)
    let _: (CBDescriptor) -> Void = it.readValue(for:)
    let _: (Data, CBCharacteristic, CBCharacteristicWriteType) -> Void = it.writeValue(_:for:type:)
    let _: (Data, CBDescriptor) -> Void = it.writeValue(_:for:)
    let _: (Bool, CBCharacteristic) -> Void = it.setNotifyValue(_:for:)
    let _: (CBCharacteristicWriteType) -> Int = it.maximumWriteValueLength(for:)
    let _: (CBL2CAPPSM) -> Void = it.openL2CAPChannel(_:)
  }

  static func peripheralDelegate(_ delegate: CBPeripheralDelegate) {
    let _: (CBPeripheral) -> Void = delegate.peripheralDidUpdateName(_:)
    let _: (CBPeripheral, [CBService]) -> Void = delegate.peripheral(_:didModifyServices:)
    let _: (CBPeripheral, NSNumber, Error?) -> Void = delegate.peripheral(_:didReadRSSI:error:)
    let _: (CBPeripheral, Error?) -> Void = delegate.peripheral(_:didDiscoverServices:)
    let _: (CBPeripheral, CBService, Error?) -> Void = delegate.peripheral(_:didDiscoverIncludedServicesFor:error:)
    let _: (CBPeripheral, CBService, Error?) -> Void = delegate.peripheral(_:didDiscoverCharacteristicsFor:error:)
    let _: (CBPeripheral, CBCharacteristic, Error?) -> Void = delegate.peripheral(_:didDiscoverDescriptorsFor:error:)
    let _: (CBPeripheral, CBCharacteristic, Error?) -> Void = delegate.peripheral(_:didUpdateValueFor:error:)
    let _: (CBPeripheral, CBDescriptor, Error?) -> Void = delegate.peripheral(_:didUpdateValueFor:error:)
    let _: (CBPeripheral, CBCharacteristic, Error?) -> Void = delegate.peripheral(_:didWriteValueFor:error:)
    let _: (CBPeripheral, CBDescriptor, Error?) -> Void = delegate.peripheral(_:didWriteValueFor:error:)
    let _: (CBPeripheral, CBCharacteristic, Error?) -> Void =
      delegate.peripheral(_:didUpdateNotificationStateFor:error:)
    let _: (CBPeripheral) -> Void = delegate.peripheralIsReady(toSendWriteWithoutResponse:)
    let _: (CBPeripheral, CBL2CAPChannel?, Error?) -> Void = delegate.peripheral(_:didOpen:error:)
  }

  static func attributes(_ service: CBService, _ characteristic: CBCharacteristic, _ descriptor: CBDescriptor) {
    let _: KeyPath<CBAttribute, CBUUID> = \.uuid
    let _: [CBAttribute] = [service, characteristic, descriptor]
    let _: KeyPath<CBService, CBPeripheral?> = \.peripheral
    let _: KeyPath<CBService, Bool> = \.isPrimary
    let _: KeyPath<CBService, [CBService]?> = \.includedServices
    let _: KeyPath<CBService, [CBCharacteristic]?> = \.characteristics
    let _: KeyPath<CBCharacteristic, CBService?> = \.service
    let _: KeyPath<CBCharacteristic, CBCharacteristicProperties> = \.properties
    let _: KeyPath<CBCharacteristic, Data?> = \.value
    let _: KeyPath<CBCharacteristic, [CBDescriptor]?> = \.descriptors
    let _: KeyPath<CBCharacteristic, Bool> = \.isNotifying
    let _: KeyPath<CBDescriptor, CBCharacteristic?> = \.characteristic
    let _: Any? = descriptor.value
  }

  /// The API from before iOS 13, which apps still use.
  @available(*, deprecated)
  static func old() {
    let _: () -> CBPeripheralManagerAuthorizationStatus = CBPeripheralManager.authorizationStatus
    let _: [CBPeripheralManagerAuthorizationStatus] = [.notDetermined, .restricted, .denied, .authorized]
  }

  static func uuids(_ uuid: CBUUID) {
    let _: () -> CBUUID = CBUUID.init
    let _: (String) -> CBUUID = CBUUID.init(string:)
    let _: (Data) -> CBUUID = CBUUID.init(data:)
    let _: (UUID) -> CBUUID = CBUUID.init(nsuuid:)
    let _: KeyPath<CBUUID, Data> = \.data
    let _: KeyPath<CBUUID, String> = \.uuidString
    let _: NSObject & NSCopying = uuid
    let _: [CBUUID: Data] = [uuid: uuid.data]
  }

  static func manager(_ it: CBPeripheralManager) {
    let _: () -> CBPeripheralManager = CBPeripheralManager.init
    let _: (CBPeripheralManagerDelegate?, DispatchQueue?) -> CBPeripheralManager =
      CBPeripheralManager.init(delegate:queue:)
    let _: (CBPeripheralManagerDelegate?, DispatchQueue?, [String: Any]?) -> CBPeripheralManager =
      CBPeripheralManager.init(delegate:queue:options:)
    let _: CBManager = it
    let _: ReferenceWritableKeyPath<CBPeripheralManager, CBPeripheralManagerDelegate?> = \.delegate
    let _: KeyPath<CBPeripheralManager, Bool> = \.isAdvertising
    let _: ([String: Any]?) -> Void = it.startAdvertising(_:)
    let _: () -> Void = it.stopAdvertising
    let _: (CBMutableService) -> Void = it.add(_:)
    let _: (CBMutableService) -> Void = it.remove(_:)
    let _: () -> Void = it.removeAllServices
    let _: (CBATTRequest, CBATTError.Code) -> Void = it.respond(to:withResult:)
    let _: (Data, CBMutableCharacteristic, [CBCentral]?) -> Bool = it.updateValue(_:for:onSubscribedCentrals:)
    let _: (CBPeripheralManagerConnectionLatency, CBCentral) -> Void = it.setDesiredConnectionLatency(_:for:)
  }

  static func managerDelegate(_ delegate: CBPeripheralManagerDelegate) {
    let _: (CBPeripheralManager) -> Void = delegate.peripheralManagerDidUpdateState(_:)
    let _: (CBPeripheralManager, [String: Any]) -> Void = delegate.peripheralManager(_:willRestoreState:)
    let _: (CBPeripheralManager, Error?) -> Void = delegate.peripheralManagerDidStartAdvertising(_:error:)
    let _: (CBPeripheralManager, CBService, Error?) -> Void = delegate.peripheralManager(_:didAdd:error:)
    let _: (CBPeripheralManager, CBCentral, CBCharacteristic) -> Void =
      delegate.peripheralManager(_:central:didSubscribeTo:)
    let _: (CBPeripheralManager, CBCentral, CBCharacteristic) -> Void =
      delegate.peripheralManager(_:central:didUnsubscribeFrom:)
    let _: (CBPeripheralManager, CBATTRequest) -> Void = delegate.peripheralManager(_:didReceiveRead:)
    let _: (CBPeripheralManager, [CBATTRequest]) -> Void = delegate.peripheralManager(_:didReceiveWrite:)
    let _: (CBPeripheralManager) -> Void = delegate.peripheralManagerIsReady(toUpdateSubscribers:)
  }

  static func mutable(_ service: CBMutableService, _ characteristic: CBMutableCharacteristic) {
    let _: (CBUUID, Bool) -> CBMutableService = CBMutableService.init(type:primary:)
    service.characteristics = [characteristic] as [CBCharacteristic]?
    service.includedServices = nil as [CBService]?
    let _: (CBUUID, CBCharacteristicProperties, Data?, CBAttributePermissions) -> CBMutableCharacteristic =
      CBMutableCharacteristic.init(type:properties:value:permissions:)
    characteristic.permissions = [.readable, .writeable, .readEncryptionRequired, .writeEncryptionRequired]
    characteristic.properties = [
      .broadcast, .read, .writeWithoutResponse, .write, .notify, .indicate, .authenticatedSignedWrites,
      .extendedProperties, .notifyEncryptionRequired, .indicateEncryptionRequired,
    ]
    characteristic.value = nil as Data?
    characteristic.descriptors = nil as [CBDescriptor]?
    let _: KeyPath<CBMutableCharacteristic, [CBCentral]?> = \.subscribedCentrals
    let _: (CBUUID, Any?) -> CBMutableDescriptor = CBMutableDescriptor.init(type:value:)
    let _: CBDescriptor = CBMutableDescriptor(type: service.uuid, value: nil)
  }

  static func request(_ request: CBATTRequest) {
    let _: KeyPath<CBATTRequest, CBCentral> = \.central
    let _: KeyPath<CBATTRequest, CBCharacteristic> = \.characteristic
    let _: KeyPath<CBATTRequest, Int> = \.offset
    let _: ReferenceWritableKeyPath<CBATTRequest, Data?> = \.value
    let _: KeyPath<CBCentral, Int> = \.maximumUpdateValueLength
    let _: CBPeer = request.central
  }

  static let states: [CBManagerState] = [.unknown, .resetting, .unsupported, .unauthorized, .poweredOff, .poweredOn]
  static let answers: [CBManagerAuthorization] = [.notDetermined, .restricted, .denied, .allowedAlways]
  static let events: [CBConnectionEvent] = [.peerDisconnected, .peerConnected]
  static let links: [CBPeripheralState] = [.disconnected, .connecting, .connected, .disconnecting]
  static let writes: [CBCharacteristicWriteType] = [.withResponse, .withoutResponse]
  static let latencies: [CBPeripheralManagerConnectionLatency] = [.low, .medium, .high]

  static let keys: [String] = [
    CBCentralManagerOptionShowPowerAlertKey, CBCentralManagerOptionRestoreIdentifierKey,
    CBPeripheralManagerOptionShowPowerAlertKey, CBPeripheralManagerOptionRestoreIdentifierKey,
    CBCentralManagerRestoredStatePeripheralsKey, CBCentralManagerRestoredStateScanServicesKey,
    CBCentralManagerRestoredStateScanOptionsKey, CBPeripheralManagerRestoredStateServicesKey,
    CBPeripheralManagerRestoredStateAdvertisementDataKey, CBCentralManagerScanOptionAllowDuplicatesKey,
    CBCentralManagerScanOptionSolicitedServiceUUIDsKey, CBConnectPeripheralOptionNotifyOnConnectionKey,
    CBConnectPeripheralOptionNotifyOnDisconnectionKey, CBConnectPeripheralOptionNotifyOnNotificationKey,
    CBConnectPeripheralOptionStartDelayKey, CBConnectPeripheralOptionEnableTransportBridgingKey,
    CBConnectPeripheralOptionRequiresANCS, CBConnectPeripheralOptionEnableAutoReconnect,
    CBAdvertisementDataLocalNameKey, CBAdvertisementDataTxPowerLevelKey, CBAdvertisementDataServiceUUIDsKey,
    CBAdvertisementDataServiceDataKey, CBAdvertisementDataManufacturerDataKey,
    CBAdvertisementDataOverflowServiceUUIDsKey, CBAdvertisementDataIsConnectable,
    CBAdvertisementDataSolicitedServiceUUIDsKey,
  ]

  static func errors(_ error: CBError, _ attributeError: CBATTError) {
    let _: KeyPath<CBError, CBError.Code> = \.code
    let _: KeyPath<CBATTError, CBATTError.Code> = \.code
  }
  static let codes: [CBError.Code] = [
    .unknown, .invalidParameters, .invalidHandle, .notConnected, .outOfSpace, .operationCancelled, .connectionTimeout,
    .peripheralDisconnected, .uuidNotAllowed, .alreadyAdvertising, .connectionFailed, .connectionLimitReached,
    .unknownDevice, .unkownDevice, .operationNotSupported, .peerRemovedPairingInformation, .encryptionTimedOut,
    .tooManyLEPairedDevices, .leGattExceededBackgroundNotificationLimit, .leGattNearBackgroundNotificationLimit,
  ]
  static let attributeCodes: [CBATTError.Code] = [
    .success, .invalidHandle, .readNotPermitted, .writeNotPermitted, .invalidPdu, .insufficientAuthentication,
    .requestNotSupported, .invalidOffset, .insufficientAuthorization, .prepareQueueFull, .attributeNotFound,
    .attributeNotLong, .insufficientEncryptionKeySize, .invalidAttributeValueLength, .unlikelyError,
    .insufficientEncryption, .unsupportedGroupType, .insufficientResources,
  ]
  static let domains: [String] = [CBErrorDomain, CBATTErrorDomain]
}
