import CoreLocation
import os

public protocol BeaconRanging: AnyObject {
  var nearest: CLBeacon? { get }
  func start(_ uuid: UUID)
}

public final class BeaconRanger: NSObject, BeaconRanging, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private let logger = Logger(subsystem: "beacons", category: "ranging")
  public private(set) var nearest: CLBeacon?

  public func start(_ uuid: UUID) {
    manager.delegate = self
    manager.requestAlwaysAuthorization()
    let region = CLBeaconRegion(uuid: uuid, identifier: "shop")
    region.notifyEntryStateOnDisplay = true
    manager.startMonitoring(for: region)
    manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: uuid))
  }

  public func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon], satisfying constraint: CLBeaconIdentityConstraint
  ) {
    nearest = beacons.filter { $0.proximity != .unknown }.min { $0.accuracy < $1.accuracy }
    if let nearest {
      logger.info("\(nearest.major.intValue, privacy: .public).\(nearest.minor) at \(nearest.accuracy) m")
    }
  }

  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    logger.notice("in \(region.identifier)")
  }
}
