import Foundation
import NearbyBeacons
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import Synchronization

/// Delivers events to a manager on the main queue without keeping the manager alive.
typealias LocationRelay = Relay<CLLocationManager, LocationEvent>

extension LocationRelay: LocationSink {}

extension LocationRelay {
  convenience init(device: NearbyDevice) {
    self.init(holdingEarlyEventsFor: { device.app.later($0) }) { relay, event in
      device.perform(on: nil) { relay.owner?.report(event) }
    }
  }
}

extension CLAuthorizationStatus {
  init(_ authorization: LocationAuthorization) {
    self = CLAuthorizationStatus(rawValue: authorization.rawValue) ?? .notDetermined
  }
}

extension CLLocationManager {
  /// Passes an event to the delegate; runs on the main queue.
  func report(_ event: LocationEvent) {
    switch event {
    case .authorization: notifyAuthorization()
    case .ranged(let report): ranged(report)
    case .rangingFailed(let constraint, let failure): rangingFailed(constraint, CLError(failure: failure))
    case .started(let region):
      delegate?.locationManager(self, didStartMonitoringFor: CLBeaconRegion(region))
    case .monitoringFailed(let region, let failure):
      delegate?.locationManager(
        self, monitoringDidFailFor: CLBeaconRegion(region), withError: CLError(failure: failure))
    case .entered(let region): delegate?.locationManager(self, didEnterRegion: CLBeaconRegion(region))
    case .exited(let region): delegate?.locationManager(self, didExitRegion: CLBeaconRegion(region))
    case .determined(let state, let region):
      delegate?.locationManager(
        self, didDetermineState: CLRegionState(rawValue: state.rawValue) ?? .unknown,
        for: CLBeaconRegion(region))
    case .fullAccuracy(let request, let failure):
      let completion = contents.withLock { $0.completions.removeValue(forKey: request) }
      completion?.value(failure.map { CLError(failure: $0) })
    case .failed(let failure): delegate?.locationManager(self, didFailWithError: CLError(failure: failure))
    case .condition: break
    }
  }

  func notifyAuthorization() {
    let delegate = contents.withLock { contents in
      contents.owesAuthorization = contents.delegate.object == nil
      return contents.delegate
    }
    delegate.object?.locationManagerDidChangeAuthorization(self)
  }

  private func ranged(_ report: RangingReport) {
    let beacons = report.beacons.map { CLBeacon($0, dateAtZero: service.dateAtZero) }
    let (constraints, regions) = wanted(report.constraint)
    for constraint in constraints {
      delegate?.locationManager(self, didRange: beacons, satisfying: constraint)
    }
    for region in regions { delegate?.locationManager(self, didRangeBeacons: beacons, in: region) }
  }

  private func rangingFailed(_ constraint: BeaconConstraint, _ error: CLError) {
    let (constraints, regions) = wanted(constraint)
    for constraint in constraints {
      delegate?.locationManager(self, didFailRangingFor: constraint, error: error)
    }
    for region in regions {
      delegate?.locationManager(self, rangingBeaconsDidFailFor: region, withError: error)
    }
  }

  /// The app's constraints and regions with this value; both are empty if the app has stopped ranging
  /// meanwhile.
  private func wanted(
    _ constraint: BeaconConstraint
  ) -> (constraints: [CLBeaconIdentityConstraint], regions: [CLBeaconRegion]) {
    contents.withLock { contents in
      (
        contents.constraints.filter { $0.value == constraint },
        contents.regions.filter { $0.value == constraint }
      )
    }
  }
}
