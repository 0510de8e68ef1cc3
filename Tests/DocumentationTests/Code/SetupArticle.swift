import AccessorySetupKit
import NearbyAccessory
import NearbyTesting
import Testing

final class KeyFinder: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
  // Everything happens on the main queue.
  static let service = CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
  private let session = ASAccessorySession()
  private var central: CBCentralManager?
  private var keys: CBPeripheral?
  private(set) var distance: Double?

  override init() {
    super.init()
    session.activate(on: .main) { [weak self] event in
      switch event.eventType {
      case .activated: self?.begin()
      case .accessoryAdded: self?.connect()
      default: break
      }
    }
  }

  private func begin() {
    if !session.accessories.isEmpty { return connect() }
    let descriptor = ASDiscoveryDescriptor()
    descriptor.bluetoothServiceUUID = Self.service
    descriptor.supportedOptions = .bluetoothPairingLE
    let item = ASPickerDisplayItem(name: "Keys", productImage: UIImage(), descriptor: descriptor)
    session.showPicker(for: [item]) { error in print(error.map { "no keys: \($0)" } ?? "keys") }
  }

  private func connect() {
    if central == nil { central = CBCentralManager(delegate: self, queue: nil) }
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn, let identifier = session.accessories.first?.bluetoothIdentifier,
      let keys = central.retrievePeripherals(withIdentifiers: [identifier]).first
    else { return }
    self.keys = keys
    keys.delegate = self
    central.connect(keys)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    guard CBCentralManager.supports(.channelSounding) else { return }
    peripheral.startChannelSoundingSession(CBChannelSoundingSessionConfiguration(role: .initiator))
  }

  func peripheral(
    _ peripheral: CBPeripheral, didReceive results: CBChannelSoundingProcedureResults?, error: (any Error)?
  ) {
    if let results, results.distance > 0 { distance = results.distance }
  }
}

@Test func keysAreSetUpAndMeasured() throws {
  let world = World(seed: 1)
  let phone = world.addPhone("Ann")
  let tag = world.addAccessory("Keys", at: [0, 4, 1])
  let accessory = tag.launch {
    var profile = AccessoryProfile(name: "Keys")
    profile.technologies = [.channelSounding]
    let accessory = Accessory(profile)
    accessory.start()
    return accessory
  }
  phone.declareAccessorySetup(services: [KeyFinder.service.uuidString])
  phone.setAccessoryPickerAnswer(nil)
  let app = phone.launch { KeyFinder() }
  world.advance(until: { phone.offeredAccessories == ["Keys"] }, within: .seconds(10))
  phone.chooseAccessory()
  #expect(world.advance(until: { app.distance != nil }, within: .seconds(20)))
  withExtendedLifetime(accessory) {}
}
