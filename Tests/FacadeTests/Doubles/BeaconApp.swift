import CoreLocation
import NearbyTesting

let treasureUUID = uuid("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0")
let strangeUUID = uuid("74278BDA-B644-4520-8F0C-720EAF059935")

func uuid(_ text: String) -> UUID {
  guard let uuid = UUID(uuidString: text) else { preconditionFailure("\(text) is no UUID") }
  return uuid
}

/// An app with one location manager that records its callbacks.
final class BeaconApp: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  let manager: CLLocationManager
  private let now: () -> Duration
  private(set) var history: [String] = []
  private(set) var reports: [(time: Duration, beacons: [CLBeacon])] = []
  private(set) var constraints: [CLBeaconIdentityConstraint] = []
  private(set) var times: [String: [Duration]] = [:]

  init(now: @escaping () -> Duration = { .zero }) {
    manager = CLLocationManager()
    self.now = now
    super.init()
    manager.delegate = self
  }

  func forget() {
    history = []
    reports = []
    constraints = []
    times = [:]
  }

  func note(_ text: String) {
    history.append(text)
    times[text, default: []].append(now())
  }

  private func code(_ error: any Error) -> String {
    (error as? CLError).map { "\($0.code)" } ?? "another error"
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    note("authorization \(manager.authorizationStatus)")
  }
  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {
    reports.append((now(), beacons))
    constraints.append(beaconConstraint)
  }
  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error
  ) { note("ranging failed \(code(error))") }
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    note("entered \(region.identifier)")
  }
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    note("left \(region.identifier)")
  }
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) { note("\(region.identifier) \(state)") }
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    note("started \(region.identifier)")
  }
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) { note("monitoring failed \(region?.identifier ?? "") \(code(error))") }
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    note("failed \(code(error))")
  }
}

/// A phone at the origin whose user granted every permission, and a beacon.
struct BeaconHall {
  let world: World
  let phone: Phone
  let beacon: BeaconHandle
  let app: BeaconApp

  init(seed: UInt64 = 1, distance: Double = 2, access: LocationAccess = .always) {
    let world = World(seed: seed, drainsMainQueue: false)
    self.world = world
    phone = world.addPhone("Ann", at: [0, 0, 1.2])
    phone.changeLocationAccess(to: access)
    beacon = world.addBeacon("Chest", at: [0, distance, 1.2], uuid: treasureUUID, major: 1, minor: 7)
    app = phone.launch { BeaconApp(now: { world.now }) }
  }

  func range(_ constraint: CLBeaconIdentityConstraint = CLBeaconIdentityConstraint(uuid: treasureUUID)) {
    phone.launch { app.manager.startRangingBeacons(satisfying: constraint) }
  }

  func monitor(_ identifier: String = "hall") {
    app.manager.startMonitoring(for: CLBeaconRegion(uuid: treasureUUID, identifier: identifier))
  }
}
