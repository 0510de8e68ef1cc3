// swift-format-ignore-file
// Uses every public name of our CoreLocation once, with exactly Apple's type.
import CoreLocation

enum EveryLocationName {
  static func region(_ region: CLRegion) {
    let _: KeyPath<CLRegion, String> = \.identifier
    let _: ReferenceWritableKeyPath<CLRegion, Bool> = \.notifyOnEntry
    let _: ReferenceWritableKeyPath<CLRegion, Bool> = \.notifyOnExit
    let _: NSObject & NSCopying & NSSecureCoding = region
  }

  static func constraint(_ constraint: CLBeaconIdentityConstraint) {
    let _: (UUID) -> CLBeaconIdentityConstraint = CLBeaconIdentityConstraint.init(uuid:)
    let _: (UUID, CLBeaconMajorValue) -> CLBeaconIdentityConstraint = CLBeaconIdentityConstraint.init(uuid:major:)
    let _: (UUID, CLBeaconMajorValue, CLBeaconMinorValue) -> CLBeaconIdentityConstraint =
      CLBeaconIdentityConstraint.init(uuid:major:minor:)
    let _: KeyPath<CLBeaconIdentityConstraint, UUID> = \.uuid
    let _: KeyPath<CLBeaconIdentityConstraint, UInt16?> = \.major
    let _: KeyPath<CLBeaconIdentityConstraint, UInt16?> = \.minor
    let _: NSObject & NSCopying & NSSecureCoding = constraint
    let _: Set<CLBeaconIdentityConstraint> = [constraint]
  }

  static func beaconRegion(_ region: CLBeaconRegion) {
    let _: (UUID, String) -> CLBeaconRegion = CLBeaconRegion.init(uuid:identifier:)
    let _: (UUID, CLBeaconMajorValue, String) -> CLBeaconRegion = CLBeaconRegion.init(uuid:major:identifier:)
    let _: (UUID, CLBeaconMajorValue, CLBeaconMinorValue, String) -> CLBeaconRegion =
      CLBeaconRegion.init(uuid:major:minor:identifier:)
    let _: (CLBeaconIdentityConstraint, String) -> CLBeaconRegion =
      CLBeaconRegion.init(beaconIdentityConstraint:identifier:)
    let _: (NSNumber?) -> NSMutableDictionary = region.peripheralData(withMeasuredPower:)
    let _: KeyPath<CLBeaconRegion, CLBeaconIdentityConstraint> = \.beaconIdentityConstraint
    let _: KeyPath<CLBeaconRegion, UUID> = \.uuid
    let _: KeyPath<CLBeaconRegion, NSNumber?> = \.major
    let _: KeyPath<CLBeaconRegion, NSNumber?> = \.minor
    let _: ReferenceWritableKeyPath<CLBeaconRegion, Bool> = \.notifyEntryStateOnDisplay
    let _: CLRegion = region
  }

  static func beacon(_ beacon: CLBeacon) {
    let _: () -> CLBeacon = CLBeacon.init
    let _: KeyPath<CLBeacon, UUID> = \.uuid
    let _: KeyPath<CLBeacon, NSNumber> = \.major
    let _: KeyPath<CLBeacon, NSNumber> = \.minor
    let _: KeyPath<CLBeacon, CLProximity> = \.proximity
    let _: KeyPath<CLBeacon, CLLocationAccuracy> = \.accuracy
    let _: KeyPath<CLBeacon, Int> = \.rssi
    let _: KeyPath<CLBeacon, Date> = \.timestamp
    let _: NSObject & NSCopying & NSSecureCoding = beacon
  }

