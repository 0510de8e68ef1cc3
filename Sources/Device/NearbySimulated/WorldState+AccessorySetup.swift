import NearbyAccessorySetup
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyVirtualBluetooth

/// How a simulated device's user answers an accessory picker.
package enum SetupAnswer: Sendable {
  /// Chooses the first accessory that is offered.
  case choose
  case cancel
}

/// The accessory set-up of one device: the machine, its recipients, and the user.
struct SimulatedSetup: Sendable {
  var machine = AccessorySetupMachine()
  var sinks: [SetupUser: WeakBox<any SetupSink>] = [:]
  var requests: [SetupRequest: @Sendable (SetupFailure?) -> Void] = [:]
  /// The device's name on the Bluetooth air.
  var name = ""
  /// The user of Bluetooth that scans for the open picker.
  var scanner: BluetoothUser?
  /// `nil` leaves the picker open.
  var answer: SetupAnswer? = .choose
}

/// The accessory set-up of a simulated world's devices.
extension WorldState {
  /// Changes the machine at the world's time, and executes what follows.
  mutating func updateSetup(of device: Int, _ body: (inout AccessorySetupMachine) -> Void) {
    guard setups[device] != nil else { return }
    body(&setups[device, default: SimulatedSetup()].machine)
    executeSetup(of: device)
  }

  mutating func executeSetup(of device: Int) {
    guard var setup = setups[device] else { return }
    let actions = setup.machine.takeActions()
    setups[device] = setup
    for action in actions { execute(action, of: device) }
  }

  private mutating func execute(_ action: AccessorySetupMachine.Action, of device: Int) {
    guard let setup = setups[device] else { return }
    switch action {
    case .notify(let user, let event):
      guard let sink = setup.sinks[user]?.object else { return }
      blocks.append(ScheduledBlock(device: device) { sink.received(event) })
    case .answer(let request, let failure):
      guard let answer = setups[device]?.requests.removeValue(forKey: request) else { return }
      blocks.append(ScheduledBlock(device: device) { answer(failure) })
    case .startScan: startSetupScan(of: device)
    case .offersChanged: scheduleSetupAnswer(of: device)
    case .stopScan:
      guard let scanner = setups[device]?.scanner.take() else { return }
      releaseBluetoothUser(scanner)
    case .awaitDiscovery(let request, let time):
      tasks.insert(.setupDeadline(device: device, request), at: now + time)
    case .store: showPeersOfSetup(of: device)
    }
  }

  private mutating func startSetupScan(of device: Int) {
    guard let setup = setups[device] else { return }
    let user = makeBluetoothUser(.system, device: device, name: setup.name)
    setups[device]?.scanner = user
    perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)), of: user)
    if setup.answer == .cancel || setup.machine.awaitsMigration && setup.answer != nil {
      tasks.insert(.answerSetup(device: device), at: now + Self.commandLatency)
    }
  }

  /// Limits what the app sees on Bluetooth to what was set up.
  mutating func showPeersOfSetup(of device: Int) {
    guard let setup = setups[device] else { return }
    let peers = setup.machine.visiblePeers
    changeBluetooth(of: device, name: setup.name) { $0.setVisiblePeers(peers, device: $1, at: $2) }
  }

  /// The scan for a picker gave an event.
  mutating func sightedForSetup(_ event: BluetoothEvent, of device: Int) {
    guard case .sighted(let sighting) = event, let setup = setups[device] else { return }
    let before = setup.machine.candidates?.count ?? 0
    updateSetup(of: device) { $0.sighted(sighting) }
    if before == 0 { scheduleSetupAnswer(of: device) }
  }

  /// The user answers a picker that offers something.
  private mutating func scheduleSetupAnswer(of device: Int) {
    guard let setup = setups[device], setup.answer != nil, setup.machine.candidates?.isEmpty == false else {
      return
    }
    tasks.insert(.answerSetup(device: device), at: now + Self.commandLatency)
  }

  /// The user answers the open picker as intended.
  mutating func answerSetup(of device: Int) {
    guard let setup = setups[device], let answer = setup.answer else { return }
    updateSetup(of: device) { machine in
      switch answer {
      case .choose:
        if machine.awaitsMigration { return machine.confirmMigration() }
        guard let first = machine.candidates?.first else { return }
        _ = machine.choose(first.peer)
      case .cancel: machine.cancelPicker()
      }
    }
  }

  /// Ends the sessions of the app's launch, which receive nothing more. What was set up stays.
  mutating func endSetup(of device: Int) {
    guard setups[device] != nil else { return }
    setups[device]?.sinks = [:]
    setups[device]?.requests = [:]
    updateSetup(of: device) { $0.endLaunch() }
  }
}
