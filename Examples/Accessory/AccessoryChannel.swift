import CoreBluetooth
import Foundation

/// The app's messages to and from an accessory, over Bluetooth: found, connected, and connected again whenever the
/// link is lost.
///
/// The flow of Apple's accessory sample in our own words (`facts/samples.md`, section 3).
public final class AccessoryChannel: NSObject {
  /// The services and characteristics of a data channel.
  public struct Service: Sendable {
    /// What accessories advertise.
    public let service: CBUUID
    /// The app writes here.
    public let receive: CBUUID
    /// The accessory notifies from here.
    public let transmit: CBUUID
    /// Reading it makes the phone pair; `nil` for a channel that has none.
    public let secure: CBUUID?

    /// As Apple's sample has it.
    public static let nordicUART = Service(
      service: CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"),
      receive: CBUUID(string: "6E400002-B5A3-F393-E0A9-E50E24DCCA9E"),
      transmit: CBUUID(string: "6E400003-B5A3-F393-E0A9-E50E24DCCA9E"), secure: nil)
    /// Qorvo's, with a characteristic to pair by.
    public static let qorvo = Service(
      service: CBUUID(string: "2E938FD0-6A61-11ED-A1EB-0242AC120002"),
      receive: CBUUID(string: "2E93998A-6A61-11ED-A1EB-0242AC120002"),
      transmit: CBUUID(string: "2E939AF2-6A61-11ED-A1EB-0242AC120002"),
      secure: CBUUID(string: "2E93941C-6A61-11ED-A1EB-0242AC120002"))
  }

  /// The link is there; the accessory's services are looked for.
  public var onConnect: (() -> Void)?
  /// Messages may be sent from now on; with the accessory's name and identifier.
  public var onReady: ((String, UUID) -> Void)?
  /// The link is lost; another one is waited for.
  public var onLost: (() -> Void)?
  /// A message came.
  public var onMessage: ((Data) -> Void)?

  private let service: Service
  private let name: String?
  private let central: CBCentralManager
  private var accessory: CBPeripheral?
  private var receive: CBCharacteristic?

  /// - Parameters:
  ///   - service: Of the accessory.
  ///   - name: Only an accessory of this name; any where `nil`.
  ///   - restoreIdentifier: For apps that go on in the background.
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

  /// Sends one message, in one write.
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

  /// A connection that waits for as long as it takes.
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
  /// Looks for an accessory, or waits for the one that was there.
  public func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return lost() }
    if let accessory { connect(accessory) } else { search() }
  }

  /// An earlier process of the app had an accessory.
  public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
    let restored = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral]
    accessory = restored?.first
    accessory?.delegate = self
  }

  /// Takes the first accessory that fits.
  public func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    let advertised = advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? peripheral.name
    guard accessory == nil, name == nil || name == advertised else { return }
    central.stopScan()
    connect(peripheral)
  }

  /// Finds the channel.
  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    onConnect?()
    peripheral.discoverServices([service.service])
  }

  /// Tries again.
  public func centralManager(
    _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
  ) { connect(peripheral) }

  /// Waits for the accessory to come again.
  public func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    lost()
    connect(peripheral)
  }
}

extension AccessoryChannel: CBPeripheralDelegate {
  /// Looks into the channel's service.
  public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for found in peripheral.services ?? [] where found.uuid == service.service {
      peripheral.discoverCharacteristics(
        [service.receive, service.transmit, service.secure].compactMap(\.self), for: found)
    }
  }

  /// Pairs where there is something to pair by, and listens.
  public func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor found: CBService, error: (any Error)?
  ) {
    let characteristics = found.characteristics ?? []
    if let secure = characteristics.first(where: { $0.uuid == service.secure }) {
      peripheral.readValue(for: secure)
    }
    guard let transmit = characteristics.first(where: { $0.uuid == service.transmit }) else { return }
    peripheral.setNotifyValue(true, for: transmit)
    // What is asked of a peripheral is done in order: what is written now is answered to one who listens.
    receive = characteristics.first { $0.uuid == service.receive }
    if receive != nil { onReady?(peripheral.name ?? "accessory", peripheral.identifier) }
  }

  /// Hands messages on.
  public func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    guard characteristic.uuid == service.transmit, let value = characteristic.value else { return }
    onMessage?(value)
  }

  /// The accessory has another table: begins anew, where the channel's service is gone, or may be back.
  public func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
    guard !isReady || invalidatedServices.contains(where: { $0.uuid == service.service }) else { return }
    lost()
    peripheral.discoverServices([service.service])
  }
}
