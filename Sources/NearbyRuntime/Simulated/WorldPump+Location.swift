import NearbyBluetooth
import NearbyConcurrency
import Synchronization

/// The location side of one simulated device, and its user.
struct SimulatedLocation: Sendable {
  /// Of the launch of the app that runs now; made when it is first asked for.
  var service: LocationService?
  var permission = LocationPermission()
  var usage = LocationUsage(describesWhenInUse: true, describesAlways: true)
  /// What the last launch left behind.
  var stored = StoredLocation()
  /// What the user says when asked; `nil` leaves questions open.
  var answer: LocationAnswer? = .allow
  var isInForeground = true
}

/// Answers as the person at a simulated device does. What is to be kept stays where it is: in the world.
private struct SimulatedPerson: LocationKeeper {
  let pump: WeakBox<WorldPump>
  let device: Int

  func store(_ stored: StoredLocation) {}
  func store(_ permission: LocationPermission) {}
  func notice(_ text: String) {}

  func ask(_ question: LocationQuestion, _ answer: @escaping @Sendable (LocationAnswer) -> Void) {
    guard let pump = pump.object, let said = pump.locationAnswer(device: device) else { return }
    pump.later(device: device) { answer(said) }
  }
}

extension WorldState {
  mutating func setLocationForeground(_ isInForeground: Bool, device: Int) {
    locations[device]?.isInForeground = isInForeground
    guard let service = locations[device]?.service else { return }
    performances.append(
      Performance(device: device) {
        service.perform { machine, now in machine.setForeground(isInForeground, at: now) }
      })
  }
}

extension WorldPump {
  /// Worlds begin on 1 January 2026, so that the same seed gives the same dates.
  package static let dateAtZero = 1_767_225_600.0

  // MARK: LocationHost

  package func now(device: Int) -> Duration { now }

  package func schedule(device: Int, at time: Duration, _ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.schedule(Performance(device: device, body: body), at: time) }
  }

  package func location(device: Int) -> LocationService {
    state.withLock { state in
      var location = state.locations[device] ?? SimulatedLocation()
      if let service = location.service { return service }
      var machine = LocationMachine(
        permission: location.permission, usage: location.usage, stored: location.stored,
        dateAtZero: Self.dateAtZero, at: state.now)
      machine.isInForeground = location.isInForeground
      let person = SimulatedPerson(pump: WeakBox(self), device: device)
      let service = LocationService(machine: machine, driver: self, device: device, keeper: person)
      location.service = service
      state.locations[device] = location
      return service
    }
  }

  func endLocation(of device: Int) {
    let old = state.withLock { $0.locations[device]?.service }
    guard let old else { return }
    let user = old.end()
    let (permission, stored) = old.read { ($0.permission.afterLaunch, $0.stored) }
    state.withLock { state in
      state.locations[device]?.permission = permission
      state.locations[device]?.stored = stored
      state.locations[device]?.service = nil
      state.locations[device]?.isInForeground = true
    }
    if let user { releaseBluetoothUser(user, device: device) }
  }

  // MARK: From outside the apps

  func locationAnswer(device: Int) -> LocationAnswer? {
    state.withLock { ($0.locations[device] ?? SimulatedLocation()).answer }
  }

  /// What the user of a device says when an app asks for places; `nil` leaves questions open.
  package func setLocationAnswer(_ answer: LocationAnswer?, device: Int) {
    state.withLock { $0.locations[device, default: SimulatedLocation()].answer = answer }
  }

  /// Answers the question that is open.
  package func answerLocation(_ answer: LocationAnswer, device: Int) {
    let service = state.withLock { $0.locations[device]?.service }
    service?.perform { machine, now in machine.answer(answer, at: now) }
  }

  /// The user of a device changes something in Settings.
  package func changeLocation(device: Int, _ body: @Sendable (inout LocationPermission) -> Void) {
    let service = state.withLock { state in
      body(&state.locations[device, default: SimulatedLocation()].permission)
      return state.locations[device]?.service
    }
    service?.perform { machine, now in machine.change(at: now, body) }
  }

  package func setLocationUsage(_ usage: LocationUsage, device: Int) {
    let service = state.withLock { state in
      state.locations[device, default: SimulatedLocation()].usage = usage
      return state.locations[device]?.service
    }
    service?.perform { machine, _ in machine.usage = usage }
  }
}
