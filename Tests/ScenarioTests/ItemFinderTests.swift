import AccessorySetupKit
import CoreBluetooth
import ItemFinder
import NearbyAccessory
import NearbyScenarios
import NearbyTesting
import Testing

/// Ann's phone, and her keys 5 m away.
private struct Hall {
  let world: World
  let ann: Phone
  let keys: Phone
  let accessory: Accessory

  init(seed: UInt64 = 1, technologies: Set<AccessoryProfile.Technology> = [.channelSounding]) {
    world = World(seed: seed)
    ann = world.addPhone("Ann", at: [0, 0, 1.4])
    keys = world.addAccessory("Keys", at: [0, 5, 1])
    accessory = keys.launch {
      var profile = AccessoryProfile(name: "Keys")
      profile.technologies = technologies
      let accessory = Accessory(profile)
      accessory.start()
      return accessory
    }
    ann.declareAccessorySetup(services: [ItemFinder.service.uuidString])
  }

  func launch(_ path: ItemFinder.Path = .coreBluetooth) -> ItemFinder {
    ann.launch { ItemFinder(path: path) }
  }

  /// Launches the app and lets the user set the keys up.
  func launchAndSetUp(_ path: ItemFinder.Path = .coreBluetooth) -> ItemFinder {
    let app = launch(path)
    world.advance(until: { app.screen == .needsItem }, within: .seconds(2))
    ann.run { app.addItem() }
    world.advance(until: { app.screen == .measuring }, within: .seconds(20))
    return app
  }
}

extension ItemFinder {
  fileprivate var hasFailed: Bool {
    if case .failed = screen { true } else { false }
  }
}

/// Apple's sample flow: an app that sets an accessory up and measures its distance by Channel Sounding.
@Suite("An app that finds an item by Channel Sounding")
struct ItemFinderTests {
  @Test("First launch: the user picks the item, the app connects and gets distances", arguments: 1...10)
  func firstLaunch(seed: UInt64) throws {
    let hall = Hall(seed: seed)
    let app = hall.launchAndSetUp()
    #expect(app.history == [.needsItem, .connecting, .connected, .measuring], "seed \(seed)")
    hall.world.advance(by: .seconds(20))
    // At most four a second, from pairing on.
    #expect((60...80).contains(app.readings.count), "seed \(seed): \(app.readings.count)")
    let distances = app.readings.compactMap { $0 }
    #expect(distances.count > app.readings.count * 8 / 10, "seed \(seed)")
    let last = try #require(distances.last)
    #expect(abs(last - hall.ann.truth(to: hall.keys).distance) < 2, "seed \(seed): \(last)")
  }

  @Test("Through NearbyInteraction, a walk with the camera gives the angle", arguments: 1...6)
  func nearbyInteraction(seed: UInt64) throws {
    let hall = Hall(seed: seed)
    let app = hall.launchAndSetUp(.nearbyInteraction)
    hall.world.advance(by: .seconds(5))
    let distance = try #require(app.readings.compactMap { $0 }.last, "seed \(seed)")
    #expect(abs(distance - hall.ann.truth(to: hall.keys).distance) < 2, "seed \(seed): \(distance)")
    hall.ann.walk(
      through: [[4, 0, 1.4], [4, 4, 1.2], [-3, 3, 1.6], [-3, -2, 1.4], [0, 0, 1.4]], speed: 1)
    hall.world.advance(by: .seconds(40))
    let angle = try #require(app.horizontalAngle, "seed \(seed)")
    // The phone faces north again, where the keys are.
    #expect(abs(angle) < 0.2, "seed \(seed): \(angle)")
  }

  @Test("Second launch: the item is known, and no picker is needed")
  func secondLaunch() {
    let hall = Hall()
    let first = hall.launchAndSetUp()
    #expect(!first.readings.isEmpty || first.screen == .measuring)
    hall.ann.relaunch()
    let app = hall.launch()
    #expect(hall.world.advance(until: { app.readings.count > 4 }, within: .seconds(20)))
    #expect(app.history == [.connecting, .connected, .measuring])
  }

  @Test(
    "With half of the packets lost, a set-up ends in measuring or in an error of Apple's", arguments: 1...100)
  func losses(seed: UInt64) {
    let hall = Hall(seed: seed)
    hall.ann.loseBluetoothPackets(0.3)
    hall.keys.loseBluetoothPackets(0.3)
    let app = hall.launch(seed % 2 == 0 ? .coreBluetooth : .nearbyInteraction)
    hall.world.advance(until: { app.screen == .needsItem }, within: .seconds(2))
    hall.ann.run { app.addItem() }
    let hasEnded = hall.world.advance(
      until: { app.readings.contains { $0 != nil } || app.pickerError != nil || app.hasFailed },
      within: .seconds(120))
    #expect(hasEnded, "seed \(seed): \(app.history)")
  }

  @Test("A dismissed picker leaves the app without an item, and it can be shown again")
  func dismissed() {
    let hall = Hall()
    hall.ann.setAccessoryPickerAnswer(.cancel)
    let app = hall.launchAndSetUp()
    #expect(app.pickerError == .userCancelled && app.screen == .needsItem && app.item == nil)
    hall.ann.setAccessoryPickerAnswer(.choose)
    hall.ann.run { app.addItem() }
    #expect(hall.world.advance(until: { app.screen == .measuring }, within: .seconds(20)))
  }

