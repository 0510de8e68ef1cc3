import NearbyAccessorySetup
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import Synchronization

/// The accessory set-up of this process's own device: its machine, its recipients, the system's Bluetooth for an open
/// picker, the user, and the file that keeps what was set up.
///
/// The machine is behind a lock; its actions are executed on the device's thread, in their order.
final class LiveSetup: AccessorySetupSide {
  /// The user of Bluetooth that limits what the app sees, and scans and pairs for pickers.
  private struct SystemBluetooth: Sendable {
    let side: any BluetoothSide
    let user: BluetoothUser
  }

  private let state: Mutex<SetupState>
  private let file: AccessoryFile
  private let person: any SetupPerson
  private let turns: LiveTurns
  private let later: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  private let bluetooth = Mutex<SystemBluetooth?>(nil)

  /// - Parameters:
  ///   - person: The device's user, unless the settings have an answer to all pickers.
  ///   - later: Runs its argument on the device's thread after a time.
  init(
    _ settings: AccessorySetupSettings, turns: LiveTurns, person: any SetupPerson,
    later: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  ) {
    file = AccessoryFile(url: settings.file)
    self.person = settings.preset.map(PresetPerson.init) ?? person
    self.turns = turns
    self.later = later
    state = Mutex(SetupState(AccessorySetupMachine(usage: settings.usage, accessories: file.read())))
  }

  /// Limits what the app sees on Bluetooth. Call it before the app's first use of Bluetooth.
  func limit(_ side: any BluetoothSide) {
    let user = side.makeUser(Ear(self), role: .system)
    bluetooth.withLock { $0 = SystemBluetooth(side: side, user: user) }
    showPeers()
  }

  // MARK: AccessorySetupSide

  func change<Result: Sendable>(_ body: (inout SetupState) -> Result) -> Result {
    let result = state.withLock { body(&$0) }
    turns.deliver { [weak self] in self?.execute() }
    return result
  }

  var accessories: [SetUpAccessory] { state.withLock { $0.machine.accessories } }

  // MARK: Actions

  /// Executes the machine's actions, on the device's thread.
  private func execute() {
    for action in state.withLock({ $0.machine.takeActions() }) { execute(action) }
  }

  private func execute(_ action: AccessorySetupMachine.Action) {
    switch action {
    case .notify(let user, let event): state.withLock { $0.recipients.sink(of: user) }?.received(event)
    case .answer(let request, let failure):
      state.withLock { $0.recipients.takeHandler(of: request) }?(failure)
    case .startBluetooth: command(.scan(BluetoothScan(services: nil, allowsDuplicates: true)))
    case .bluetooth(let command): self.command(command)
    case .stopBluetooth: command(.stopScan)
    case .questionChanged: ask()
    case .wait(let wait, let time): later(time) { [weak self] in self?.perform { $0.waited(wait) } }
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
    guard let system = bluetooth.withLock({ $0 }) else { return }
    system.side.perform(command, of: system.user)
  }

  private func ask() {
    let question = state.withLock { $0.machine.question }
    person.ask(question) { [weak self] reply in
      if let question { self?.perform { $0.received(reply, to: question.number) } }
    }
  }

  /// Receives the events of Bluetooth. Bluetooth retains its sinks, so this one must not retain the set-up.
  private final class Ear: BluetoothSink {
    private let setup = Mutex(WeakBox<LiveSetup>())

    init(_ setup: LiveSetup) { self.setup.withLock { $0 = WeakBox(setup) } }

    func received(_ event: BluetoothEvent) {
      setup.withLock { $0 }.object?.perform { $0.received(event) }
    }
  }
}
