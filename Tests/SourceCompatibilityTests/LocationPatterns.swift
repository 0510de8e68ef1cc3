// Code as written by people who know only Apple's module: one import, Swift 5, every usual spelling. It must
// compile.
import CoreLocation

/// Every symbol for beacons, with Apple's type.
@available(*, deprecated)
enum CoreLocationSymbols {
  static let major: CLBeaconMajorValue = UInt16(1)
  static let minor: CLBeaconMinorValue = UInt16(2)
  static let accuracy: CLLocationAccuracy = Double(1)
  static let distance: CLLocationDistance = Double(1)
  static let degrees: CLLocationDegrees = Double(1)
  static let direction: CLLocationDirection = Double(1)
  static let proximities: [CLProximity] = [.unknown, .immediate, .near, .far]
  static let states: [CLRegionState] = [.unknown, .inside, .outside]
  static let statuses: [CLAuthorizationStatus] = [
    .notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse, .authorized,
  ]
  static let accuracies: [CLAccuracyAuthorization] = [.fullAccuracy, .reducedAccuracy]
  static let codes: [CLError.Code] = [
    .locationUnknown, .denied, .network, .headingFailure, .regionMonitoringDenied, .regionMonitoringFailure,
    .regionMonitoringSetupDelayed, .regionMonitoringResponseDelayed, .geocodeFoundNoResult,
    .geocodeFoundPartialResult, .geocodeCanceled, .deferredFailed, .deferredNotUpdatingLocation,
    .deferredAccuracyTooLow, .deferredDistanceFiltered, .deferredCanceled, .rangingUnavailable,
    .rangingFailure, .promptDeclined, .historicalLocationError,
  ]
  static let constants: [Double] = [
    kCLLocationAccuracyBest, kCLLocationAccuracyBestForNavigation, kCLDistanceFilterNone,
  ]
  static let domain: String = kCLErrorDomain

  static func values(_ uuid: UUID) {
    let constraint = CLBeaconIdentityConstraint(uuid: uuid, major: 1, minor: 2)
    _ = [CLBeaconIdentityConstraint(uuid: uuid), CLBeaconIdentityConstraint(uuid: uuid, major: 1)]
    let (_, _, _): (UUID, UInt16?, UInt16?) = (constraint.uuid, constraint.major, constraint.minor)
    let regions = [
      CLBeaconRegion(uuid: uuid, identifier: "a"), CLBeaconRegion(uuid: uuid, major: 1, identifier: "a"),
      CLBeaconRegion(uuid: uuid, major: 1, minor: 2, identifier: "a"),
      CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: "a"),
      CLBeaconRegion(proximityUUID: uuid, identifier: "a"),
      CLBeaconRegion(proximityUUID: uuid, major: 1, identifier: "a"),
      CLBeaconRegion(proximityUUID: uuid, major: 1, minor: 2, identifier: "a"),
    ]
    let region: CLRegion = regions[0]
    region.notifyOnEntry = true
    region.notifyOnExit = true
    let _: String = region.identifier
    regions[0].notifyEntryStateOnDisplay = true
    let (_, _): (UUID, UUID) = (regions[0].uuid, regions[0].proximityUUID)
    let (_, _): (NSNumber?, NSNumber?) = (regions[0].major, regions[0].minor)
    let _: CLBeaconIdentityConstraint = regions[0].beaconIdentityConstraint
    let data: NSMutableDictionary = regions[0].peripheralData(withMeasuredPower: nil)
    _ = data as? [String: Any]
    _ = (region as? CLBeaconRegion)?.copy()
    let _: any NSSecureCoding = region
  }

  static func beacon(_ beacon: CLBeacon) -> [Any] {
    let numbers: (NSNumber, NSNumber) = (beacon.major, beacon.minor)
    let rest: (UUID, UUID, CLProximity, CLLocationAccuracy, Int, Date) = (
      beacon.uuid, beacon.proximityUUID, beacon.proximity, beacon.accuracy, beacon.rssi, beacon.timestamp
    )
    return [numbers, rest, "\(beacon.minor.intValue)", beacon.major.uint16Value]
  }

  static func error(_ error: any Error) -> String {
    if case CLError.denied = error { return "denied" }
    if let error = error as? CLError {
      _ = error.alternateRegion
      switch error.code {
      case .locationUnknown: return "unknown"
      default: return error.localizedDescription
      }
    }
    return "\((error as NSError).code)"
  }

  static func manager(_ manager: CLLocationManager, _ region: CLBeaconRegion) {
    let constraint = region.beaconIdentityConstraint
    let _: (Bool, Bool, Bool, Bool) = (
      CLLocationManager.locationServicesEnabled(),
      CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self),
      CLLocationManager.isRangingAvailable(), CLLocationManager.headingAvailable()
    )
    let _: CLAuthorizationStatus = CLLocationManager.authorizationStatus()
    let _: CLAuthorizationStatus = manager.authorizationStatus
    let _: CLAccuracyAuthorization = manager.accuracyAuthorization
    manager.requestWhenInUseAuthorization()
    manager.requestAlwaysAuthorization()
    manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Hunt")
    manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Hunt") { error in _ = error }
    manager.allowsBackgroundLocationUpdates = true
    manager.pausesLocationUpdatesAutomatically = false
    manager.desiredAccuracy = kCLLocationAccuracyBest
    manager.distanceFilter = kCLDistanceFilterNone
    let (_, _): (CLLocation?, CLHeading?) = (manager.location, manager.heading)
    manager.startUpdatingLocation()
    manager.stopUpdatingLocation()
    manager.requestLocation()
    manager.startUpdatingHeading()
    manager.stopUpdatingHeading()
    let _: CLLocationDistance = manager.maximumRegionMonitoringDistance
    let (_, _): (Set<CLRegion>, Set<CLRegion>) = (manager.monitoredRegions, manager.rangedRegions)
    let _: Set<CLBeaconIdentityConstraint> = manager.rangedBeaconConstraints
    manager.startMonitoring(for: region)
    manager.requestState(for: region)
    manager.stopMonitoring(for: region)
    manager.startRangingBeacons(in: region)
    manager.stopRangingBeacons(in: region)
    manager.startRangingBeacons(satisfying: constraint)
    manager.stopRangingBeacons(satisfying: constraint)
  }

  static func monitor(_ uuid: UUID) async throws {
    let monitor = await CLMonitor("name")
    await monitor.add(CLMonitor.BeaconIdentityCondition(uuid: uuid), identifier: "a")
    await monitor.add(
      CLMonitor.BeaconIdentityCondition(uuid: uuid, major: 1), identifier: "a", assuming: .unsatisfied)
    let condition = CLMonitor.BeaconIdentityCondition(uuid: uuid, major: 1, minor: 2)
    let _: (UUID, UInt16?, UInt16?) = (condition.uuid, condition.major, condition.minor)
    let circle = CLMonitor.CircularGeographicCondition(
      center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 3)
    let _: (CLLocationCoordinate2D, CLLocationDistance) = (circle.center, circle.radius)
    await monitor.remove("a")
    let _: [String] = await monitor.identifiers
    if let record = await monitor.record(for: "a") {
      let (_, _): (any CLCondition, CLMonitor.Event) = (record.condition, record.lastEvent)
    }
    for try await event in await monitor.events {
      let _: (String, CLMonitor.Event.State, Date) = (event.identifier, event.state, event.date)
      let _: (any CLCondition)? = event.refinement
      switch event.state {
      case .satisfied, .unsatisfied, .unknown, .unmonitored: break
      @unknown default: break
      }
      let _: [Bool] = [
        event.authorizationDenied, event.authorizationDeniedGlobally, event.authorizationRestricted,
        event.authorizationRequestInProgress, event.insufficientlyInUse, event.accuracyLimited,
        event.conditionUnsupported, event.conditionLimitExceeded, event.persistenceUnavailable,
        event.serviceSessionRequired,
      ]
    }
    for try await event in monitor.events { _ = event }
  }

  static func place(_ location: CLLocation, _ heading: CLHeading) -> [Any] {
    [
      location.coordinate.latitude, location.altitude, location.horizontalAccuracy, location.course,
      location.timestamp, CLLocation(latitude: 1, longitude: 2).distance(from: location),
      heading.magneticHeading, heading.trueHeading, heading.headingAccuracy, heading.timestamp,
    ]
  }
}

