import AccessorySetupKit
import CoreBluetooth
import NearbyInteraction

/// Finds an item by Bluetooth Channel Sounding: the user sets it up once with the system's picker, the app connects to
/// it at every launch and measures how far away it is, through CoreBluetooth or with camera assistance through
/// NearbyInteraction.
public final class ItemFinder: NSObject, @unchecked Sendable {
  // The main queue is the only one on which the state changes.

  /// How the distance is measured.
  public enum Path: Sendable {
    case coreBluetooth, nearbyInteraction
  }

  /// What the app shows.
  public enum Screen: Equatable, Sendable {
    case starting
    /// A button shows the picker.
    case needsItem
    case connecting
    case connected
    case measuring
    case bluetoothOff
    case failed(String)
  }

  /// The service by which the picker finds items; declared in `Info.plist`.
  public static let service = CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
  /// How many readings are kept.
  private static let readingLimit = 200

  /// What the app shows now.
  public private(set) var screen = Screen.starting {
    didSet {
      guard screen != oldValue else { return }
      history.append(screen)
      onChange?()
    }
  }
  /// The screens so far.
  public private(set) var history: [Screen] = []
  /// The last readings, metres; `nil` for a procedure without a valid measurement.
  public private(set) var readings: [Double?] = []
  /// The angle to the item, radians, positive to the right; `nil` until camera assistance has found it.
  public private(set) var horizontalAngle: Float?
  /// The last error of the picker.
  public private(set) var pickerError: ASError.Code? { didSet { onChange?() } }
  /// Called on the main queue when the screen, the readings or the picker's error have changed.
  public var onChange: (() -> Void)?

  /// How this app measures.
  public let path: Path
  private let session = ASAccessorySession()
  private var central: CBCentralManager?
  private var peripheral: CBPeripheral?
  private var interaction: NISession?

  /// Activates the set-up; an item that is set up already is connected to and measured.
  public init(path: Path) {
    self.path = path
    super.init()
    session.activate(on: .main) { [weak self] event in self?.handle(event) }
  }

  /// The item that is set up.
  public var item: ASAccessory? { session.accessories.first }

  // MARK: Set-up

  /// Shows the picker; the user's tap on the button.
  public func addItem() {
    let descriptor = ASDiscoveryDescriptor()
    descriptor.bluetoothServiceUUID = Self.service
    descriptor.supportedOptions = .bluetoothPairingLE
    let item = ASPickerDisplayItem(
      name: "Keys", productImage: UIImage(systemName: "key") ?? UIImage(), descriptor: descriptor)
    session.showPicker(for: [item]) { [weak self] error in self?.pickerError = (error as? ASError)?.code }
  }

  /// Removes the item; the user's tap on the button.
  public func removeItem() {
    guard let item else { return }
    session.removeAccessory(item) { _ in }
  }

  private func handle(_ event: ASAccessoryEvent) {
    switch event.eventType {
    case .activated: if item == nil { screen = .needsItem } else { connect() }
    // A manager made earlier would ask for Bluetooth, and the picker would not appear.
    case .accessoryAdded: connect()
    case .accessoryRemoved: forget()
    case .invalidated: screen = .failed("set-up")
    default: break
    }
  }

  private func forget() {
    interaction?.invalidate()
    (interaction, peripheral, central) = (nil, nil, nil)
    screen = .needsItem
  }

  private func connect() {
    screen = .connecting
    if central == nil { central = CBCentralManager(delegate: self, queue: nil) }
  }

  // MARK: Measuring

  /// Starts to measure.
  public func start() {
    guard let peripheral, peripheral.state == .connected else { return }
    switch path {
    case .coreBluetooth:
      guard CBCentralManager.supports(.channelSounding) else { return screen = .failed("not supported") }
      peripheral.startChannelSoundingSession(CBChannelSoundingSessionConfiguration(role: .initiator))
    case .nearbyInteraction:
      guard NISession.deviceCapabilities.supportsBluetoothChannelSounding else {
        return screen = .failed("not supported")
      }
      let configuration = NINearbyAccessoryConfiguration(
        bluetoothChannelSoundingIdentifier: peripheral.identifier, previousBluetoothIdentifier: nil)
      configuration.isCameraAssistanceEnabled = NISession.deviceCapabilities.supportsCameraAssistance
      let session = interaction ?? NISession()
      interaction = session
      session.delegate = self
      session.run(configuration)
    }
    screen = .measuring
  }

  /// Stops to measure.
  public func stop() {
    interaction?.invalidate()
    interaction = nil
    if path == .coreBluetooth {
      peripheral?.cancelChannelSoundingSession()
    } else {
      screen = .connected
    }
  }

  private func append(_ reading: Double?) {
    readings.append(reading)
    if readings.count > Self.readingLimit { readings.removeFirst() }
    onChange?()
  }
}

extension ItemFinder: CBCentralManagerDelegate {
  /// Connects to the item once Bluetooth is on.
  public func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else {
      if central.state == .poweredOff { screen = .bluetoothOff }
      return
    }
    guard let identifier = item?.bluetoothIdentifier else { return }
    screen = .connecting
    if let known = central.retrievePeripherals(withIdentifiers: [identifier]).first {
      connect(to: known)
    } else {
      // On the first launch after the set-up the system has no peripheral yet.
      central.scanForPeripherals(withServices: [Self.service])
    }
  }

  /// Connects to the item, of all that advertise.
  public func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard peripheral.identifier == item?.bluetoothIdentifier else { return }
    central.stopScan()
    connect(to: peripheral)
  }

  private func connect(to peripheral: CBPeripheral) {
    self.peripheral = peripheral
    peripheral.delegate = self
    central?.connect(peripheral)
  }

  /// Starts to measure.
  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    screen = .connected
    start()
  }

  /// Waits until the item is back.
  public func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    guard item != nil, central.state == .poweredOn else { return }
    screen = .connecting
    central.connect(peripheral)
  }
}

extension ItemFinder: CBPeripheralDelegate {
  /// Keeps a reading.
  public func peripheral(
    _ peripheral: CBPeripheral, didReceive results: CBChannelSoundingProcedureResults?, error: (any Error)?
  ) {
    guard let results else { return append(nil) }
    append(results.distance > 0 ? results.distance : nil)
  }

  /// Measuring is over.
  public func peripheral(_ peripheral: CBPeripheral, didCompleteChannelSoundingSession error: (any Error)?) {
    guard peripheral.state == .connected else { return }
    let isUnsupported = (error as? CBError)?.code == .channelSoundingConfigurationFailed
    screen = isUnsupported ? .failed("the item does not support it") : .connected
  }
}

extension ItemFinder: NISessionDelegate {
  /// Keeps a reading and the angle.
  public func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    guard let object = nearbyObjects.first else { return }
    append(object.distance.map(Double.init))
    horizontalAngle = object.horizontalAngle
  }

  /// The item is out of range.
  public func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {
    screen = .connecting
  }

  /// Measures again after the background.
  public func sessionSuspensionEnded(_ session: NISession) { start() }

  /// Shows why measuring failed.
  public func session(_ session: NISession, didInvalidateWith error: any Error) {
    interaction = nil
    screen = .failed("\((error as? NIError)?.code ?? .sessionFailed)")
  }
}
