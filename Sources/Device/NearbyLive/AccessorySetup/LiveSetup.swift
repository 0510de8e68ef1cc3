import NearbyAccessorySetup
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbyTextForms
import Synchronization

/// The accessory set-up of this process's own device: its machine, its recipients, the scan for an open picker, the user
/// at the terminal, and the file that keeps what was set up.
///
/// The machine is behind a lock; its actions are executed on the device's thread, in their order.
final class LiveSetup: AccessorySetupSide {
  private struct State: Sendable {
    var machine: AccessorySetupMachine
    var sinks: [SetupUser: WeakBox<any SetupSink>] = [:]
    var requests: [SetupRequest: @Sendable (SetupFailure?) -> Void] = [:]
    /// The user of Bluetooth that limits what the app sees, and scans for pickers.
    var system: BluetoothUser?
    /// The question for the accessory that the open picker offers.
    var question: PersonQuestion?
  }

  private let state: Mutex<State>
  private let file: AccessoryFile
  private let preset: AccessorySetupSettings.Preset?
  private let turns: LiveTurns
  private let later: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  private let ask: @Sendable (PersonQuestion) -> Void
  private let bluetooth = Mutex<(any BluetoothSide)?>(nil)

  /// - Parameters:
  ///   - later: Runs its argument on the device's thread after a time.
  ///   - ask: Shows a question to the user.
  init(
    _ settings: AccessorySetupSettings, turns: LiveTurns,
    later: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void,
    ask: @escaping @Sendable (PersonQuestion) -> Void = { TerminalQuestions.shared.ask($0) }
  ) {
    file = AccessoryFile(url: settings.file)
    preset = settings.preset
    self.turns = turns
    self.later = later
    self.ask = ask
    state = Mutex(
      State(machine: AccessorySetupMachine(usage: settings.usage, accessories: file.read())))
  }

  /// Limits what the app sees on Bluetooth. Call it before the app's first use of Bluetooth.
  func limit(_ side: any BluetoothSide) {
    bluetooth.withLock { $0 = side }
    let system = side.makeUser(Ear(self), role: .system)
    state.withLock { $0.system = system }
    showPeers()
  }

  // MARK: AccessorySetupSide

  func makeUser(_ sink: any SetupSink) -> SetupUser {
    let sink = WeakBox<any SetupSink> { [weak sink] in sink }
    return state.withLock { state in
      let user = state.machine.makeUser()
      state.sinks[user] = sink
      return user
    }
  }

  func release(_ user: SetupUser) {
    change { state in
      state.sinks[user] = nil
      state.machine.release(user)
    }
  }

  func perform(_ body: (inout AccessorySetupMachine) -> Void) { change { body(&$0.machine) } }

  func request(
    _ body: (inout AccessorySetupMachine) -> SetupRequest,
    answer: @escaping @Sendable (SetupFailure?) -> Void
  ) {
    change { $0.requests[body(&$0.machine)] = answer }
  }

  var accessories: [SetUpAccessory] { state.withLock { $0.machine.accessories } }

  // MARK: Actions

  private func change(_ body: (inout sending State) -> Void) {
    state.withLock { body(&$0) }
    turns.deliver { [weak self] in self?.execute() }
  }

  /// Executes the machine's actions, on the device's thread.
  private func execute() {
    for action in state.withLock({ $0.machine.takeActions() }) { execute(action) }
  }

  private func execute(_ action: AccessorySetupMachine.Action) {
    switch action {
    case .notify(let user, let event): state.withLock { $0.sinks[user] }?.object?.received(event)
    case .answer(let request, let failure):
      state.withLock { $0.requests.removeValue(forKey: request) }?(failure)
    case .startScan:
      command(.scan(BluetoothScan(services: nil, allowsDuplicates: true)))
      if preset == .cancel {
        perform { $0.cancelPicker() }
      } else if state.withLock({ $0.machine.awaitsMigration }) {
        askToMigrate()
      }
    case .stopScan:
      command(.stopScan)
      state.withLock { $0.question.take() }?.withdraw()
    case .offersChanged: askAboutOffer()
    case .awaitDiscovery(let request, let time):
      later(time) { [weak self] in self?.perform { $0.discoveryEnded(request) } }
    case .store:
      file.write(accessories)
      showPeers()
    }
  }

  private func showPeers() {
    let peers = state.withLock { $0.machine.visiblePeers }
    command(.showOnly(peers?.sorted()))
  }

  private func command(_ command: BluetoothCommand) {
    guard let system = state.withLock({ $0.system }) else { return }
    bluetooth.withLock { $0 }?.perform(command, of: system)
  }

  // MARK: The user

  /// Asks about the first accessory that the open picker offers.
  private func askAboutOffer() {
    guard let first = state.withLock({ $0.question == nil ? $0.machine.candidates?.first : nil }) else {
      return
    }
    let advertised = first.advertisedName.map { " (\(PrintableText.name($0)))" } ?? ""
    question("Set up “\(PrintableText.name(first.name))”\(advertised)?") { _ = $0.choose(first.peer) }
  }

  private func askToMigrate() {
    question("Let the app keep the accessories that it used before?") { $0.confirmMigration() }
  }

  private func question(_ text: String, yes: @escaping @Sendable (inout AccessorySetupMachine) -> Void) {
    if preset == .choose { return perform(yes) }
    let question = PersonQuestion(text) { [weak self] isYes in
      self?.state.withLock { $0.question = nil }
      self?.perform { machine in if isYes { yes(&machine) } else { machine.cancelPicker() } }
    }
    state.withLock { $0.question = question }
    ask(question)
  }

  private func sighted(_ sighting: BluetoothSighting) {
    change { $0.machine.sighted(sighting) }
    turns.deliver { [weak self] in self?.askAboutOffer() }
  }

  /// Receives the scan's events. Bluetooth retains its sinks, so this one must not retain the set-up.
  private final class Ear: BluetoothSink {
    private let setup = Mutex(WeakBox<LiveSetup>())

    init(_ setup: LiveSetup) { self.setup.withLock { $0 = WeakBox(setup) } }

    func received(_ event: BluetoothEvent) {
      guard case .sighted(let sighting) = event else { return }
      setup.withLock { $0 }.object?.sighted(sighting)
    }
  }
}
