import CoreBluetooth
import Foundation

/// The app's messages to and from an accessory over Bluetooth. It scans, connects, and reconnects whenever
/// the link is lost.
///
/// It follows the flow of Apple's sample "Implementing spatial interactions with third-party accessories".
public final class AccessoryChannel: NSObject {
  /// The service and characteristics of a data channel.
  public struct Service: Sendable {
    /// The service that accessories advertise.
    public let service: CBUUID
    /// The characteristic that the app writes to.
    public let receive: CBUUID
    /// The characteristic through which the accessory sends notifications.
    public let transmit: CBUUID
    /// A characteristic that requires pairing: reading it makes the phone pair. `nil` if the channel has
    /// none.
    public let secure: CBUUID?

    /// The Nordic UART service, which Apple's sample uses.
    public static let nordicUART = Service(
      service: CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"),
      receive: CBUUID(string: "6E400002-B5A3-F393-E0A9-E50E24DCCA9E"),
      transmit: CBUUID(string: "6E400003-B5A3-F393-E0A9-E50E24DCCA9E"), secure: nil)
    /// Qorvo's service, which has a characteristic that requires pairing.
    public static let qorvo = Service(
      service: CBUUID(string: "2E938FD0-6A61-11ED-A1EB-0242AC120002"),
      receive: CBUUID(string: "2E93998A-6A61-11ED-A1EB-0242AC120002"),
      transmit: CBUUID(string: "2E939AF2-6A61-11ED-A1EB-0242AC120002"),
      secure: CBUUID(string: "2E93941C-6A61-11ED-A1EB-0242AC120002"))
  }

  /// Called when the link is up, before the accessory's services are known.
  public var onConnect: (() -> Void)?
  /// Called with the accessory's name and identifier when messages can be sent.
  public var onReady: ((String, UUID) -> Void)?
  /// Called when the link is lost. The channel is already waiting for the next one.
  public var onLost: (() -> Void)?
  /// Called with each message from the accessory.
  public var onMessage: ((Data) -> Void)?

  private let service: Service
  private let name: String?
  private let central: CBCentralManager
  private var accessory: CBPeripheral?
  private var receive: CBCharacteristic?

  /// - Parameters:
  ///   - service: The accessory's data channel.
  ///   - name: Connect only to an accessory of this name; `nil` accepts any.
  ///   - restoreIdentifier: Identifies the central to the system, so that an app that was ended in the
  ///     background gets its connection back. `nil` for apps that run only in the foreground.
  public init(_ service: Service = .nordicUART, name: String? = nil, restoreIdentifier: String? = nil) {
    self.service = service
    self.name = name
    var options: [String: Any] = [CBCentralManagerOptionShowPowerAlertKey: true]
    if let restoreIdentifier { options[CBCentralManagerOptionRestoreIdentifierKey] = restoreIdentifier }
    central = CBCentralManager(delegate: nil, queue: nil, options: options)
    super.init()
    central.delegate = self
  }

  /// Whether messages can be sent.
  public var isReady: Bool { receive != nil }

  /// Sends one message in one write. Has no effect unless `isReady`.
  public func send(_ message: Data) {
    guard let accessory, let receive else { return }
    let length = accessory.maximumWriteValueLength(for: .withResponse)
    accessory.writeValue(message.prefix(length), for: receive, type: .withResponse)
  }

  private func search() {
    guard accessory == nil else { return }
    central.scanForPeripherals(
      withServices: [service.service], options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
  }

  /// Connects without a time limit.
  private func connect(_ peripheral: CBPeripheral) {
    accessory = peripheral
    peripheral.delegate = self
    central.connect(peripheral, options: nil)
  }

  private func lost() {
    guard receive != nil else { return }
    receive = nil
    onLost?()
  }
}

extension AccessoryChannel: CBCentralManagerDelegate {
  /// Scans for an accessory, or reconnects to the one it had.
  public func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return lost() }
    if let accessory { connect(accessory) } else { search() }
  }

  /// Restores the accessory that an earlier process of the app was connected to.
  public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
    let restored = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral]
    accessory = restored?.first
    accessory?.delegate = self
  }

  /// Connects to the first accessory that matches.
  public func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    let advertised = advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? peripheral.name
    guard accessory == nil, name == nil || name == advertised else { return }
    central.stopScan()
    connect(peripheral)
  }

  /// Discovers the channel's service.
  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    onConnect?()
    peripheral.discoverServices([service.service])
  }

  /// Tries again.
  public func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) { connect(peripheral) }

  /// Waits for the accessory to come back.
  public func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    lost()
    connect(peripheral)
  }
}

extension AccessoryChannel: CBPeripheralDelegate {
  /// Discovers the service's characteristics.
  public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for found in peripheral.services ?? [] where found.uuid == service.service {
      peripheral.discoverCharacteristics(
        [service.receive, service.transmit, service.secure].compactMap(\.self), for: found)
    }
  }

  /// Pairs if the channel has a characteristic for that, and subscribes to notifications.
  public func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor found: CBService, error: (any Error)?
  ) {
    let characteristics = found.characteristics ?? []
    if let secure = characteristics.first(where: { $0.uuid == service.secure }) {
      peripheral.readValue(for: secure)
    }
    guard let transmit = characteristics.first(where: { $0.uuid == service.transmit }) else { return }
    peripheral.setNotifyValue(true, for: transmit)
    // A peripheral's operations run in order, so the accessory's answer to any write comes after the
    // subscription.
    receive = characteristics.first { $0.uuid == service.receive }
    if receive != nil { onReady?(peripheral.name ?? "accessory", peripheral.identifier) }
  }

  /// Passes a message on to the app.
  public func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    guard characteristic.uuid == service.transmit, let value = characteristic.value else { return }
    onMessage?(value)
  }

  /// Discovers the channel's service again if it was removed, or if it may have been added.
  public func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
    guard !isReady || invalidatedServices.contains(where: { $0.uuid == service.service }) else { return }
    lost()
    peripheral.discoverServices([service.service])
  }
}
