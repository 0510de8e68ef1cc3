import Foundation
import NearbyBeacons
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyHome
import Synchronization

/// Ranges beacons and monitors beacon regions.
///
/// A manager belongs to the device that is current when it is created: the process's own device or, in a
/// test, the phone whose code creates it. It calls its delegate on the main queue.
///
/// Source: Apple's documentation of `CLLocationManager`.
open class CLLocationManager: NSObject, @unchecked Sendable {
  struct Contents: Sendable {
    var delegate = WeakBox<any CLLocationManagerDelegate>()
    var constraints: [CLBeaconIdentityConstraint] = []
    /// Regions ranged with the API before iOS 13.
    var regions: [CLBeaconRegion] = []
    /// An authorization change still has to be reported, because no delegate was set when it happened.
    var owesAuthorization = false
    /// Completion handlers of pending full-accuracy requests; each is called once, on the main queue.
    var completions: [Int: UncheckedSendable<((any Error)?) -> Void>] = [:]
    var lastRequest = 0
    var settings = Settings()
  }

  /// Settings that are stored but have no effect here.
  struct Settings: Sendable {
    var allowsBackground = false
    var pauses = true
    var showsIndicator = false
    var accuracy = kCLLocationAccuracyBest
    var distanceFilter = kCLDistanceFilterNone
    var headingFilter: CLLocationDegrees = 1
    var headingOrientation = CLDeviceOrientation.portrait
    var activity = CLActivityType.other
  }

  // All stored properties are immutable, except the state behind this lock.
  let contents = Mutex(Contents())
  let device: NearbyDevice
  let service: any LocationSide
  private let relay: LocationRelay
  private let user: LocationUser

  /// Creates a manager for the current device.
  public override init() {
    device = NearbyDevice.bound(for: "CLLocationManager")
    service = device.location
    relay = LocationRelay(device: device)
    user = service.makeUser(relay, role: .manager)
    super.init()
    relay.attach(self)
  }

  deinit { service.release(user) }

