import AccessorySetupKit
import NearbyTesting
import Testing

/// An app with a session whose pickers the test shows.
private final class PickerApp: @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  let session = ASAccessorySession()
  private(set) var history: [String] = []
  private(set) var discovered: [ASDiscoveredAccessory] = []
  private(set) var errors: [ASError.Code?] = []

  init() {
    session.activate(on: .main) { [weak self] event in
      self?.history.append("\(event.eventType)")
      if let accessory = event.accessory as? ASDiscoveredAccessory { self?.discovered.append(accessory) }
    }
  }

  func answered(_ error: (any Error)?) { errors.append((error as? ASError)?.code) }

  static func item(_ name: String = "Speaker") -> ASPickerDisplayItem {
    ASPickerDisplayItem(name: name, productImage: UIImage(), descriptor: descriptor)
  }

  static var descriptor: ASDiscoveryDescriptor {
    let descriptor = ASDiscoveryDescriptor()
    descriptor.bluetoothServiceUUID = transferService
    return descriptor
  }
}

private struct Room {
  let world = World(seed: 4)
  let ann: Phone
  let box: Phone
  let accessory: PeripheralApp

  init() {
    ann = world.addPhone("Ann")
    box = world.addPhone("Box", at: [0, 2, 1])
    accessory = box.launch { PeripheralApp() }
  }

  func launch() -> PickerApp {
    ann.declareAccessorySetup(services: [transferService.uuidString])
    let app = ann.launch { PickerApp() }
    world.advance(by: .seconds(1))
    return app
  }
}

@Suite("AccessorySetupKit's other pickers")
struct AccessoryPickerTests {
  @Test("An accessory that the app used before is migrated after one confirmation", arguments: [true, false])
  func migration(agrees: Bool) throws {
    let room = Room()
    let before = room.ann.launch { CentralApp() }
    room.world.advance(until: { before.peripheral != nil }, within: .seconds(10))
    let identifier = try #require(before.peripheral?.identifier)
    room.ann.relaunch()
    room.ann.setAccessoryPickerAnswer(agrees ? .choose : .cancel)
    let app = room.launch()
    let item = ASMigrationDisplayItem(
      name: "Speaker", productImage: UIImage(), descriptor: PickerApp.descriptor)
    item.peripheralIdentifier = identifier
    room.ann.run { app.session.showPicker(for: [item], completionHandler: app.answered) }
    room.world.advance(by: .seconds(2))
    guard agrees else {
      #expect(app.history == ["activated", "pickerDidPresent", "pickerDidDismiss"])
      return #expect(app.errors == [.userCancelled])
    }
    #expect(
      app.history == [
        "activated", "pickerDidPresent", "accessoryAdded", "migrationComplete", "pickerDidDismiss",
      ])
    #expect(app.errors == [nil] && app.session.accessories.map(\.bluetoothIdentifier) == [identifier])
    let central = room.ann.launch { CentralApp() }
    #expect(room.world.advance(until: { central.peripheral != nil }, within: .seconds(10)))
  }

  @Test("An app that filters shows what it chose of the discovered accessories")
  func filtered() throws {
    let room = Room()
    let app = room.launch()
    let settings = ASPickerDisplaySettings.default
    settings.options = .filterDiscoveryResults
    app.session.pickerDisplaySettings = settings
    room.ann.run { app.session.showPicker(for: [PickerApp.item()], completionHandler: app.answered) }
    room.world.advance(by: .seconds(3))
    #expect(app.history == ["activated", "pickerDidPresent", "accessoryDiscovered"])
    #expect(room.ann.offeredAccessories == [])
    let found = try #require(app.discovered.first)
    #expect(
      found.bluetoothAdvertisementData?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [transferService])
    #expect(try #require(found.bluetoothRSSI) < -30)
    let item = ASDiscoveredDisplayItem(name: "This box", productImage: UIImage(), accessory: found)
    room.ann.run {
      app.session.updatePicker(showing: [item]) { [app] error in app.answered(error) }
      app.session.finishPickerDiscovery(completionHandler: app.answered)
    }
    room.world.advance(by: .seconds(2))
    #expect(app.errors == [nil, nil, nil])
    #expect(app.session.accessories.map(\.displayName) == ["This box"])
    #expect(app.history.suffix(3) == ["pickerSetupPairing", "accessoryAdded", "pickerDidDismiss"])
  }

  @Test("A filtered picker that shows nothing closes when discovery is finished")
  func filteredEmpty() {
    let room = Room()
    let app = room.launch()
    let settings = ASPickerDisplaySettings.default
    settings.options = .filterDiscoveryResults
    app.session.pickerDisplaySettings = settings
    room.ann.run { app.session.showPicker(for: [PickerApp.item()], completionHandler: app.answered) }
    room.world.advance(by: .seconds(3))
    room.ann.run { app.session.finishPickerDiscovery(completionHandler: app.answered) }
    room.world.advance(by: .seconds(1))
    #expect(app.errors.contains(.discoveryTimeout) && app.history.last == "pickerDidDismiss")
  }

  @Test("The user names an accessory in the picker, and later when the app asks")
  func rename() throws {
    let room = Room()
    let app = room.launch()
    room.ann.setAccessoryName("Kitchen")
    let item = PickerApp.item()
    item.setupOptions = .rename
    room.ann.run { app.session.showPicker(for: [item], completionHandler: app.answered) }
    room.world.advance(by: .seconds(5))
    #expect(app.history.contains("pickerSetupRename"))
    let accessory = try #require(app.session.accessories.first)
    #expect(accessory.displayName == "Kitchen")
    room.ann.setAccessoryName("Hall")
    room.ann.run { app.session.renameAccessory(accessory, completionHandler: app.answered) }
    room.world.advance(by: .seconds(1))
    #expect(accessory.displayName == "Hall" && app.history.last == "accessoryChanged")
    room.ann.setAccessoryName(nil)
    room.ann.run { app.session.renameAccessory(accessory, completionHandler: app.answered) }
    room.world.advance(by: .seconds(1))
    #expect(app.errors == [nil, nil, .userCancelled] && accessory.displayName == "Hall")
  }

  @Test("A descriptor can be replaced by another that is declared")
  func updateAuthorization() throws {
    let room = Room()
    let app = room.launch()
    room.ann.run { app.session.showPicker(for: [PickerApp.item()], completionHandler: app.answered) }
    room.world.advance(by: .seconds(5))
    let accessory = try #require(app.session.accessories.first)
    let descriptor = PickerApp.descriptor
    descriptor.bluetoothRange = .immediate
    room.ann.run {
      app.session.updateAuthorization(for: accessory, descriptor: descriptor, completionHandler: app.answered)
      app.session.updateAuthorization(
        for: accessory, descriptor: ASDiscoveryDescriptor(), completionHandler: app.answered)
      app.session.showPicker(completionHandler: app.answered)
    }
    room.world.advance(by: .seconds(1))
    #expect(app.errors == [nil, nil, .invalidRequest, .invalidRequest])
    #expect(accessory.descriptor.bluetoothRange == .immediate)
  }
}
