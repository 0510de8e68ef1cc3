import CoreBluetooth
import NearbyTesting
import Testing

/// Uses every symbol of Apple's CoreBluetooth once, so that a change of a declaration is a compile error
/// here.
@Suite("CoreBluetooth's symbols")
struct CoreBluetoothSymbols {
  @Test("Raw values are Apple's")
  func rawValues() {
    let states: [CBManagerState] = [
      .unknown, .resetting, .unsupported, .unauthorized, .poweredOff, .poweredOn,
    ]
    #expect(states.map(\.rawValue) == Array(0...5))
    let answers: [CBManagerAuthorization] = [.notDetermined, .restricted, .denied, .allowedAlways]
    #expect(answers.map(\.rawValue) == Array(0...3))
    let connections: [CBPeripheralState] = [.disconnected, .connecting, .connected, .disconnecting]
    #expect(connections.map(\.rawValue) == Array(0...3))
    #expect(CBCharacteristicWriteType.withResponse.rawValue == 0)
    #expect(CBCharacteristicWriteType.withoutResponse.rawValue == 1)
    #expect(CBConnectionEvent.peerDisconnected.rawValue == 0)
    #expect(CBConnectionEvent.peerConnected.rawValue == 1)
    let latencies: [CBPeripheralManagerConnectionLatency] = [.low, .medium, .high]
    #expect(latencies.map(\.rawValue) == Array(0...2))
    let properties: [CBCharacteristicProperties] = [
      .broadcast, .read, .writeWithoutResponse, .write, .notify, .indicate, .authenticatedSignedWrites,
      .extendedProperties, .notifyEncryptionRequired, .indicateEncryptionRequired,
    ]
    #expect(properties.map(\.rawValue) == (0..<10).map { 1 << $0 })
    let permissions: [CBAttributePermissions] = [
      .readable, .writeable, .readEncryptionRequired, .writeEncryptionRequired,
    ]
    #expect(permissions.map(\.rawValue) == [1, 2, 4, 8])
    #expect(CBCentralManager.Feature.extendedScanAndConnect.rawValue == 1)
    #expect(!CBCentralManager.supports(.extendedScanAndConnect))
  }

  @Test("Errors have Apple's numbers and domains, as Swift errors and as NSError")
  func errors() {
    let codes: [CBError.Code] = [
      .unknown, .invalidParameters, .invalidHandle, .notConnected, .outOfSpace, .operationCancelled,
      .connectionTimeout, .peripheralDisconnected, .uuidNotAllowed, .alreadyAdvertising, .connectionFailed,
      .connectionLimitReached, .unknownDevice, .operationNotSupported, .peerRemovedPairingInformation,
      .encryptionTimedOut, .tooManyLEPairedDevices, .leGattExceededBackgroundNotificationLimit,
      .leGattNearBackgroundNotificationLimit, .channelSoundingConfigurationFailed,
      .channelSoundingProcedureFailed,
    ]
    #expect(codes.map(\.rawValue) == Array(0...20))
    #expect(CBError.Code.unkownDevice == .unknownDevice)
    let attributeCodes: [CBATTError.Code] = [
      .success, .invalidHandle, .readNotPermitted, .writeNotPermitted, .invalidPdu,
      .insufficientAuthentication, .requestNotSupported, .invalidOffset, .insufficientAuthorization,
      .prepareQueueFull, .attributeNotFound, .attributeNotLong, .insufficientEncryptionKeySize,
      .invalidAttributeValueLength, .unlikelyError, .insufficientEncryption, .unsupportedGroupType,
      .insufficientResources,
    ]
    #expect(attributeCodes.map(\.rawValue) == Array(0...17))
    let error: any Error = CBError(.connectionTimeout)
    #expect((error as NSError).domain == CBErrorDomain)
    #expect((error as NSError).code == 6)
    let attributeError: any Error = CBATTError(.insufficientEncryption)
    #expect((attributeError as NSError).domain == CBATTErrorDomain)
    #expect((attributeError as NSError).code == 15)
    switch error {
    case CBError.connectionTimeout: break
    default: Issue.record("the code did not match its error")
    }
    #expect(CBErrorDomain == "CBErrorDomain")
    #expect(CBATTErrorDomain == "CBATTErrorDomain")
  }