  /// Receives the manager's events; held weakly.
  open weak var delegate: (any CLLocationManagerDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      let isOwed = contents.withLock { contents in
        contents.delegate = new
        return contents.owesAuthorization && newValue != nil
      }
      if isOwed { device.app.later { [weak self] in self?.notifyOwedAuthorization() } }
    }
  }

  private func notifyOwedAuthorization() {
    device.perform(on: nil) { [weak self] in
      guard let self, contents.withLock({ $0.owesAuthorization }) else { return }
      notifyAuthorization()
    }
  }

  // MARK: Availability

  /// Whether the user has location services switched on.
  open class func locationServicesEnabled() -> Bool {
    NearbyDevice.bound.location.read { $0.permission.isServiceOn }
  }

  /// Whether regions of this class can be monitored: true for beacon regions if the device has Bluetooth.
  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
    regionClass is CLBeaconRegion.Type && isRangingAvailable()
  }

  /// Whether beacons can be ranged: true if the device has Bluetooth.
  open class func isRangingAvailable() -> Bool { NearbyDevice.bound.bluetooth.currentState != .unsupported }

  /// Always false: there is no compass.
  open class func headingAvailable() -> Bool { false }

  /// Always false, because the device's location is unknown.
  open class func significantLocationChangeMonitoringAvailable() -> Bool { false }

  /// Always false.
  @available(*, deprecated, message: "Not supported since iOS 13")
  open class func deferredLocationUpdatesAvailable() -> Bool { false }

  // MARK: Permission

  /// Whether the user of the current device allows access. Reading it does not prompt the user.
  @available(*, deprecated, message: "Use the manager's property")
  open class func authorizationStatus() -> CLAuthorizationStatus {
    CLAuthorizationStatus(NearbyDevice.bound.location.read { $0.reported })
  }

  /// Whether the user allows access. Reading it does not prompt the user.
  open var authorizationStatus: CLAuthorizationStatus { CLAuthorizationStatus(service.read { $0.reported }) }

  /// How accurately the app may know the location.
  open var accuracyAuthorization: CLAccuracyAuthorization {
    service.read { $0.isReduced } ? .reducedAccuracy : .fullAccuracy
  }

  /// Prompts the user, at most once, for access while the app is in use. Requires
  /// `NSLocationWhenInUseUsageDescription`; without it the call has no effect.
  open func requestWhenInUseAuthorization() {
    service.perform { machine, now in machine.requestWhenInUse(at: now) }
  }

  /// Prompts the user for access at any time: at most once for access while the app is in use, and once for
  /// the extension to always. Requires `NSLocationWhenInUseUsageDescription` and
  /// `NSLocationAlwaysAndWhenInUseUsageDescription`; without them the call has no effect.
  open func requestAlwaysAuthorization() {
    service.perform { machine, now in machine.requestAlways(at: now) }
  }

  /// Prompts the user for full accuracy, valid until the app ends.
  ///
  /// - Parameters:
  ///   - purposeKey: A key of `NSLocationTemporaryUsageDescriptionDictionary`.
  ///   - completion: Called on the main queue, without an error if the app has full accuracy.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)?
  ) {
    let boxed = completion.map { UncheckedSendable($0) }
    let request = contents.withLock { contents in
      contents.lastRequest += 1
      contents.completions[contents.lastRequest] = boxed
      return contents.lastRequest
    }
    service.perform { [user] machine, now in
      machine.requestFullAccuracy(purpose: purposeKey, request: request, of: user, at: now)
    }
  }

  /// Prompts the user for full accuracy, valid until the app ends.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
    requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey, completion: nil)
  }

  /// Prompts the user for full accuracy, valid until the app ends.
  ///
  /// - Throws: `CLError` if the app does not get full accuracy.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey) { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  // MARK: Ranging

  /// The constraints this manager ranges.
  open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> {
    contents.withLock { Set($0.constraints) }
  }

  /// The regions this manager ranges with the API before iOS 13.
  @available(*, deprecated, renamed: "rangedBeaconConstraints")
  open var rangedRegions: Set<CLRegion> { contents.withLock { Set($0.regions) } }

  /// Starts ranging; `didRange` reports the beacons about once per second.
  open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    contents.withLock { if !$0.constraints.contains(constraint) { $0.constraints.append(constraint) } }
    startRanging(constraint.value)
  }

  /// Stops ranging beacons that match the constraint.
  open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    contents.withLock { $0.constraints.removeAll { $0 == constraint } }
    stopRanging(constraint.value)
  }

  /// Starts ranging a region; `didRangeBeacons` reports the beacons about once per second.
  @available(*, deprecated, renamed: "startRangingBeacons(satisfying:)")
  open func startRangingBeacons(in region: CLBeaconRegion) {
    contents.withLock { contents in
      contents.regions.removeAll { $0.identifier == region.identifier }
      contents.regions.append(region)
    }
    startRanging(region.value)
  }

  /// Stops ranging the region with this identifier.
  @available(*, deprecated, renamed: "stopRangingBeacons(satisfying:)")
  open func stopRangingBeacons(in region: CLBeaconRegion) {
    let gone = contents.withLock { contents in
      defer { contents.regions.removeAll { $0.identifier == region.identifier } }
      return contents.regions.filter { $0.identifier == region.identifier }
    }
    for region in gone { stopRanging(region.value) }
  }

  private func startRanging(_ value: BeaconConstraint) {
    service.perform { [user] machine, now in machine.startRanging(value, of: user, at: now) }
  }

  private func stopRanging(_ value: BeaconConstraint) {
    let isWanted = contents.withLock { contents in
      contents.constraints.contains { $0.value == value } || contents.regions.contains { $0.value == value }
    }
    guard !isWanted else { return }
    service.perform { [user] machine, now in machine.stopRanging(value, of: user, at: now) }
  }

  // MARK: Monitoring

  /// The largest region that can be monitored, in metres; -1, because map regions are not supported.
  open var maximumRegionMonitoringDistance: CLLocationDistance { -1 }

  /// The regions monitored for all of the app's managers. Monitoring continues after the app ends.
  open var monitoredRegions: Set<CLRegion> {
    Set(service.read { $0.monitoredRegions }.map { CLBeaconRegion($0) })
  }

  /// Starts monitoring a region, replacing any region with the same identifier. An app can monitor at most 20
  /// regions, including the conditions of its `CLMonitor`s.
  open func startMonitoring(for region: CLRegion) {
    guard let beacons = region as? CLBeaconRegion else { return failMonitoring(region) }
    let monitored = beacons.monitored
    service.perform { [user] machine, now in machine.startMonitoring(monitored, of: user, at: now) }
  }

  private func failMonitoring(_ region: CLRegion) {
    device.app.later { [weak self] in self?.notifyMonitoringFailed(region) }
  }

  private func notifyMonitoringFailed(_ region: CLRegion) {
    device.perform(on: nil) { [weak self] in
      guard let self else { return }
      delegate?.locationManager(
        self, monitoringDidFailFor: region, withError: CLError(.regionMonitoringFailure))
    }
  }

  /// Stops monitoring the region with this identifier.
  open func stopMonitoring(for region: CLRegion) {
    let identifier = region.identifier
    service.perform { machine, now in machine.stopMonitoring(identifier, at: now) }
  }

  /// Reports the state of a region with `didDetermineState`.
  open func requestState(for region: CLRegion) {
    guard let monitored = (region as? CLBeaconRegion)?.monitored else { return failMonitoring(region) }
    service.perform { [user] machine, now in machine.requestState(of: monitored, by: user, at: now) }
  }

  // MARK: Location and heading

  /// Always `nil`.
  open var location: CLLocation? { nil }
  /// Always `nil`.
  open var heading: CLHeading? { nil }

  /// Fails with `locationUnknown`, or with `denied`.
  open func startUpdatingLocation() { requestLocation() }

  /// Cancels a pending failure report.
  open func stopUpdatingLocation() {
    service.perform { [user] machine, _ in machine.forgetLocation(of: user) }
  }

  /// Fails with `locationUnknown`, or with `denied`.
  open func requestLocation() {
    service.perform { [user] machine, _ in machine.requestLocation(of: user) }
  }

  /// Fails with `headingFailure`.
  open func startUpdatingHeading() {
    service.perform { [user] machine, _ in machine.requestHeading(of: user) }
  }

  /// Has no effect.
  open func stopUpdatingHeading() {}

  /// Fails with `locationUnknown`, or with `denied`.
  open func startMonitoringSignificantLocationChanges() { requestLocation() }
  /// Cancels a pending failure report.
  open func stopMonitoringSignificantLocationChanges() { stopUpdatingLocation() }
  /// Has no effect: visits are not detected.
  open func startMonitoringVisits() {}
  /// Has no effect.
  open func stopMonitoringVisits() {}
  /// Has no effect.
  open func dismissHeadingCalibrationDisplay() {}

  /// Always fails: `didFinishDeferredUpdatesWithError` reports `CLError.deferredFailed`, because there is no
  /// GPS hardware.
  @available(*, deprecated, message: "Not supported since iOS 13")
  open func allowDeferredLocationUpdates(
    untilTraveled distance: CLLocationDistance, timeout: TimeInterval
  ) {
    device.app.later { [weak self] in self?.notifyDeferralFailed() }
  }

  private func notifyDeferralFailed() {
    device.perform(on: nil) { [weak self] in
      guard let self else { return }
      delegate?.locationManager(self, didFinishDeferredUpdatesWithError: CLError(.deferredFailed))
    }
  }

  /// Has no effect, because updates are never deferred.
  @available(*, deprecated, message: "Not supported since iOS 13")
  open func disallowDeferredLocationUpdates() {}

  // MARK: Settings that are stored but have no effect here

  private subscript<Value>(setting path: any WritableKeyPath<Settings, Value> & Sendable) -> Value {
    get { contents.withLock { $0.settings[keyPath: path] } }
    set { contents.withLock { $0.settings[keyPath: path] = newValue } }
  }

  /// Whether to deliver locations while the app is in the background.
  open var allowsBackgroundLocationUpdates: Bool {
    get { self[setting: \.allowsBackground] }
    set { self[setting: \.allowsBackground] = newValue }
  }

  /// Whether the system may pause location updates.
  open var pausesLocationUpdatesAutomatically: Bool {
    get { self[setting: \.pauses] }
    set { self[setting: \.pauses] = newValue }
  }

  /// Whether the system shows an indicator for background location updates.
  open var showsBackgroundLocationIndicator: Bool {
    get { self[setting: \.showsIndicator] }
    set { self[setting: \.showsIndicator] = newValue }
  }

  /// The desired accuracy, in metres or as one of the constants.
  open var desiredAccuracy: CLLocationAccuracy {
    get { self[setting: \.accuracy] }
    set { self[setting: \.accuracy] = newValue }
  }

  /// The minimum distance between location updates, in metres.
  open var distanceFilter: CLLocationDistance {
    get { self[setting: \.distanceFilter] }
    set { self[setting: \.distanceFilter] = newValue }
  }

  /// The minimum change between heading updates, in degrees.
  open var headingFilter: CLLocationDegrees {
    get { self[setting: \.headingFilter] }
    set { self[setting: \.headingFilter] = newValue }
  }

  /// The orientation for which headings are computed.
  open var headingOrientation: CLDeviceOrientation {
    get { self[setting: \.headingOrientation] }
    set { self[setting: \.headingOrientation] = newValue }
  }

  /// The kind of movement the app expects.
  open var activityType: CLActivityType {
    get { self[setting: \.activity] }
    set { self[setting: \.activity] = newValue }
  }
}
