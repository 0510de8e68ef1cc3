import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
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
  let host: SimulatedLocationHost

  func store(_ stored: StoredLocation) {}
  func store(_ permission: LocationPermission) {}
  func notice(_ text: String) {}

  func ask(_ question: LocationQuestion, _ answer: @escaping @Sendable (LocationAnswer) -> Void) {
    guard let shell = host.simulated, let said = shell.locationAnswer else { return }
    shell.later { answer(said) }
  }
}

/// A device whose location service does not keep its world.
private struct SimulatedLocationHost: LocationHost {
  private weak let world: WorldPump?
  private let device: Int

  init(_ shell: SimulatedShell) {
    world = shell.world
    device = shell.device
  }

  var simulated: SimulatedShell? { world.map { SimulatedShell(world: $0, device: device) } }
  var app: (any AppSide)? { simulated }
  var bluetooth: (any BluetoothSide)? { simulated?.bluetooth }
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

extension SimulatedShell {
  /// Worlds begin on 1 January 2026, so that the same seed gives the same dates.
  package static let dateAtZero = 1_767_225_600.0

  package var location: LocationService {
    world.state.withLock { state in
      var location = state.locations[device] ?? SimulatedLocation()
      if let service = location.service { return service }
      var machine = LocationMachine(
        permission: location.permission, usage: location.usage, stored: location.stored,
        dateAtZero: Self.dateAtZero, at: state.now)
      machine.isInForeground = location.isInForeground
      let host = SimulatedLocationHost(self)
      let service = LocationService(machine: machine, host: host, keeper: SimulatedPerson(host: host))
      location.service = service
      state.locations[device] = location
      return service
    }
  }

  func endLocation() {
    let old = world.state.withLock { $0.locations[device]?.service }
    guard let old else { return }
    let user = old.end()
    let (permission, stored) = old.read { ($0.permission.afterLaunch, $0.stored) }
    world.state.withLock { state in
      state.locations[device]?.permission = permission
      state.locations[device]?.stored = stored
      state.locations[device]?.service = nil
      state.locations[device]?.isInForeground = true
    }
    if let user { bluetooth.release(user) }
  }

  // MARK: From outside the apps

  fileprivate var locationAnswer: LocationAnswer? {
    world.state.withLock { ($0.locations[device] ?? SimulatedLocation()).answer }
  }

  /// What the user of a device says when an app asks for places; `nil` leaves questions open.
  package func setLocationAnswer(_ answer: LocationAnswer?) {
    world.state.withLock { $0.locations[device, default: SimulatedLocation()].answer = answer }
  }

  /// Answers the question that is open.
  package func answerLocation(_ answer: LocationAnswer) {
    let service = world.state.withLock { $0.locations[device]?.service }
    service?.perform { machine, now in machine.answer(answer, at: now) }
  }

  /// The user of a device changes something in Settings.
  package func changeLocation(_ body: @Sendable (inout LocationPermission) -> Void) {
    let service = world.state.withLock { state in
      body(&state.locations[device, default: SimulatedLocation()].permission)
      return state.locations[device]?.service
    }
    service?.perform { machine, now in machine.change(at: now, body) }
  }

  package func setLocationUsage(_ usage: LocationUsage) {
    let service = world.state.withLock { state in
      state.locations[device, default: SimulatedLocation()].usage = usage
      return state.locations[device]?.service
    }
    service?.perform { machine, _ in machine.usage = usage }
  }
}