  @Test("Keys have Apple's string values")
  func keys() {
    #expect(CBAdvertisementDataLocalNameKey == "kCBAdvDataLocalName")
    #expect(CBAdvertisementDataServiceUUIDsKey == "kCBAdvDataServiceUUIDs")
    #expect(CBAdvertisementDataManufacturerDataKey == "kCBAdvDataManufacturerData")
    #expect(CBAdvertisementDataTxPowerLevelKey == "kCBAdvDataTxPowerLevel")
    #expect(CBAdvertisementDataIsConnectable == "kCBAdvDataIsConnectable")
    let keys = [
      CBCentralManagerOptionShowPowerAlertKey, CBCentralManagerOptionRestoreIdentifierKey,
      CBPeripheralManagerOptionShowPowerAlertKey, CBPeripheralManagerOptionRestoreIdentifierKey,
      CBCentralManagerRestoredStatePeripheralsKey, CBCentralManagerRestoredStateScanServicesKey,
      CBCentralManagerRestoredStateScanOptionsKey, CBPeripheralManagerRestoredStateServicesKey,
      CBPeripheralManagerRestoredStateAdvertisementDataKey, CBCentralManagerScanOptionAllowDuplicatesKey,
      CBCentralManagerScanOptionSolicitedServiceUUIDsKey, CBConnectPeripheralOptionNotifyOnConnectionKey,
      CBConnectPeripheralOptionNotifyOnDisconnectionKey, CBConnectPeripheralOptionNotifyOnNotificationKey,
      CBConnectPeripheralOptionStartDelayKey, CBConnectPeripheralOptionEnableTransportBridgingKey,
      CBConnectPeripheralOptionRequiresANCS, CBConnectPeripheralOptionEnableAutoReconnect,
      CBAdvertisementDataServiceDataKey, CBAdvertisementDataOverflowServiceUUIDsKey,
      CBAdvertisementDataSolicitedServiceUUIDsKey,
    ]
    #expect(keys.allSatisfy { !$0.isEmpty })
  }

  @Test("The short and the long form of a UUID are equal, and invalid text gives an empty one")
  func uuids() throws {
    let short = CBUUID(string: "180D")
    #expect(short == CBUUID(string: "0000180d-0000-1000-8000-00805f9b34fb"))
    #expect(short == CBUUID(data: Data([0x18, 0x0D])))
    #expect(short.hashValue == CBUUID(string: "0000180D").hashValue)
    #expect([short: 1][CBUUID(string: "0000180D-0000-1000-8000-00805F9B34FB")] == 1)
    #expect(short.uuidString == "180D")
    #expect(short.data == Data([0x18, 0x0D]))
    let uuid = try #require(UUID(uuidString: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"))
    #expect(CBUUID(nsuuid: uuid).uuidString == uuid.uuidString)
    #expect(CBUUID(nsuuid: uuid).data.count == 16)
    for text in ["", "xyz", "18 0", "180D180", "6E400001-B5A3-F393-E0A9-E50E24DCCA9", "é80"] {
      #expect(CBUUID(string: text) == CBUUID(data: Data()))
      #expect(CBUUID(string: text) != short)
    }
    #expect((short.copy() as? CBUUID) == short)
  }

  @Test("Managers, peripherals and attributes have the members that apps use")
  func members() {
    let world = World(seed: 1)
    let ann = world.addPhone("Ann")
    let all = ann.launch { AllMethods() }
    #expect(all.central.delegate == nil)
    #expect(all.peripheral.delegate == nil)
    ann.launch { all.use() }
    #expect(all.central.state == .unknown)
  }
}

