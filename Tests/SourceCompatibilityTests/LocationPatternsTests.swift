import CoreLocation
import NearbyTesting
import Testing

@Suite("Sources written for Apple's CoreLocation")
struct LocationPatternsTests {
  @available(*, deprecated)
  @Test("An app that monitors and ranges with both APIs finds its beacon")
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

  @available(*, deprecated)
  @Test("The deprecated calls range regions and call the deprecated delegate methods")
  func oldForm() {
    let world = World(seed: 1, drainsMainQueue: false)
    let phone = world.addPhone("Ann", at: [0, 0, 1.2])
    phone.changeLocationAccess(to: .always)
    world.addBeacon("Chest", at: [0, 2, 1.2], uuid: treasureUUID, major: 1, minor: 7)
    let old = phone.launch { OldBeaconApp() }
    world.advance(by: .seconds(5))
    #expect(old.ranged.count >= 4)
    #expect(old.ranged.last == "hall: 7")
    #expect(old.statuses == [.authorizedAlways])
    phone.switchBluetoothOff()
    world.advance(by: .seconds(1))
    #expect(old.failures == ["hall rangingUnavailable"])
    old.stop()
    phone.switchBluetoothOn()
    let count = old.ranged.count
    world.advance(by: .seconds(5))
    #expect(old.ranged.count == count)
  }
}

private let treasureUUID = UUID(
  uuid: (0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0))

/// An app from before iOS 13.
@available(*, deprecated)
final class OldBeaconApp: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  private let manager = CLLocationManager()
  private let region = CLBeaconRegion(proximityUUID: treasureUUID, major: 1, identifier: "hall")
  private(set) var ranged: [String] = []
  private(set) var failures: [String] = []
  private(set) var statuses: [CLAuthorizationStatus] = []

  override init() {
    super.init()
    manager.delegate = self
    manager.startRangingBeacons(in: region)
  }

  func stop() { manager.stopRangingBeacons(in: region) }

  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) { statuses.append(status) }
  func locationManager(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
  ) {
    let numbers = beacons.map { "\($0.minor)" }.joined(separator: " ")
    ranged.append("\(region.identifier): \(numbers)")
  }
  func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: any Error
  ) { failures.append("\(region.identifier) \((error as? CLError).map { "\($0.code)" } ?? "")") }
}
