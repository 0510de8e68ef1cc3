import AccessorySetupKit
import NearbyTesting

/// An app that sets an accessory up as in Apple's sample: it activates a session, shows a picker if nothing is set up
/// yet, and creates its central manager only once there is an accessory.
final class SetupApp: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  let session = ASAccessorySession()
  private(set) var history: [String] = []
  private(set) var errors: [ASError.Code?] = []
  private(set) var central: CBCentralManager?
  private(set) var discovered: Set<UUID> = []
  private(set) var connected: CBPeripheral?
  private(set) var sessionError: ASError?
  private var wanted: CBPeripheral?
  /// What the picker shows.
  var item: ASPickerDisplayItem
  var picksAtOnce = true

  init(service: CBUUID) {
    let descriptor = ASDiscoveryDescriptor()
    descriptor.bluetoothServiceUUID = service
    descriptor.supportedOptions = .bluetoothPairingLE
    item = ASPickerDisplayItem(
      name: "Speaker", productImage: UIImage(systemName: "hifispeaker") ?? UIImage(), descriptor: descriptor)
    super.init()
    session.activate(on: .main) { [weak self] in self?.handle($0) }
  }

  func pick() {
    session.showPicker(for: [item]) { [weak self] error in
      self?.errors.append((error as? ASError)?.code)
      self?.history.append(error == nil ? "done" : "failed")
    }
  }

  func forget() { history = [] }

  private func handle(_ event: ASAccessoryEvent) {
    history.append("\(event.eventType)")
    switch event.eventType {
    case .activated:
      if session.accessories.isEmpty {
        if picksAtOnce { pick() }
      } else {
        connect()
      }
    case .accessoryAdded: connect()
    case .invalidated: sessionError = event.error as? ASError
    case _: break
    }
  }

  private func connect() { central = CBCentralManager(delegate: self, queue: nil) }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    history.append("state \(central.state.rawValue)")
    guard central.state == .poweredOn else { return }
    central.scanForPeripherals(withServices: nil)
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    discovered.insert(peripheral.identifier)
    guard peripheral.identifier == session.accessories.first?.bluetoothIdentifier, wanted == nil else {
      return
    }
    wanted = peripheral
    central.connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    history.append("connected")
    connected = peripheral
  }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    history.append("disconnected")
  }
}
