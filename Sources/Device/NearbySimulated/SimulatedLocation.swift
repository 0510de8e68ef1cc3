import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import Synchronization

/// The location side of one launch of a simulated device's app.
private struct SimulatedLocationSide: LocationSide {
  let world: WorldPump
  let device: Int
  let launch: Int

  var dateAtZero: Double { SimulatedLocation.dateAtZero }

  func makeUser(_ sink: any LocationSink, role: LocationRole) -> LocationUser {
    let sink = WeakBox<any LocationSink> { [weak sink] in sink }
    let user = world.state.withLock { state in
      let user = state.updateLocation(of: device, launch: launch) { machine, now in
        machine.makeUser(role, at: now)
      }
      if let user { state.locations[device]?.sinks[user] = sink }
      return user
    }
    return user ?? ended { machine, now in machine.makeUser(role, at: now) }
  }

  func release(_ user: LocationUser) {
    world.state.withLock { state in
      guard state.locations[device]?.launch == launch else { return }
      state.locations[device]?.sinks[user] = nil
      state.updateLocation(of: device) { machine, now in machine.release(user, at: now) }
    }
  }

  func perform<Result: Sendable>(_ body: (inout LocationMachine, Duration) -> Result) -> Result {
    world.state.withLock { $0.updateLocation(of: device, launch: launch, body) } ?? ended(body)
  }

  func read<Result: Sendable>(_ body: (LocationMachine) -> Result) -> Result {
    let result = world.state.withLock { state -> Result? in
      guard state.locations[device]?.launch == launch else { return nil }
      return state.devices[device].machine.readLocation(body)
    }
    return result ?? ended { machine, _ in body(machine) }
  }

  /// The code of an app that has ended reads what the world has stored, and changes nothing.
  private func ended<Result: Sendable>(
    _ body: (inout LocationMachine, Duration) -> Result
  ) -> Result {
    world.state.withLock { state in
      var machine = (state.locations[device] ?? SimulatedLocation()).machine(at: state.now)
      return body(&machine, state.now)
    }
  }
}

extension SimulatedShell {
  package var location: any LocationSide {
    let name = world.name(of: device)
    let launch = world.state.withLock { $0.startLocation(of: device, name: name) }
    return SimulatedLocationSide(world: world, device: device, launch: launch)
  }

  // MARK: From outside the apps

  /// How the device's user answers questions about location; `nil` leaves them open.
  package func setLocationAnswer(_ answer: LocationAnswer?) {
    world.state.withLock { $0.locations[device, default: SimulatedLocation()].answer = answer }
  }

  /// Answers the open question.
  package func answerLocation(_ answer: LocationAnswer) {
    world.state.withLock { state in
      state.updateLocation(of: device) { machine, now in machine.answer(answer, at: now) }
    }
  }

  /// The device's user changes the app's permission in Settings.
  package func changeLocation(_ body: @Sendable (inout LocationPermission) -> Void) {
    world.state.withLock { state in
      body(&state.locations[device, default: SimulatedLocation()].permission)
      state.updateLocation(of: device) { machine, now in machine.change(at: now, body) }
    }
  }

  package func setLocationUsage(_ usage: LocationUsage) {
    world.state.withLock { state in
      state.locations[device, default: SimulatedLocation()].usage = usage
      state.updateLocation(of: device) { machine, _ in machine.usage = usage }
    }
  }
}
