import NearbyAccessorySetup
import NearbyBluetooth
import NearbyDevice
import NearbyVirtualBluetooth

/// How a simulated device's user answers an accessory picker.
package enum SetupAnswer: Sendable {
  /// Chooses the first accessory that is offered.
  case choose
  case cancel
}

/// The accessory set-up of one device: the machine, its recipients, and the user.
struct SimulatedSetup: Sendable {
  var state = SetupState()
  /// The device's name on the Bluetooth air.
  var name = ""
  /// The user of Bluetooth that scans and pairs for the open picker.
  var scanner: BluetoothUser?
  /// `nil` leaves the picker open.
  var answer: SetupAnswer? = .choose
  /// What the user types when asked for a name; `nil` declines.
  var typedName: String?
}

/// The accessory set-up of a simulated world's devices.
extension WorldState {
  /// Changes the machine at the world's time, and executes what follows.
  mutating func updateSetup(of device: Int, _ body: (inout AccessorySetupMachine) -> Void) {
    guard setups[device] != nil else { return }
    body(&setups[device, default: SimulatedSetup()].state.machine)
    executeSetup(of: device)
  }

  mutating func executeSetup(of device: Int) {
    guard let actions = setups[device]?.state.machine.takeActions() else { return }
    for action in actions { execute(action, of: device) }
  }

  private mutating func execute(_ action: AccessorySetupMachine.Action, of device: Int) {
    switch action {
    case .notify(let user, let event):
      guard let sink = setups[device]?.state.recipients.sink(of: user) else { return }
      blocks.append(ScheduledBlock(device: device) { sink.received(event) })
    case .answer(let request, let failure):
      guard let answer = setups[device]?.state.recipients.takeHandler(of: request) else { return }
      blocks.append(ScheduledBlock(device: device) { answer(failure) })
    case .startBluetooth: startSetupScan(of: device)
    case .bluetooth(let command):
      if let scanner = setups[device]?.scanner { perform(command, of: scanner) }
    case .stopBluetooth:
      guard let scanner = setups[device]?.scanner.take() else { return }
      releaseBluetoothUser(scanner)
    case .questionChanged: scheduleSetupAnswer(of: device)
    case .wait(let wait, let time): tasks.insert(.setupWait(device: device, wait), at: now + time)
    case .store: showPeersOfSetup(of: device)
    }
  }

  private mutating func startSetupScan(of device: Int) {
    guard let setup = setups[device] else { return }
    let user = makeBluetoothUser(.system, device: device, name: setup.name)
    setups[device]?.scanner = user
    perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)), of: user)
  }

  /// Limits what the app sees on Bluetooth to what was set up.
  mutating func showPeersOfSetup(of device: Int) {
    guard let setup = setups[device] else { return }
    let peers = setup.state.machine.visiblePeers
    changeBluetooth(of: device, name: setup.name) { $0.setVisiblePeers(peers, device: $1, at: $2) }
  }

  /// The system's Bluetooth gave an event.
  mutating func receivedForSetup(_ event: BluetoothEvent, of device: Int) {
    updateSetup(of: device) { $0.received(event) }
  }

  /// The user replies a moment later to what is asked, if there is a reply.
  private mutating func scheduleSetupAnswer(of device: Int) {
    guard setups[device]?.reply != nil else { return }
    tasks.insert(.answerSetup(device: device), at: now + Self.commandLatency)
  }

  /// The user replies to the open question as intended.
  mutating func answerSetup(of device: Int) {
    guard let setup = setups[device], let question = setup.state.machine.question, let reply = setup.reply
    else { return }
    updateSetup(of: device) { $0.received(reply, to: question.number) }
  }

  /// Ends the sessions of the app's launch, which receive nothing more. What was set up stays.
  mutating func endSetup(of device: Int) {
    guard setups[device] != nil else { return }
    setups[device]?.state.recipients = SetupRecipients()
    updateSetup(of: device) { $0.endLaunch() }
  }
}

extension SimulatedSetup {
  /// The user's reply to the open question; `nil` while there is none.
  fileprivate var reply: SetupReply? {
    switch state.machine.question?.kind {
    case .name: typedName.map { .name($0) } ?? .cancel
    case .choose, .migrate, .pairing: answer.flatMap { reply(with: $0) }
    case nil: nil
    }
  }

  private func reply(with answer: SetupAnswer) -> SetupReply? {
    switch (answer, state.machine.question?.kind) {
    case (.cancel, .choose), (.cancel, .migrate): .cancel
    case (.choose, .choose(let candidates)): candidates.first.map { .choose($0.peer) }
    case (.choose, .migrate): .agree
    case (_, .pairing), (_, .name), (_, nil): nil
    }
  }
}