/// An app that implements all methods of the delegate.
@available(*, deprecated)
class BeaconController: NSObject, CLLocationManagerDelegate {
  let locationManager = CLLocationManager()
  var beacons = [CLProximity: [CLBeacon]]()
  var constraints = [CLBeaconIdentityConstraint: [CLBeacon]]()
  var heard: [String] = []

  func viewDidLoad(uuid: UUID) {
    locationManager.delegate = self
    locationManager.requestWhenInUseAuthorization()
    if CLLocationManager.isMonitoringAvailable(for: CLBeaconRegion.self) {
      let region = CLBeaconRegion(proximityUUID: uuid, identifier: "MyBeacon")
      locationManager.startMonitoring(for: region)
      locationManager.startRangingBeacons(in: region)
      locationManager.startRangingBeacons(satisfying: region.beaconIdentityConstraint)
    }
  }

  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {
    constraints[beaconConstraint] = beacons
    for range in [CLProximity.unknown, .immediate, .near, .far] {
      self.beacons[range] = beacons.filter { $0.proximity == range }
    }
    guard let nearest = beacons.first else { return }
    heard.append(String(format: "%.2f m, %d dBm", nearest.accuracy, nearest.rssi))
  }
  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint, error: Error
  ) { heard.append(CoreLocationSymbols.error(error)) }
  func locationManager(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion
  ) { heard.append("old \(region.identifier) \(beacons.count)") }
  func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion, withError error: Error
  ) {}
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    guard let region = region as? CLBeaconRegion else { return }
    heard.append("entered \(region.identifier)")
  }
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    switch state {
    case .inside: heard.append("inside")
    case .outside: heard.append("outside")
    case .unknown: heard.append("unknown")
    }
  }
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    manager.requestState(for: region)
  }
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: Error
  ) {}
  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {}
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .authorizedAlways, .authorizedWhenInUse: heard.append("authorised")
    case .denied, .restricted, .notDetermined: break
    @unknown default: break
    }
  }
  func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {}
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {}
}
