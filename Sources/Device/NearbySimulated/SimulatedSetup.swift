import NearbyAccessorySetup
import NearbyBluetooth
import NearbyDevice
import Synchronization

/// The accessory set-up of one device of a simulated world.
struct SimulatedSetupSide: AccessorySetupSide {
  let world: WorldPump
  let device: Int

  var accessories: [SetUpAccessory] {
    world.state.withLock { $0.setups[device]?.state.machine.accessories ?? [] }
  }

  /// Changes the set-up during a call. The actions are executed a moment later, as for commands: otherwise an app
  /// that retries as soon as it fails would retry endlessly without time advancing.
  func change<Result: Sendable>(_ body: (inout SetupState) -> Result) -> Result {
    let name = world.name(of: device)
    return world.state.withLock { state in
      var setup = state.setups[device] ?? SimulatedSetup()
      setup.name = name
      let result = body(&setup.state)
      state.setups[device] = setup
      state.tasks.insert(.updateSetup(device: device), at: state.now + WorldState.commandLatency)
      return result
    }
  }
}

/// What a test, or the device's user, does from outside the app.
extension SimulatedShell {
  /// Sets what the app's `Info.plist` declares; `nil` if it sets up no accessories.
  package func setSetupUsage(_ usage: SetupUsage?) {
    let name = world.name(of: device)
    world.state.withLock { state in
      state.setups[device, default: SimulatedSetup()].name = name
      state.setups[device]?.state.machine.usage = usage
      state.showPeersOfSetup(of: device)
    }
  }

  /// How the device's user answers pickers from now on; `nil` leaves them open.
  package func setSetupAnswer(_ answer: SetupAnswer?) {
    world.state.withLock { $0.setups[device, default: SimulatedSetup()].answer = answer }
  }

  /// Sets the name that the user types when asked for one; `nil` declines.
  package func setTypedName(_ name: String?) {
    world.state.withLock { $0.setups[device, default: SimulatedSetup()].typedName = name }
  }

  /// What the open picker offers; `nil` if none is open.
  package var setupCandidates: [SetupCandidate]? {
    world.state.withLock { $0.setups[device]?.state.machine.candidates }
  }

  /// Whether the open picker only asks to confirm what the app used before.
  package var setupAwaitsMigration: Bool {
    world.state.withLock { $0.setups[device]?.state.machine.awaitsMigration ?? false }
  }

  /// Changes the set-up at once, as the device's user.
  package func changeSetup(_ body: @Sendable (inout AccessorySetupMachine) -> Void) {
    let name = world.name(of: device)
    world.state.withLock { state in
      state.setups[device, default: SimulatedSetup()].name = name
      state.updateSetup(of: device, body)
    }
  }
}
