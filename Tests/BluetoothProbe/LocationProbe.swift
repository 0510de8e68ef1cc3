import CoreLocation
import Foundation

/// An app that ranges and monitors beacons of one UUID, and prints its events as one JSON object per line.
enum LocationProbe {
  static func run() {
    let hunter = Hunter()
    withExtendedLifetime(hunter) { RunLoop.main.run() }
  }
}

private final class Hunter: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private let region: CLBeaconRegion
  private let start = ContinuousClock.now

  override init() {
    guard let uuid = UUID(uuidString: Probe.beacon) else { preconditionFailure("no UUID: \(Probe.beacon)") }
    region = CLBeaconRegion(uuid: uuid, identifier: "treasure")
    super.init()
    manager.delegate = self
    manager.requestAlwaysAuthorization()
    manager.startMonitoring(for: region)
    manager.startRangingBeacons(satisfying: region.beaconIdentityConstraint)
  }

  private func say(_ event: String, _ more: [String: Any] = [:]) {
    var line = more
    line["event"] = event
    line["t"] = (ContinuousClock.now - start) / .seconds(1)
    PhoneProbe.say(line)
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    say("authorization", ["status": Int(manager.authorizationStatus.rawValue)])
  }

  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {
    say("ranged", ["count": beacons.count])
    for beacon in beacons {
      say(
        "beacon",
        [
          "major": beacon.major, "minor": beacon.minor, "rssi": beacon.rssi, "accuracy": beacon.accuracy,
          "zone": beacon.proximity.rawValue,
        ])
    }
  }

  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error
  ) { say("rangingFailed", ["text": "\(error)"]) }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    say("enter", ["region": region.identifier])
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    say("exit", ["region": region.identifier])
  }
}
