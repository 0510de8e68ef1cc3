import CoreBluetooth
import CoreLocation
import NearbyTesting
import Testing

final class Exhibits: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private let constraint: CLBeaconIdentityConstraint
  private(set) var nearest: CLBeacon?

  init(uuid: UUID) {
    constraint = CLBeaconIdentityConstraint(uuid: uuid)
    super.init()
    manager.delegate = self
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .notDetermined: manager.requestWhenInUseAuthorization()
    case .authorizedWhenInUse, .authorizedAlways: manager.startRangingBeacons(satisfying: constraint)
    case .denied, .restricted: nearest = nil
    @unknown default: break
    }
  }

  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {
    nearest = beacons.first { $0.proximity != .unknown }
  }
}

final class Doorway: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private(set) var isInside: Bool?

  func watch(_ uuid: UUID) {
    manager.delegate = self
    manager.requestAlwaysAuthorization()
    manager.startMonitoring(for: CLBeaconRegion(uuid: uuid, identifier: "hall"))
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) { isInside = true }
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) { isInside = false }
}

func watchHall(_ uuid: UUID) async throws {
  let monitor = await CLMonitor("hall")
  await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: uuid), identifier: "exhibits")
  for try await event in monitor.events {
    print(event.identifier, event.state == .satisfied ? "in range" : "out of range")
  }
}

final class BeaconPhone: NSObject, CBPeripheralManagerDelegate {
  private var manager: CBPeripheralManager?
  private let region: CLBeaconRegion

  init(_ region: CLBeaconRegion) { self.region = region }

  func start() { manager = CBPeripheralManager(delegate: self, queue: nil) }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    peripheral.startAdvertising(region.peripheralData(withMeasuredPower: nil) as? [String: Any])
  }
}

@Suite("Ranging and monitoring beacons")
struct BeaconsArticle {
  @Test("The nearer beacon comes first, and an exit follows half a minute of silence")
  func exhibits() throws {
    let uuid = try #require(UUID(uuidString: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
    let world = World(seed: 8)
    let phone = world.addPhone("Ann")
    let vase = world.addBeacon("Vase", at: [0, 1, 1.2], uuid: uuid, major: 1, minor: 7)
    let mask = world.addBeacon("Mask", at: [0, 15, 1.2], uuid: uuid, major: 1, minor: 9)
    let app = phone.launch { Exhibits(uuid: uuid) }
    let doorway = phone.launch { Doorway() }
    phone.launch { doorway.watch(uuid) }
    world.advance(by: .seconds(10))
    #expect(app.nearest?.minor == 7)
    #expect(doorway.isInside == true)
    vase.switchOff()
    mask.switchOff()
    world.advance(by: .seconds(60))
    #expect(app.nearest == nil)
    #expect(doorway.isInside == false)
  }

  @Test("A phone that advertises a region's data is ranged as a beacon")
  func sender() throws {
    let uuid = try #require(UUID(uuidString: "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
    let world = World(seed: 9)
    let ann = world.addPhone("Ann")
    let ben = world.addPhone("Ben", at: [0, 2, 1.2])
    let app = ann.launch { Exhibits(uuid: uuid) }
    let sender = ben.launch {
      BeaconPhone(CLBeaconRegion(uuid: uuid, major: 3, minor: 4, identifier: "Ben"))
    }
    ben.launch { sender.start() }
    world.advance(by: .seconds(5))
    #expect(app.nearest?.major == 3 && app.nearest?.minor == 4)
  }
}
