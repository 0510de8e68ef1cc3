import AccessorySetupKit
import NearbyAccessory
import NearbyTesting
import Testing

private let tagService = CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")

/// An app that measures an accessory through CoreBluetooth in the steps of Apple's sample, and records what it is
/// notified of. Results are recorded once for each run of results.
private final class SoundingApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable
{
  // Used on the one thread that advances the world's time.
  let session = ASAccessorySession()
  private(set) var history: [String] = []
  private(set) var results = 0
  private(set) var central: CBCentralManager?
  private(set) var peripheral: CBPeripheral?

  override init() {
    super.init()
    session.activate(on: .main) { [weak self] in self?.handle($0) }
  }

  func forget() { history = [] }
  var identifier: UUID? { session.accessories.first?.bluetoothIdentifier }

  private func note(_ text: String) { history.append(text) }

  private func handle(_ event: ASAccessoryEvent) {
    note("\(event.eventType)")
    switch event.eventType {
    case .activated: if identifier == nil { pick() } else { makeCentral() }
    case .accessoryAdded: makeCentral()
    case _: break
    }
  }

  func pick() {
    let descriptor = ASDiscoveryDescriptor()
    descriptor.bluetoothServiceUUID = tagService
    descriptor.supportedOptions = .bluetoothPairingLE
    let item = ASPickerDisplayItem(
      name: "Tag", productImage: UIImage(systemName: "tag") ?? UIImage(), descriptor: descriptor)
    session.showPicker(for: [item]) { [weak self] error in
      self?.note("picker \((error as? ASError).map { "\($0.code)" } ?? "done")")
    }
  }

  private func makeCentral() {
    if central == nil { central = CBCentralManager(delegate: self, queue: nil) }
  }

  func start() {
    peripheral?.startChannelSoundingSession(CBChannelSoundingSessionConfiguration(role: .initiator))
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    note("state \(central.state.rawValue)")
    guard central.state == .poweredOn, let identifier else { return }
    let known = central.retrievePeripherals(withIdentifiers: [identifier])
    note("knows \(known.count)")
    if let first = known.first {
      connect(first)
    } else {
      central.scanForPeripherals(withServices: [tagService])
    }
  }

  private func connect(_ peripheral: CBPeripheral) {
    self.peripheral = peripheral
    peripheral.delegate = self
    central?.connect(peripheral)
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard peripheral.identifier == identifier, self.peripheral == nil else { return }
    note("discovered")
    central.stopScan()
    connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    note("connected")
    start()
  }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    note("disconnected\((error as? CBError).map { " \($0.code)" } ?? "")")
    if identifier != nil, central.state == .poweredOn { central.connect(peripheral) }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didReceive results: CBChannelSoundingProcedureResults?, error: (any Error)?
  ) {
    self.results += 1
    let text = (error as? CBError).map { "failed \($0.code)" } ?? "results"
    if history.last != text { note(text) }
  }

  func peripheral(_ peripheral: CBPeripheral, didCompleteChannelSoundingSession error: (any Error)?) {
    note("completed \((error as? CBError).map { "\($0.code)" } ?? "nil")")
  }
}

/// Ann's phone, and a tag 5 m away.
private struct Hall {
  let world = World(seed: 3)
  let ann: Phone
  let tag: Phone
  let accessory: Accessory

  init(technologies: Set<AccessoryProfile.Technology> = [.channelSounding]) {
    ann = world.addPhone("Ann", at: [0, 0, 1.4])
    tag = world.addAccessory("Tag", at: [0, 5, 1])
    accessory = tag.launch {
      var profile = AccessoryProfile(name: "Tag")
      profile.technologies = technologies
      let accessory = Accessory(profile)
      accessory.start()
      return accessory
    }
    ann.declareAccessorySetup(services: [tagService.uuidString])
  }

  func launch() -> SoundingApp { ann.launch { SoundingApp() } }

  /// An app that measures.
  func measuring() -> SoundingApp {
    let app = launch()
    world.advance(until: { app.results > 8 }, within: .seconds(30))
    app.forget()
    return app
  }
}

