import CoreLocation

/// The app: a radar for treasures, one after the other, on CoreLocation's public interface alone.
///
/// Once a second it hears of the beacons around. The nearer the hunted one, the brighter and faster the radar; when
/// it is immediate, it is found, and the next is hunted.
public final class DragonRadar: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
  // Used on the main queue only.
  private let manager = CLLocationManager()
  private let constraint = CLBeaconIdentityConstraint(uuid: Treasure.uuid, major: Treasure.major)
  private let treasures: [Treasure]
  private let onChange: (RadarState) -> Void

  /// What it shows now.
  public private(set) var state = RadarState()

  /// Switches the radar on.
  ///
  /// - Parameters:
  ///   - treasures: In the order in which they are hunted.
  ///   - onChange: Called with what it shows, once a second and at each find.
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

  /// Asks, and begins when the answer is yes.
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .notDetermined: manager.requestWhenInUseAuthorization()
    case .authorizedWhenInUse, .authorizedAlways:
      manager.startRangingBeacons(satisfying: constraint)
      let phase = phase
      change { $0.phase = phase }
    case .denied, .restricted: change { $0.phase = .stopped("The radar may not know what is near.") }
    @unknown default: break
    }
  }

  /// Once a second: what is around.
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

  /// Without Bluetooth there is nothing to be heard.
  public func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error
  ) {
    if case CLError.denied = error { return }
    change { $0.phase = .stopped(error.localizedDescription) }
  }
}
