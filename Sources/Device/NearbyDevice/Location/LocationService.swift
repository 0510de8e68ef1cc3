import NearbyBeacons
import NearbyBluetooth
import NearbyConcurrency
import NearbyDeviceMachine
import Synchronization

/// The sides of its device that a location service needs: `nil` once the device is gone.
///
/// A world keeps its devices' services, so a service must not keep its world.
package protocol LocationHost: Sendable {
  var app: (any AppSide)? { get }
  var bluetooth: (any BluetoothSide)? { get }
}

/// Keeps what an app watches, and what its user said, between its launches; puts the questions.
package protocol LocationKeeper: Sendable {
  func store(_ stored: StoredLocation)
  func store(_ permission: LocationPermission)
  /// - Parameter answer: Called from any thread, at any time or never.
  func ask(_ question: LocationQuestion, _ answer: @escaping @Sendable (LocationAnswer) -> Void)
  func notice(_ text: String)
}

/// Runs one launch of an app's location side: lock, feed the machine, unlock, do what it wants done.
package final class LocationService: BluetoothSink {
  private struct State: Sendable {
    var machine: LocationMachine
    var sinks: [LocationUser: WeakBox<any LocationSink>] = [:]
    var bluetooth: BluetoothUser?
    /// What is told next, in order.
    var outbox: [(user: LocationUser, event: LocationEvent)] = []
    var wake: Duration?
    var hasEnded = false
  }

  private let state: Mutex<State>
  private let host: any LocationHost
  private let keeper: any LocationKeeper
  /// Seconds since 1970 at the device's time zero.
  package let dateAtZero: Double

  package init(machine: LocationMachine, host: any LocationHost, keeper: any LocationKeeper) {
    state = Mutex(State(machine: machine))
    dateAtZero = machine.dateAtZero
    self.host = host
    self.keeper = keeper
  }

  // MARK: Users

  /// The sink is not kept alive. Its first event comes later, never inside the call.
  package func makeUser(_ sink: any LocationSink, role: LocationRole) -> LocationUser {
    feed { state, now in
      let user = state.machine.makeUser(role, at: now)
      state.sinks[user] = WeakBox { [weak sink] in sink }
      return user
    }
  }

  package func release(_ user: LocationUser) {
    feed { state, now in
      state.sinks[user] = nil
      state.machine.release(user, at: now)
    }
  }

  /// Changes the machine, at the device's time, and does what follows from it.
  @discardableResult
  package func perform<Result: Sendable>(
    _ body: (inout LocationMachine, Duration) -> Result
  ) -> Result {
    feed { state, now in body(&state.machine, now) }
  }

  /// Looks at the machine.
  package func read<Result: Sendable>(_ body: (LocationMachine) -> Result) -> Result {
    state.withLock { body($0.machine) }
  }

  /// The app's process is gone: nobody hears anything any more.
  ///
  /// - Returns: Who used Bluetooth for it, to be released.
  package func end() -> BluetoothUser? {
    state.withLock { state in
      state.hasEnded = true
      state.sinks = [:]
      state.outbox = []
      return state.bluetooth.take()
    }
  }

  // MARK: BluetoothSink

  package func received(_ event: BluetoothEvent) {
    feed { state, now in state.machine.received(event, at: now) }
  }

  // MARK: Feeding

  private func feed<Result: Sendable>(_ body: (inout State, Duration) -> Result) -> Result {
    let app = host.app
    let now = app?.now ?? .zero
    let (result, actions, mustTell, wake) = state.withLock { state in
      let result = body(&state, now)
      let wasEmpty = state.outbox.isEmpty
      var rest: [LocationMachine.Action] = []
      for action in state.machine.takeActions() where !state.hasEnded {
        if case .tell(let user, let event) = action {
          state.outbox.append((user, event))
        } else {
          rest.append(action)
        }
      }
      return (result, rest, wasEmpty && !state.outbox.isEmpty, newWake(&state, now))
    }
    if mustTell { app?.later { [weak self] in self?.deliver() } }
    // On the device's thread, one after the other: there the last word is the last done.
    if !actions.isEmpty {
      app?.later { [weak self] in
        for action in actions { self?.perform(action) }
      }
    }
    if let wake {
      app?.schedule(at: wake) { [weak self] in self?.woken(at: wake) }
    }
    return result
  }

  /// A wake to be arranged; one that comes before the machine's wish is left to come.
  private func newWake(_ state: inout State, _ now: Duration) -> Duration? {
    guard !state.hasEnded, let wish = state.machine.nextWake else { return nil }
    if let wake = state.wake, wake <= wish { return nil }
    state.wake = max(wish, now)
    return state.wake
  }

  private func woken(at time: Duration) {
    feed { state, now in
      guard !state.hasEnded else { return }
      if state.wake == time { state.wake = nil }
      state.machine.timePassed(at: now)
    }
  }

  private func deliver() {
    let (outbox, sinks) = state.withLock { state in
      defer { state.outbox = [] }
      return (state.outbox, state.sinks)
    }
    for (user, event) in outbox { sinks[user]?.object?.received(event) }
  }

  private func perform(_ action: LocationMachine.Action) {
    switch action {
    case .tell: break
    case .scan: settleScan()
    case .ask(let question):
      keeper.ask(question) { [weak self] answer in
        self?.perform { machine, now in
          if machine.question == question { machine.answer(answer, at: now) }
        }
      }
    case .storeRegions: keeper.store(read { $0.stored })
    case .storePermission(let permission): keeper.store(permission)
    case .notice(let text): keeper.notice(text)
    }
  }

  private func settleScan() {
    guard let bluetooth = host.bluetooth else { return }
    let (known, isOn) = state.withLock { ($0.bluetooth, $0.machine.isScanning && !$0.hasEnded) }
    guard isOn else {
      if let known { bluetooth.perform(.stopScan, of: known) }
      return
    }
    let user = known ?? makeBluetoothUser(on: bluetooth)
    bluetooth.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)), of: user)
  }

  private func makeBluetoothUser(on bluetooth: any BluetoothSide) -> BluetoothUser {
    let made = bluetooth.makeUser(self, role: .system)
    let (used, spare) = state.withLock { state in
      if state.hasEnded { return (made, BluetoothUser?.some(made)) }
      if let other = state.bluetooth { return (other, .some(made)) }
      state.bluetooth = made
      return (made, nil)
    }
    if let spare { bluetooth.release(spare) }
    return used
  }
}