  static func manager(_ manager: CLLocationManager) {
    let _: () -> CLLocationManager = CLLocationManager.init
    let _: ReferenceWritableKeyPath<CLLocationManager, CLLocationManagerDelegate?> = \.delegate
    let _: () -> Bool = CLLocationManager.locationServicesEnabled
    let _: (AnyClass) -> Bool = CLLocationManager.isMonitoringAvailable(for:)
    let _: () -> Bool = CLLocationManager.isRangingAvailable
    let _: () -> Bool = CLLocationManager.headingAvailable
    let _: KeyPath<CLLocationManager, CLAuthorizationStatus> = \.authorizationStatus
    let _: KeyPath<CLLocationManager, CLAccuracyAuthorization> = \.accuracyAuthorization
    let _: () -> Void = manager.requestWhenInUseAuthorization
    let _: () -> Void = manager.requestAlwaysAuthorization
    let _: (String, ((Error?) -> Void)?) -> Void =
      manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey:completion:)
    let _: ReferenceWritableKeyPath<CLLocationManager, Bool> = \.allowsBackgroundLocationUpdates
    let _: ReferenceWritableKeyPath<CLLocationManager, Bool> = \.pausesLocationUpdatesAutomatically
    let _: ReferenceWritableKeyPath<CLLocationManager, CLLocationAccuracy> = \.desiredAccuracy
    let _: ReferenceWritableKeyPath<CLLocationManager, CLLocationDistance> = \.distanceFilter
    let _: ReferenceWritableKeyPath<CLLocationManager, CLActivityType> = \.activityType
    let _: ReferenceWritableKeyPath<CLLocationManager, Bool> = \.showsBackgroundLocationIndicator
    let _: () -> Bool = CLLocationManager.significantLocationChangeMonitoringAvailable
    let _: KeyPath<CLLocationManager, CLLocation?> = \.location
    let _: KeyPath<CLLocationManager, CLHeading?> = \.heading
    let _: [() -> Void] = [
      manager.startUpdatingLocation, manager.stopUpdatingLocation, manager.requestLocation,
      manager.startUpdatingHeading, manager.stopUpdatingHeading,
      manager.startMonitoringSignificantLocationChanges, manager.stopMonitoringSignificantLocationChanges,
      manager.startMonitoringVisits, manager.stopMonitoringVisits,
    ]
    let _: KeyPath<CLLocationManager, CLLocationDistance> = \.maximumRegionMonitoringDistance
    let _: KeyPath<CLLocationManager, Set<CLRegion>> = \.monitoredRegions
    let _: KeyPath<CLLocationManager, Set<CLBeaconIdentityConstraint>> = \.rangedBeaconConstraints
    let _: (CLRegion) -> Void = manager.startMonitoring(for:)
    let _: (CLRegion) -> Void = manager.stopMonitoring(for:)
    let _: (CLRegion) -> Void = manager.requestState(for:)
    let _: (CLBeaconIdentityConstraint) -> Void = manager.startRangingBeacons(satisfying:)
    let _: (CLBeaconIdentityConstraint) -> Void = manager.stopRangingBeacons(satisfying:)
  }

  /// The API from before iOS 13 and 14, which apps still use.
  @available(*, deprecated)
  static func old(_ manager: CLLocationManager, _ delegate: CLLocationManagerDelegate) {
    let _: () -> CLAuthorizationStatus = CLLocationManager.authorizationStatus
    let _: CLAuthorizationStatus = .authorized
    let _: () -> Bool = CLLocationManager.deferredLocationUpdatesAvailable
    let _: (CLLocationDistance, TimeInterval) -> Void = manager.allowDeferredLocationUpdates(untilTraveled:timeout:)
    let _: () -> Void = manager.disallowDeferredLocationUpdates
    let _: (UUID, String) -> CLBeaconRegion = CLBeaconRegion.init(proximityUUID:identifier:)
    let _: (UUID, CLBeaconMajorValue, String) -> CLBeaconRegion = CLBeaconRegion.init(proximityUUID:major:identifier:)
    let _: (UUID, CLBeaconMajorValue, CLBeaconMinorValue, String) -> CLBeaconRegion =
      CLBeaconRegion.init(proximityUUID:major:minor:identifier:)
    let _: KeyPath<CLBeaconRegion, UUID> = \.proximityUUID
    let _: KeyPath<CLBeacon, UUID> = \.proximityUUID
    let _: KeyPath<CLLocationManager, Set<CLRegion>> = \.rangedRegions
    let _: (CLBeaconRegion) -> Void = manager.startRangingBeacons(in:)
    let _: (CLBeaconRegion) -> Void = manager.stopRangingBeacons(in:)
    let _: (CLLocationManager, CLAuthorizationStatus) -> Void = delegate.locationManager(_:didChangeAuthorization:)
    let _: (CLLocationManager, [CLBeacon], CLBeaconRegion) -> Void = delegate.locationManager(_:didRangeBeacons:in:)
    let _: (CLLocationManager, CLBeaconRegion, Error) -> Void =
      delegate.locationManager(_:rangingBeaconsDidFailFor:withError:)
  }

  static func delegate(_ delegate: CLLocationManagerDelegate) {
    let _: (CLLocationManager, [CLBeacon], CLBeaconIdentityConstraint) -> Void =
      delegate.locationManager(_:didRange:satisfying:)
    let _: (CLLocationManager, CLBeaconIdentityConstraint, Error) -> Void =
      delegate.locationManager(_:didFailRangingFor:error:)
    let _: (CLLocationManager, CLRegion) -> Void = delegate.locationManager(_:didEnterRegion:)
    let _: (CLLocationManager, CLRegion) -> Void = delegate.locationManager(_:didExitRegion:)
    let _: (CLLocationManager, CLRegionState, CLRegion) -> Void = delegate.locationManager(_:didDetermineState:for:)
    let _: (CLLocationManager, CLRegion) -> Void = delegate.locationManager(_:didStartMonitoringFor:)
    let _: (CLLocationManager, CLRegion?, Error) -> Void = delegate.locationManager(_:monitoringDidFailFor:withError:)
    let _: (CLLocationManager, Error) -> Void = delegate.locationManager(_:didFailWithError:)
    let _: (CLLocationManager) -> Void = delegate.locationManagerDidChangeAuthorization(_:)
    let _: (CLLocationManager, [CLLocation]) -> Void = delegate.locationManager(_:didUpdateLocations:)
    let _: (CLLocationManager, CLHeading) -> Void = delegate.locationManager(_:didUpdateHeading:)
    let _: (CLLocationManager, CLVisit) -> Void = delegate.locationManager(_:didVisit:)
    let _: (CLLocationManager, Error?) -> Void = delegate.locationManager(_:didFinishDeferredUpdatesWithError:)
    let _: (CLLocationManager) -> Bool = delegate.locationManagerShouldDisplayHeadingCalibration(_:)
    let _: (CLLocationManager) -> Void = delegate.locationManagerDidPauseLocationUpdates(_:)
    let _: (CLLocationManager) -> Void = delegate.locationManagerDidResumeLocationUpdates(_:)
  }

  static func monitor() async throws {
    let _: (String) async -> CLMonitor = CLMonitor.init(_:)
    let monitor = await CLMonitor("every name")
    let uuid = UUID()
    let condition: CLMonitor.BeaconIdentityCondition = CLMonitor.BeaconIdentityCondition(uuid: uuid)
    let _: (UUID) -> CLMonitor.BeaconIdentityCondition = CLMonitor.BeaconIdentityCondition.init(uuid:)
    let _: (UUID, UInt16) -> CLMonitor.BeaconIdentityCondition = CLMonitor.BeaconIdentityCondition.init(uuid:major:)
    let _: (UUID, UInt16, UInt16) -> CLMonitor.BeaconIdentityCondition =
      CLMonitor.BeaconIdentityCondition.init(uuid:major:minor:)
    let _: (UUID, UInt16?, UInt16?) = (condition.uuid, condition.major, condition.minor)
    let _: (CLLocationCoordinate2D, CLLocationDistance) -> CLMonitor.CircularGeographicCondition =
      CLMonitor.CircularGeographicCondition.init(center:radius:)
    let circle = CLMonitor.CircularGeographicCondition(center: kCLLocationCoordinate2DInvalid, radius: 1)
    let _: (CLLocationCoordinate2D, CLLocationDistance) = (circle.center, circle.radius)
    let conditions: [CLCondition] = [condition, circle]
    await monitor.add(conditions[0], identifier: "a")
    await monitor.add(conditions[1], identifier: "b", assuming: .unsatisfied)
    await monitor.remove("b")
    let record: CLMonitor.Record? = await monitor.record(for: "a")
    let _: CLCondition? = record?.condition
    let last: CLMonitor.Event? = record?.lastEvent
    let _: (String?, CLMonitor.Event.State?, Date?) = (last?.identifier, last?.state, last?.date)
    let _: CLCondition? = last?.refinement
    let _: [String] = await monitor.identifiers
    let events: CLMonitor.Events = monitor.events
    for try await event in events {
      let _: CLMonitor.Event = event
    }
  }
  static let monitored: [CLMonitor.Event.State] = [.unknown, .satisfied, .unsatisfied, .unmonitored]
  static func trouble(_ event: CLMonitor.Event) -> [Bool] {
    [
      event.authorizationDenied, event.authorizationDeniedGlobally, event.authorizationRestricted,
      event.authorizationRequestInProgress, event.insufficientlyInUse, event.accuracyLimited,
      event.conditionUnsupported, event.conditionLimitExceeded, event.persistenceUnavailable,
      event.serviceSessionRequired,
    ]
  }

  static func visits(_ visit: CLVisit, _ floor: CLFloor, _ source: CLLocationSourceInformation) {
    let _: () -> CLVisit = CLVisit.init
    let _: (KeyPath<CLVisit, Date>, KeyPath<CLVisit, Date>) = (\.arrivalDate, \.departureDate)
    let _: KeyPath<CLVisit, CLLocationCoordinate2D> = \.coordinate
    let _: KeyPath<CLVisit, CLLocationAccuracy> = \.horizontalAccuracy
    let _: KeyPath<CLFloor, Int> = \.level
    let _: (Bool, Bool) -> CLLocationSourceInformation =
      CLLocationSourceInformation.init(softwareSimulationState:andExternalAccessoryState:)
    let _: KeyPath<CLLocationSourceInformation, Bool> = \.isSimulatedBySoftware
    let _: KeyPath<CLLocationSourceInformation, Bool> = \.isProducedByAccessory
  }

  static func created() {
    let _: () -> CLLocation = CLLocation.init
    let _: (CLLocationCoordinate2D, Double, Double, Double, Date) -> CLLocation =
      CLLocation.init(coordinate:altitude:horizontalAccuracy:verticalAccuracy:timestamp:)
    let _: (CLLocationCoordinate2D, Double, Double, Double, Double, Double, Date) -> CLLocation =
      CLLocation.init(coordinate:altitude:horizontalAccuracy:verticalAccuracy:course:speed:timestamp:)
    let _: (CLLocationCoordinate2D, Double, Double, Double, Double, Double, Double, Double, Date) -> CLLocation =
      CLLocation.init(coordinate:altitude:horizontalAccuracy:verticalAccuracy:course:courseAccuracy:speed:speedAccuracy:timestamp:)
    let _:
      (
        CLLocationCoordinate2D, Double, Double, Double, Double, Double, Double, Double, Date, CLLocationSourceInformation
      ) -> CLLocation =
      CLLocation.init(coordinate:altitude:horizontalAccuracy:verticalAccuracy:course:courseAccuracy:speed:speedAccuracy:timestamp:sourceInfo:)
    let _: () -> CLHeading = CLHeading.init
  }

  static func places(_ location: CLLocation, _ heading: CLHeading) {
    let _: (CLLocationDegrees, CLLocationDegrees) -> CLLocation = CLLocation.init(latitude:longitude:)
    let _: (CLLocationDegrees, CLLocationDegrees) -> CLLocationCoordinate2D =
      CLLocationCoordinate2D.init(latitude:longitude:)
    let _: KeyPath<CLLocation, CLLocationCoordinate2D> = \.coordinate
    let _: KeyPath<CLLocation, CLLocationDistance> = \.altitude
    let _: KeyPath<CLLocation, CLLocationAccuracy> = \.horizontalAccuracy
    let _: KeyPath<CLLocation, CLLocationAccuracy> = \.verticalAccuracy
    let _: KeyPath<CLLocation, CLLocationDirection> = \.course
    let _: KeyPath<CLLocation, CLLocationDirectionAccuracy> = \.courseAccuracy
    let _: KeyPath<CLLocation, CLLocationSpeed> = \.speed
    let _: KeyPath<CLLocation, CLLocationSpeedAccuracy> = \.speedAccuracy
    let _: KeyPath<CLLocation, CLFloor?> = \.floor
    let _: KeyPath<CLLocation, CLLocationSourceInformation?> = \.sourceInformation
    let _: KeyPath<CLLocation, Date> = \.timestamp
    let _: (CLLocation) -> CLLocationDistance = location.distance(from:)
    let _: WritableKeyPath<CLLocationCoordinate2D, CLLocationDegrees> = \.latitude
    let _: WritableKeyPath<CLLocationCoordinate2D, CLLocationDegrees> = \.longitude
    let _: [KeyPath<CLHeading, CLHeadingComponentValue>] = [\.x, \.y, \.z]
    let _: KeyPath<CLHeading, CLLocationDirection> = \.magneticHeading
    let _: KeyPath<CLHeading, CLLocationDirection> = \.trueHeading
    let _: KeyPath<CLHeading, CLLocationDirection> = \.headingAccuracy
    let _: KeyPath<CLHeading, Date> = \.timestamp
  }
  static let accuracies: [CLLocationAccuracy] = [kCLLocationAccuracyBest, kCLLocationAccuracyBestForNavigation]
  static let filter: CLLocationDistance = kCLDistanceFilterNone

  static let proximities: [CLProximity] = [.unknown, .immediate, .near, .far]
  static let statuses: [CLAuthorizationStatus] = [
    .notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse,
  ]
  static let precisions: [CLAccuracyAuthorization] = [.fullAccuracy, .reducedAccuracy]
  /// A closed enum as in Apple's module: a switch needs no default.
  static func isInside(_ state: CLRegionState) -> Bool? {
    switch state {
    case .unknown: nil
    case .inside: true
    case .outside: false
    }
  }

  static func error(_ error: CLError) {
    let _: KeyPath<CLError, CLError.Code> = \.code
    let _: KeyPath<CLError, CLRegion?> = \.alternateRegion
  }
  static let codes: [CLError.Code] = [
    .locationUnknown, .denied, .network, .headingFailure, .regionMonitoringDenied, .regionMonitoringFailure,
    .regionMonitoringSetupDelayed, .regionMonitoringResponseDelayed, .geocodeFoundNoResult,
    .geocodeFoundPartialResult, .geocodeCanceled, .deferredFailed, .deferredNotUpdatingLocation,
    .deferredAccuracyTooLow, .deferredDistanceFiltered, .deferredCanceled, .rangingUnavailable, .rangingFailure,
    .promptDeclined, .historicalLocationError,
  ]
  static let domains: [String] = [kCLErrorDomain, CLError.errorDomain]
}