  @Test("Removing the item ends the measuring")
  func removed() {
    let hall = Hall()
    let app = hall.launchAndSetUp()
    hall.world.advance(by: .seconds(5))
    hall.ann.run { app.removeItem() }
    hall.world.advance(by: .seconds(2))
    let count = app.readings.count
    #expect(app.screen == .needsItem)
    hall.world.advance(by: .seconds(10))
    #expect(app.readings.count == count)
  }

  @Test(
    "An item that leaves and comes back is measured again",
    arguments: [ItemFinder.Path.coreBluetooth, .nearbyInteraction])
  func outOfRange(path: ItemFinder.Path) {
    let hall = Hall()
    let app = hall.launchAndSetUp(path)
    hall.world.advance(by: .seconds(5))
    hall.keys.place(at: [0, 500, 1])
    hall.world.advance(by: .seconds(30))
    #expect(app.screen == .connecting, "\(app.history)")
    let count = app.readings.count
    hall.keys.place(at: [0, 8, 1])
    #expect(
      hall.world.advance(until: { app.readings.count > count + 8 }, within: .seconds(30)), "\(app.history)")
    #expect(app.screen == .measuring, "\(app.history)")
  }

  @Test("Bluetooth off ends the measuring, and it continues once Bluetooth is on")
  func bluetoothOff() {
    let hall = Hall()
    let app = hall.launchAndSetUp()
    hall.world.advance(by: .seconds(5))
    hall.ann.switchBluetoothOff()
    hall.world.advance(by: .seconds(1))
    #expect(app.screen == .bluetoothOff, "\(app.history)")
    let count = app.readings.count
    hall.world.advance(by: .seconds(5))
    #expect(app.readings.count == count)
    hall.ann.switchBluetoothOn()
    #expect(
      hall.world.advance(until: { app.readings.count > count + 8 }, within: .seconds(30)), "\(app.history)")
  }

  @Test(
    "In the background nothing is measured", arguments: [ItemFinder.Path.coreBluetooth, .nearbyInteraction])
  func background(path: ItemFinder.Path) {
    let hall = Hall()
    let app = hall.launchAndSetUp(path)
    hall.world.advance(by: .seconds(5))
    hall.ann.suspend()
    hall.world.advance(by: .seconds(1))
    let count = app.readings.count
    hall.world.advance(by: .seconds(10))
    #expect(app.readings.count == count)
    hall.ann.resume()
    if path == .coreBluetooth {
      hall.world.advance(by: .seconds(1))
      #expect(app.screen == .connected, "\(app.history)")
      hall.ann.run { app.start() }
    }
    #expect(
      hall.world.advance(until: { app.readings.count > count + 8 }, within: .seconds(30)), "\(app.history)")
  }

  @Test("Cancelling completes the session without an error")
  func cancelled() {
    let hall = Hall()
    let app = hall.launchAndSetUp()
    hall.world.advance(by: .seconds(5))
    hall.ann.run { app.stop() }
    hall.world.advance(by: .seconds(1))
    #expect(app.screen == .connected)
    let count = app.readings.count
    hall.world.advance(by: .seconds(5))
    #expect(app.readings.count == count && count > 8)
  }

  @Test("An accessory without Channel Sounding gives a configuration error, and none to NearbyInteraction")
  func unsupportedAccessory() {
    let hall = Hall(technologies: [.ultraWideband])
    let app = hall.launchAndSetUp(.nearbyInteraction)
    hall.world.advance(by: .seconds(5))
    #expect(app.screen == .failed("sessionFailed"), "\(app.history)")
    #expect(app.readings.isEmpty)
  }

  @Test("A scenario says how its user answers the picker", arguments: ["choose", "cancel", "wait"])
  func scenarioRule(answer: String) throws {
    let text = """
      { devices: [
        { name: "ann", motion: { stand: [0, 0] }, picker: "\(answer)" },
        { name: "keys", kind: "accessory", motion: { stand: [0, 3] } },
      ] }
      """
    let scenario = try Scenario(parsing: Data(text.utf8), file: "keys.json5")
    #expect(try Scenario(parsing: Data(scenario.text().utf8), file: "again").devices == scenario.devices)
    let world = World(scenario)
    let phones = world.addPhones(of: scenario).phones
    let accessory = phones[1].launch {
      var profile = AccessoryProfile(name: "Keys")
      profile.technologies = [.channelSounding]
      let accessory = Accessory(profile)
      accessory.start()
      return accessory
    }
    phones[0].declareAccessorySetup(services: [ItemFinder.service.uuidString])
    let app = phones[0].launch { ItemFinder(path: .coreBluetooth) }
    world.advance(by: .seconds(1))
    phones[0].run { app.addItem() }
    world.advance(by: .seconds(10))
    #expect((app.item != nil) == (answer == "choose"), "\(app.history)")
    #expect(app.pickerError == (answer == "cancel" ? .userCancelled : nil))
    #expect((phones[0].offeredAccessories != nil) == (answer == "wait"))
    withExtendedLifetime(accessory) {}
  }
}
