import Foundation
import NearbyBeacons
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyHome
import Synchronization

/// Ranges beacons and watches regions of them.
///
/// A manager belongs to the device that is current when it is made: the process's own, or in a test the phone whose
/// code makes it. Its delegate is called on the main queue.
///
/// Source: `facts/corelocation.md`, sections 3 and 4.
open class CLLocationManager: NSObject, @unchecked Sendable {
  struct Contents: Sendable {
    var delegate = WeakBox<any CLLocationManagerDelegate>()
    var constraints: [CLBeaconIdentityConstraint] = []
    /// The old form.
    var regions: [CLBeaconRegion] = []
    /// Nobody was there yet to hear what the user allows.
    var owesAuthorization = false
    /// What the app gave to its requests for full accuracy; each is called once, on the main queue.
    var completions: [Int: UncheckedSendable<((any Error)?) -> Void>] = [:]
    var lastRequest = 0
    var settings = Settings()
  }

  /// What apps set and nothing here hangs on.
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

  // What changes is behind the lock.
  let contents = Mutex(Contents())
  let device: NearbyDevice
  let service: any LocationSide
  private let relay: LocationRelay
  private let user: LocationUser

  /// Makes a manager of the device that is current.
  public override init() {
    device = NearbyDevice.bound
    service = device.location
    relay = LocationRelay(device: device)
    user = service.makeUser(relay, role: .manager)
    super.init()
    relay.attach(self)
  }

  deinit { service.release(user) }

  /// Hears what the manager finds. Not kept alive.
  open weak var delegate: (any CLLocationManagerDelegate)? {
    get { contents.withLock { $0.delegate }.object }
    set {
      let new = WeakBox { [weak newValue] in newValue }
      let isOwed = contents.withLock { contents in
        contents.delegate = new
        return contents.owesAuthorization && newValue != nil
      }
      if isOwed { device.app.later { [weak self] in self?.tellOwed() } }
    }
  }

  private func tellOwed() {
    device.perform(on: nil) { [weak self] in
      guard let self, contents.withLock({ $0.owesAuthorization }) else { return }
      tellAuthorization()
    }
  }

  // MARK: What can be done

  /// Whether the user has location services on at all.
  open class func locationServicesEnabled() -> Bool {
    NearbyDevice.bound.location.read { $0.permission.isServiceOn }
  }

