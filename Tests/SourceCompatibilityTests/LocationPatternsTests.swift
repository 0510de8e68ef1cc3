import CoreLocation
import NearbyTesting
import Testing

@Suite("CoreLocation as apps spell it")
struct LocationPatternsTests {
  @available(*, deprecated)
  @Test("An app that asks, watches and ranges in both forms hears of its beacon")
  func app() throws {
    let world = World(seed: 3, drainsMainQueue: false)
    let phone = world.addPhone("Ann", at: [0, 0, 1.2])
    let uuid = try #require(UUID(uuidString: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
    world.addBeacon("Chest", at: [0, 2, 1.2], uuid: uuid, major: 1, minor: 7)
    let app = phone.launch {
      let app = BeaconController()
      app.viewDidLoad(uuid: uuid)
      return app
    }
    world.advance(by: .seconds(5))
    for line in ["authorised", "entered MyBeacon", "inside", "old MyBeacon 1"] {
      #expect(app.heard.contains(line), "\(app.heard)")
    }
    #expect(app.beacons.values.flatMap { $0 }.count == 1)
  }
}