@Suite("The callbacks of Apple's sample flow, in order")
struct SampleFlowTests {
  @Test("First launch")
  func firstLaunch() {
    let hall = Hall()
    let app = hall.launch()
    hall.world.advance(by: .seconds(15))
    #expect(
      app.history == [
        "activated", "pickerDidPresent", "pickerSetupPairing", "accessoryAdded", "pickerDidDismiss",
        "picker done", "state 5", "knows 1", "connected", "results",
      ], "\(app.history)")
  }

  @Test("Second launch")
  func secondLaunch() {
    let hall = Hall()
    _ = hall.measuring()
    hall.ann.relaunch()
    let app = hall.launch()
    hall.world.advance(by: .seconds(15))
    #expect(
      app.history == ["activated", "state 5", "knows 1", "connected", "results"], "\(app.history)")
  }

  @Test("The picker is dismissed, and shown again")
  func dismissed() {
    let hall = Hall()
    hall.ann.setAccessoryPickerAnswer(.cancel)
    let app = hall.launch()
    hall.world.advance(by: .seconds(5))
    #expect(
      app.history == ["activated", "pickerDidPresent", "pickerDidDismiss", "picker userCancelled"],
      "\(app.history)")
    hall.ann.setAccessoryPickerAnswer(.choose)
    app.forget()
    hall.ann.run { app.pick() }
    hall.world.advance(by: .seconds(15))
    #expect(app.history.first == "pickerDidPresent" && app.history.last == "results", "\(app.history)")
  }

  @Test("The accessory is removed")
  func removed() throws {
    let hall = Hall()
    let app = hall.measuring()
    let accessory = try #require(app.session.accessories.first)
    hall.ann.run { app.session.removeAccessory(accessory) { _ in } }
    hall.world.advance(by: .seconds(5))
    #expect(
      app.history.filter { $0 != "results" } == [
        "accessoryRemoved", "completed notConnected", "disconnected",
      ],
      "\(app.history)")
  }

  @Test("Out of range and back")
  func outOfRange() {
    let hall = Hall()
    let app = hall.measuring()
    hall.tag.place(at: [0, 500, 1])
    hall.world.advance(by: .seconds(30))
    hall.tag.place(at: [0, 5, 1])
    hall.world.advance(by: .seconds(30))
    #expect(
      app.history == [
        "failed channelSoundingProcedureFailed", "completed notConnected", "disconnected connectionTimeout",
        "connected", "results",
      ], "\(app.history)")
  }

  @Test("Bluetooth off and on")
  func bluetoothOff() {
    let hall = Hall()
    let app = hall.measuring()
    hall.ann.switchBluetoothOff()
    hall.world.advance(by: .seconds(5))
    hall.ann.switchBluetoothOn()
    hall.world.advance(by: .seconds(15))
    #expect(
      app.history == ["completed notConnected", "state 4", "state 5", "knows 1", "connected", "results"],
      "\(app.history)")
  }

  @Test("Background and foreground")
  func background() {
    let hall = Hall()
    let app = hall.measuring()
    hall.ann.suspend()
    hall.world.advance(by: .seconds(10))
    hall.ann.resume()
    hall.world.advance(by: .seconds(1))
    let count = app.results
    hall.ann.run { app.start() }
    hall.world.advance(by: .seconds(5))
    #expect(
      app.history.filter { $0 != "results" } == ["completed channelSoundingProcedureFailed"], "\(app.history)"
    )
    #expect(app.results > count + 8)
  }

  @Test(
    "Cancelling completes without an error; an accessory without Channel Sounding gives a configuration error"
  )
  func completions() {
    let hall = Hall()
    let app = hall.measuring()
    hall.ann.run { app.peripheral?.cancelChannelSoundingSession() }
    hall.world.advance(by: .seconds(5))
    #expect(app.history.last == "completed nil", "\(app.history)")
    let plain = Hall(technologies: [.ultraWideband])
    let other = plain.launch()
    plain.world.advance(by: .seconds(15))
    #expect(other.history.suffix(2) == ["connected", "completed channelSoundingConfigurationFailed"])
    #expect(other.results == 0)
  }

  @Test("An app without set-up connects to the same accessory, and is refused Channel Sounding")
  func notSetUp() {
    let plain = World(seed: 3)
    let (ann, tag) = (plain.addPhone("Ann"), plain.addAccessory("Tag", at: [0, 5, 1]))
    let accessory = tag.launch {
      var profile = AccessoryProfile(name: "Tag")
      profile.technologies = [.channelSounding]
      let accessory = Accessory(profile)
      accessory.start()
      return accessory
    }
    let app = ann.launch { StrangerApp() }
    plain.advance(by: .seconds(15))
    #expect(app.history == ["connected", "completed channelSoundingConfigurationFailed"], "\(app.history)")
    withExtendedLifetime(accessory) {}
  }

  @Test("Support is only reported once a manager is powered on")
  func support() {
    let hall = Hall()
    func supports() -> Bool { hall.ann.run { CBCentralManager.supports(.channelSounding) } }
    #expect(!supports())
    let app = hall.launch()
    #expect(!supports())
    hall.world.advance(until: { app.history.contains("state 5") }, within: .seconds(20))
    #expect(supports())
    hall.ann.switchBluetoothOff()
    hall.world.advance(by: .seconds(1))
    #expect(!supports())
  }
}

/// An app without set-up, which connects to what it finds.
private final class StrangerApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable
{
  // Used on the one thread that advances the world's time.
  private(set) var history: [String] = []
  private var central: CBCentralManager?
  private var peripheral: CBPeripheral?

  override init() {
    super.init()
    central = CBCentralManager(delegate: self, queue: nil)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn { central.scanForPeripherals(withServices: [tagService]) }
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard self.peripheral == nil else { return }
    self.peripheral = peripheral
    peripheral.delegate = self
    central.connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    history.append("connected")
    peripheral.startChannelSoundingSession(CBChannelSoundingSessionConfiguration(role: .initiator))
  }

  func peripheral(_ peripheral: CBPeripheral, didCompleteChannelSoundingSession error: (any Error)?) {
    history.append("completed \((error as? CBError).map { "\($0.code)" } ?? "nil")")
  }
}