  /// Whether regions of this class can be watched: beacons', where there is Bluetooth.
  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
    regionClass is CLBeaconRegion.Type && isRangingAvailable()
  }

  /// Whether there is Bluetooth.
  open class func isRangingAvailable() -> Bool { NearbyDevice.bound.bluetooth.currentState != .unsupported }

  /// Never: there is no compass.
  open class func headingAvailable() -> Bool { false }

  // MARK: Permission

  /// What the user of the current device allows; asks nobody.
  @available(*, deprecated, message: "Use the manager's property")
  open class func authorizationStatus() -> CLAuthorizationStatus {
    CLAuthorizationStatus(NearbyDevice.bound.location.read { $0.reported })
  }

  /// What the user allows; asks nobody.
  open var authorizationStatus: CLAuthorizationStatus { CLAuthorizationStatus(service.read { $0.reported }) }

  /// How exactly the app may know places.
  open var accuracyAuthorization: CLAccuracyAuthorization {
    service.read { $0.isReduced } ? .reducedAccuracy : .fullAccuracy
  }

  /// Asks the user, once. Needs `NSLocationWhenInUseUsageDescription`; without it nothing happens.
  open func requestWhenInUseAuthorization() {
    service.perform { machine, now in machine.requestWhenInUse(at: now) }
  }

  /// Asks the user, once for the use of the app and once for more. Needs `NSLocationWhenInUseUsageDescription` and
  /// `NSLocationAlwaysAndWhenInUseUsageDescription`; without them nothing happens.
  open func requestAlwaysAuthorization() {
    service.perform { machine, now in machine.requestAlways(at: now) }
  }

  /// Asks the user for full accuracy until the app ends.
  ///
  /// - Parameters:
  ///   - purposeKey: In `NSLocationTemporaryUsageDescriptionDictionary`.
  ///   - completion: On the main queue; without an error where the app has full accuracy.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)? = nil
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

  /// Asks the user for full accuracy until the app ends.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey) { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  // MARK: Ranging

  /// What is ranged by this manager.
  open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> {
    contents.withLock { Set($0.constraints) }
  }

  /// Regions that are ranged by this manager, in the old form.
  @available(*, deprecated, renamed: "rangedBeaconConstraints")
  open var rangedRegions: Set<CLRegion> { contents.withLock { Set($0.regions) } }

  /// Ranges beacons: about once a second the delegate hears `didRange`.
  open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    contents.withLock { if !$0.constraints.contains(constraint) { $0.constraints.append(constraint) } }
    startRanging(constraint.value)
  }

  /// Ranges them no longer.
  open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    contents.withLock { $0.constraints.removeAll { $0 == constraint } }
    stopRanging(constraint.value)
  }

  /// Ranges beacons in the old form: the delegate hears `didRangeBeacons`.
  @available(*, deprecated, renamed: "startRangingBeacons(satisfying:)")
  open func startRangingBeacons(in region: CLBeaconRegion) {
    contents.withLock { contents in
      contents.regions.removeAll { $0.identifier == region.identifier }
      contents.regions.append(region)
    }
    startRanging(region.value)
  }

  /// Ranges them no longer.
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

  /// The largest region that can be watched, metres: -1, for there are none on the map.
  open var maximumRegionMonitoringDistance: CLLocationDistance { -1 }

  /// Regions that are watched for all managers of the app. They outlast the app.
  open var monitoredRegions: Set<CLRegion> {
    Set(service.read { $0.monitoredRegions }.map { CLBeaconRegion($0) })
  }

  /// Watches a region, in place of one of the same name. At most 20, those of `CLMonitor` included.
  open func startMonitoring(for region: CLRegion) {
    guard let beacons = region as? CLBeaconRegion else { return failMonitoring(region) }
    let monitored = beacons.monitored
    service.perform { [user] machine, now in machine.startMonitoring(monitored, of: user, at: now) }
  }

  private func failMonitoring(_ region: CLRegion) {
    device.app.later { [weak self] in self?.tellMonitoringFailed(region) }
  }

  private func tellMonitoringFailed(_ region: CLRegion) {
    device.perform(on: nil) { [weak self] in
      guard let self else { return }
      delegate?.locationManager(
        self, monitoringDidFailFor: region, withError: CLError(.regionMonitoringFailure))
    }
  }

  /// Watches the region of that name no longer.
  open func stopMonitoring(for region: CLRegion) {
    let identifier = region.identifier
    service.perform { machine, now in machine.stopMonitoring(identifier, at: now) }
  }

  /// Has the state of a region told: `didDetermineState`.
  open func requestState(for region: CLRegion) {
    guard let monitored = (region as? CLBeaconRegion)?.monitored else { return failMonitoring(region) }
    service.perform { [user] machine, now in machine.requestState(of: monitored, by: user, at: now) }
  }

  // MARK: Where the device is

  /// Never known.
  open var location: CLLocation? { nil }
  /// Never known.
  open var heading: CLHeading? { nil }

  /// Fails with `locationUnknown`, or `denied`.
  open func startUpdatingLocation() { requestLocation() }

  /// Nothing is updated.
  open func stopUpdatingLocation() {
    service.perform { [user] machine, _ in machine.forgetLocation(of: user) }
  }

  /// Fails with `locationUnknown`, or `denied`.
  open func requestLocation() {
    service.perform { [user] machine, _ in machine.requestLocation(of: user) }
  }

  /// Fails with `headingFailure`.
  open func startUpdatingHeading() {
    service.perform { [user] machine, _ in machine.requestHeading(of: user) }
  }

  /// Nothing is updated.
  open func stopUpdatingHeading() {}
}
