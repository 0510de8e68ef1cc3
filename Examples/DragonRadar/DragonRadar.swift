import CoreLocation

/// A radar that leads to one treasure after another, built only on CoreLocation's public API.
///
/// Core Location reports the beacons nearby once per second. The closer the treasure, the brighter and faster
/// the radar. When its proximity is immediate, it counts as found, and the hunt for the next one begins.
public final class DragonRadar: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  // Used on the main queue only.
  private let manager = CLLocationManager()
  private let constraint = CLBeaconIdentityConstraint(uuid: Treasure.uuid, major: Treasure.major)
  private let treasures: [Treasure]
  private let onChange: (RadarState) -> Void

  /// What the radar shows now.
  public private(set) var state = RadarState()

  /// Switches the radar on.
  ///
  /// - Parameters:
  ///   - treasures: The treasures, in the order of the hunt.
  ///   - onChange: Called with the new state once per second and after each find.
  public init(treasures: [Treasure] = Treasure.all, onChange: @escaping (RadarState) -> Void = { _ in }) {
    self.treasures = treasures
    self.onChange = onChange
    super.init()
    manager.delegate = self
  }

  private var hunted: Treasure? { treasures.first { !state.found.contains($0) } }

  private var phase: RadarState.Phase { hunted.map { .hunting($0) } ?? .finished }

  private func change(_ body: (inout RadarState) -> Void) {
    body(&state)
    onChange(state)
  }

  // MARK: CLLocationManagerDelegate

  /// Asks for permission, and starts ranging once the user grants it.
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .notDetermined: manager.requestWhenInUseAuthorization()
    case .authorizedWhenInUse, .authorizedAlways:
      manager.startRangingBeacons(satisfying: constraint)
      let phase = phase
      change { $0.phase = phase }
    case .denied, .restricted: change { $0.phase = .stopped("The radar isn't allowed to use your location.") }
    @unknown default: break
    }
  }

  /// Updates the radar from the beacons nearby, once per second.
  public func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint
  ) {
    guard let hunted else { return }
    let beacon = beacons.first { $0.minor.uint16Value == hunted.minor }
    guard let beacon, beacon.proximity != .unknown else {
      return change {
        $0.phase = .hunting(hunted)
        $0.heard(distance: nil)
      }
    }
    guard beacon.proximity == .immediate else {
      return change {
        $0.phase = .hunting(hunted)
        $0.heard(distance: beacon.accuracy)
      }
    }
    found(hunted)
  }

  private func found(_ treasure: Treasure) {
    let next = treasures.first { $0 != treasure && !state.found.contains($0) }
    change {
      $0.found.append(treasure)
      $0.heard(distance: nil)
      $0.phase = next.map { .hunting($0) } ?? .finished
    }
    if next == nil { manager.stopRangingBeacons(satisfying: constraint) }
  }

  /// Ranging failed, for example because Bluetooth is off.
  public func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error
  ) {
    if case CLError.denied = error { return }
    change { $0.phase = .stopped(error.localizedDescription) }
  }
}
