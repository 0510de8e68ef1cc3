import Dispatch
import NearbyDevice
import NearbyDeviceMachine
import Synchronization

/// What a live device's location side starts from.
package struct LocationSetup: Sendable {
  package var permission: LocationPermission
  package var usage: LocationUsage
  package var stored: StoredLocation
  /// Seconds since 1970 now.
  package var date: Double
  package var keeper: any LocationKeeper

  package init(
    permission: LocationPermission, usage: LocationUsage, stored: StoredLocation, date: Double,
    keeper: any LocationKeeper
  ) {
    self.permission = permission
    self.usage = usage
    self.stored = stored
    self.date = date
    self.keeper = keeper
  }
}

extension LocationSetup {
  /// Of a device that keeps nothing, and whose user allows everything.
  package static var inMemory: Self {
    Self(
      permission: LocationPermission(),
      usage: LocationUsage(describesWhenInUse: true, describesAlways: true), stored: StoredLocation(),
      date: 0, keeper: Forgetful())
  }

  private struct Forgetful: LocationKeeper {
    func store(_ stored: StoredLocation) {}
    func store(_ permission: LocationPermission) {}
    func ask(_ question: LocationQuestion, _ answer: @escaping @Sendable (LocationAnswer) -> Void) {
      answer(.allow)
    }
    func notice(_ text: String) { Notice.write(text) }
  }
}

extension LiveDriver {
  private struct Host: LocationHost {
    weak let driver: LiveDriver?
    var app: (any AppSide)? { driver }
    var bluetooth: (any BluetoothSide)? { driver?.bluetooth }
  }

  /// While time stands still it is looked at again so often.
  private static let look = Duration.milliseconds(200)

  package func schedule(at time: Duration, _ body: @escaping @Sendable () -> Void) {
    let left = clock.wait(until: time) ?? Self.look
    // Looked at again: a world's clock may go otherwise than it did.
    let wait = min(max(left, .zero), .seconds(1))
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait / .nanoseconds(1)))) { [weak self] in
      guard let self else { return }
      if clock.now() >= time { body() } else { schedule(at: time, body) }
    }
  }

  package var location: LocationService {
    madeLocation.withLock { made in
      if let made { return made }
      let setup = makeLocation()
      let now = clock.now()
      let machine = LocationMachine(
        permission: setup.permission, usage: setup.usage, stored: setup.stored,
        dateAtZero: setup.date - now / .seconds(1), at: now)
      let service = LocationService(machine: machine, host: Host(driver: self), keeper: setup.keeper)
      made = service
      return service
    }
  }

  /// The person changes what the app may know of places, outside it.
  func changeLocation(_ body: @escaping @Sendable (inout LocationPermission) -> Void) {
    let service = madeLocation.withLock { $0 }
    service?.perform { machine, now in machine.change(at: now, isStored: false, body) }
  }

  func setLocationForeground(_ isInForeground: Bool) {
    let service = madeLocation.withLock { $0 }
    service?.perform { machine, now in machine.setForeground(isInForeground, at: now) }
  }
}