/// Calls and implements everything. Nothing happens, because the world's time stands still.
private final class AllMethods: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate,
  CBPeripheralManagerDelegate
{
  let central = CBCentralManager()
  let peripheral = CBPeripheralManager()

  func use() {
    _ = CBCentralManager(delegate: self, queue: DispatchQueue.main)
    _ = CBPeripheralManager(delegate: self, queue: nil, options: [:])
    _ = CBPeripheralManager(delegate: self, queue: nil)
    central.registerForConnectionEvents(options: [.serviceUUIDs: [CBUUID](), .peripheralUUIDs: [UUID]()])
    central.scanForPeripherals(withServices: nil)
    central.stopScan()
    _ = central.isScanning
    _ = central.retrievePeripherals(withIdentifiers: [UUID()])
    _ = central.retrieveConnectedPeripherals(withServices: [])
    let characteristic = CBMutableCharacteristic(
      type: CBUUID(string: "2A37"), properties: [.read], value: Data([1]), permissions: [.readable])
    characteristic.descriptors = [
      CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: "Pulse")
    ]
    let service = CBMutableService(type: CBUUID(string: "180D"), primary: true)
    service.characteristics = [characteristic]
    service.includedServices = []
    _ = characteristic.service?.peripheral
    _ = characteristic.descriptors?.first?.value as? String
    _ = characteristic.subscribedCentrals?.first?.maximumUpdateValueLength
    characteristic.permissions = [.readable]
    peripheral.add(service)
    peripheral.startAdvertising(nil)
    peripheral.stopAdvertising()
    _ = peripheral.isAdvertising
    _ = peripheral.updateValue(Data(), for: characteristic, onSubscribedCentrals: nil)
    peripheral.remove(service)
    peripheral.removeAllServices()
  }

  func use(
    _ it: CBPeripheral, _ service: CBService, _ characteristic: CBCharacteristic, _ descriptor: CBDescriptor
  ) {
    _ = (it.identifier, it.name, it.state, it.services, it.canSendWriteWithoutResponse, it.ancsAuthorized)
    _ = (service.isPrimary, service.includedServices, service.characteristics, service.uuid)
    _ = (
      characteristic.properties, characteristic.value, characteristic.isNotifying, descriptor.characteristic
    )
    central.connect(it, options: nil)
    central.cancelPeripheralConnection(it)
    it.readRSSI()
    it.discoverServices(nil)
    it.discoverIncludedServices(nil, for: service)
    it.discoverCharacteristics(nil, for: service)
    it.discoverDescriptors(for: characteristic)
    it.readValue(for: characteristic)
    it.readValue(for: descriptor)
    it.writeValue(Data(), for: characteristic, type: .withResponse)
    it.writeValue(Data(), for: descriptor)
    it.setNotifyValue(true, for: characteristic)
    _ = it.maximumWriteValueLength(for: .withoutResponse)
    it.openL2CAPChannel(0x80)
  }

  func use(_ request: CBATTRequest) {
    _ = (request.central, request.characteristic, request.offset)
    request.value = nil
    peripheral.respond(to: request, withResult: .success)
    peripheral.setDesiredConnectionLatency(.low, for: request.central)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {}
  func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {}
  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {}
  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}
  func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) {}
  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {}
  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
    isReconnecting: Bool, error: (any Error)?
  ) {}
  func centralManager(
    _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent,
    for peripheral: CBPeripheral
  ) {}
  func centralManager(
    _ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral
  ) {}

  func peripheralDidUpdateName(_ peripheral: CBPeripheral) {}
  func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {}
  func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {}
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {}
  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
  ) {}
  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
  ) {}
  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {}
  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {}
  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?
  ) {}
  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {}
  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?
  ) {}
  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
    error: (any Error)?
  ) {}
  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {}
  func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {}

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
  func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {}
  func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {}
  func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {}
  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
  ) {}
  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
  ) {}
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {}
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {}
  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {}
}
