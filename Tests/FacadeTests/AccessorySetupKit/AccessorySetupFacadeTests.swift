import AccessorySetupKit
import NearbyTesting
import Testing

/// Ann's phone, a box that advertises `transferService`, and another box that does so too, farther away.
private struct Setup {
  let world: World
  let ann: Phone
  let box: Phone
  let accessory: PeripheralApp
  let other: PeripheralApp

  init(seed: UInt64 = 1, declares: Bool = true) {
    world = World(seed: seed)
    ann = world.addPhone("Ann")
    box = world.addPhone("Box", at: [0, 2, 1])
    accessory = box.launch { PeripheralApp() }
    other = world.addPhone("Other", at: [0, 8, 1]).launch { PeripheralApp() }
    if declares { ann.declareAccessorySetup(services: [transferService.uuidString]) }
  }

  func launch() -> SetupApp { ann.launch { SetupApp(service: transferService) } }
}

@Suite("AccessorySetupKit")
struct AccessorySetupFacadeTests {
  @Test(
    "First launch: the picker adds an accessory, events come in order, and the app connects",
    arguments: 1...20)
  func firstLaunch(seed: UInt64) throws {
    let setup = Setup(seed: seed)
    setup.ann.loseBluetoothPackets(0.1)
    // An app with accessories of its own is never asked.
    setup.ann.setBluetoothAnswer(.deny)
    let app = setup.launch()
    #expect(setup.world.advance(until: { app.connected != nil }, within: .seconds(30)), "seed \(seed)")
    #expect(
      app.history == [
        "activated", "pickerDidPresent", "pickerSetupPairing", "accessoryAdded", "pickerDidDismiss", "done",
        "state 5", "connected",
      ], "seed \(seed): \(app.history)")
    #expect(app.errors == [nil])
    let accessory = try #require(app.session.accessories.first)
    #expect(accessory.displayName == "Speaker" && accessory.state == .authorized)
    #expect(accessory.bluetoothIdentifier == app.connected?.identifier)
    #expect(accessory.descriptor.bluetoothServiceUUID == transferService)
  }

  @Test("The app sees only what was set up")
  func visibility() throws {
    let setup = Setup()
    let app = setup.launch()
    setup.world.advance(by: .seconds(20))
    let identifier = try #require(app.session.accessories.first?.bluetoothIdentifier)
    #expect(app.discovered == [identifier])
    #expect(setup.ann.run { CBManager.authorization } == .allowedAlways)
    let central = try #require(app.central)
    #expect(
      central.retrievePeripherals(withIdentifiers: [identifier, UUID()]).map(\.identifier) == [identifier])
  }

  @Test("Before anything is set up, a scan finds nothing")
  func nothingSetUp() {
    let setup = Setup()
    setup.ann.setAccessoryPickerAnswer(nil)
    let central = setup.ann.launch { CentralApp() }
    setup.world.advance(by: .seconds(20))
    #expect(central.history == ["state 5"])
    #expect(central.peripheral == nil)
  }

  @Test("Second launch: the accessory is still set up, and the app connects without a picker")
  func secondLaunch() throws {
    let setup = Setup()
    let first = setup.launch()
    setup.world.advance(until: { first.connected != nil }, within: .seconds(30))
    let identifier = try #require(first.session.accessories.first?.bluetoothIdentifier)
    setup.ann.relaunch()
    let app = setup.launch()
    #expect(setup.world.advance(until: { app.connected != nil }, within: .seconds(30)))
    #expect(app.history == ["activated", "state 5", "connected"])
    #expect(app.session.accessories.map(\.bluetoothIdentifier) == [identifier])
    let history = first.history
    setup.world.advance(by: .seconds(5))
    #expect(first.history == history)
  }

  @Test("Closing the picker is an error, and the user can choose later")
  func dismissed() {
    let setup = Setup()
    setup.ann.setAccessoryPickerAnswer(.cancel)
    let app = setup.launch()
    setup.world.advance(by: .seconds(5))
    #expect(app.history == ["activated", "pickerDidPresent", "pickerDidDismiss", "failed"])
    #expect(app.errors == [.userCancelled])
    setup.ann.setAccessoryPickerAnswer(nil)
    setup.ann.run { app.pick() }
    setup.ann.run { app.pick() }
    setup.world.advance(by: .seconds(20))
    #expect(app.errors == [.userCancelled, .pickerAlreadyActive])
    // Two boxes match the one item.
    #expect(setup.ann.offeredAccessories == ["Speaker", "Speaker"])
    #expect(!setup.ann.chooseAccessory(at: 2))
    #expect(setup.ann.chooseAccessory(at: 1))
    #expect(setup.ann.offeredAccessories == nil)
    #expect(setup.world.advance(until: { app.connected != nil }, within: .seconds(30)))
    #expect(app.errors == [.userCancelled, .pickerAlreadyActive, nil])
  }

  @Test("A picker that finds nothing in its time ends with discoveryTimeout", arguments: [nil, 60.0])
  func timeout(seconds: Double?) {
    let setup = Setup()
    let service = CBUUID(string: "180D")
    setup.ann.declareAccessorySetup(services: ["180D"])
    let app = setup.ann.launch { SetupApp(service: service) }
    if seconds != nil {
      let settings = ASPickerDisplaySettings.default
      settings.discoveryTimeout = .short
      app.session.pickerDisplaySettings = settings
    }
    setup.world.advance(by: .seconds((seconds ?? 30) - 1))
    #expect(app.errors.isEmpty)
    setup.world.advance(by: .seconds(2))
    #expect(app.errors == [.discoveryTimeout])
    #expect(app.history.suffix(2) == ["pickerDidDismiss", "failed"])
  }

  @Test("An accessory that refuses to pair is not set up, and the app can try again")
  func pairingFails() {
    let setup = Setup()
    setup.box.setAcceptsPairing(false)
    let app = setup.launch()
    setup.world.advance(by: .seconds(20))
    #expect(
      app.history == [
        "activated", "pickerDidPresent", "pickerSetupPairing", "pickerSetupFailed", "pickerDidDismiss",
        "failed",
      ])
    #expect(app.errors == [.connectionFailed] && app.session.accessories.isEmpty)
    setup.box.setAcceptsPairing(true)
    setup.ann.run { app.pick() }
    #expect(setup.world.advance(until: { app.connected != nil }, within: .seconds(30)))
    #expect(app.errors == [.connectionFailed, nil])
  }

  @Test("An accessory that leaves while the picker pairs fails after half a minute")
  func pairingTakesTooLong() {
    let setup = Setup()
    setup.ann.setAccessoryPickerAnswer(nil)
    let app = setup.launch()
    setup.world.advance(until: { setup.ann.offeredAccessories?.isEmpty == false }, within: .seconds(10))
    setup.box.switchBluetoothOff()
    setup.ann.chooseAccessory()
    setup.world.advance(by: .seconds(29))
    #expect(app.history.last == "pickerSetupPairing")
    setup.world.advance(by: .seconds(2))
    #expect(app.history.suffix(3) == ["pickerSetupFailed", "pickerDidDismiss", "failed"])
  }

  @Test("Removing an accessory ends its connection and hides it")
  func removal() throws {
    let setup = Setup()
    let app = setup.launch()
    setup.world.advance(until: { app.connected != nil }, within: .seconds(30))
    let accessory = try #require(app.session.accessories.first)
    app.forget()
    setup.ann.run { app.session.removeAccessory(accessory) { _ in } }
    setup.world.advance(by: .seconds(5))
    #expect(app.history == ["accessoryRemoved", "disconnected"])
    #expect(accessory.state == .unauthorized && app.session.accessories.isEmpty)
    let central = try #require(app.central)
    let identifier = try #require(accessory.bluetoothIdentifier)
    #expect(central.retrievePeripherals(withIdentifiers: [identifier]).isEmpty)
  }

  @Test("An accessory that needs confirmation awaits it")
  func confirmation() throws {
    let setup = Setup()
    let app = setup.ann.launch {
      let app = SetupApp(service: transferService)
      app.item.setupOptions = .confirmAuthorization
      return app
    }
    setup.world.advance(by: .seconds(10))
    let accessory = try #require(app.session.accessories.first)
    #expect(accessory.state == .awaitingAuthorization)
    setup.ann.run { app.session.finishAuthorization(for: accessory, settings: .default) { _ in } }
    setup.world.advance(by: .seconds(1))
    #expect(accessory.state == .authorized && app.history.contains("accessoryChanged"))
  }

  @Test("An app that declares no accessories can't activate, and has ordinary Bluetooth")
  func undeclared() {
    let setup = Setup(declares: false)
    let app = setup.launch()
    setup.world.advance(by: .seconds(1))
    #expect(app.history == ["invalidated"])
    #expect(app.sessionError?.code == .activationFailed)
    let central = setup.ann.launch { CentralApp() }
    #expect(setup.world.advance(until: { central.peripheral != nil }, within: .seconds(20)))
  }

  @Test("A name or company that is not declared is an invalid request")
  func invalidRequest() {
    let setup = Setup()
    let app = setup.ann.launch {
      let app = SetupApp(service: transferService)
      app.item.descriptor.bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(0x004C)
      return app
    }
    setup.world.advance(by: .seconds(1))
    #expect(app.errors == [.invalidRequest])
  }

  @Test("A session that is invalidated reports it, and a released one is silent")
  func invalidation() {
    let setup = Setup()
    setup.ann.setAccessoryPickerAnswer(nil)
    let app = setup.launch()
    setup.world.advance(by: .seconds(1))
    setup.ann.run { app.session.invalidate() }
    setup.world.advance(by: .seconds(1))
    #expect(app.history.suffix(3) == ["pickerDidDismiss", "failed", "invalidated"])
    #expect(app.sessionError == nil)
    weak var released: ASAccessorySession?
    setup.ann.run {
      let session = ASAccessorySession()
      session.activate(on: .main) { _ in Issue.record("a released session reported an event") }
      released = session
    }
    setup.world.advance(by: .seconds(1))
    #expect(released == nil)
  }
}
