import CNearbyVirtualTime
import Dispatch
import NearbyDevice
import NearbySchedule
import NearbySimulated

extension AppLine: AppRunner {
  /// Whether the calling thread has this world's turn.
  private var hasTurn: Bool {
    guard nvt_has_turn(), nvt_current()?.pointee.world == number else { return false }
    let me = nvt_thread_number()
    return withState { $0.holder == me }
  }

  package func advance(to end: Duration) {
    if hasTurn, let context = nvt_current() {
      // Called by an app's code, or by a test's inside `launch`: to it, advancing time is a wait.
      _ = wait(for: nil, as: context, until: end.inNanoseconds, poll: nvt_never)
      return
    }
    let before = nvt_exchange(nil)
    defer { nvt_exchange(before) }
    callers.lock()
    defer { callers.unlock() }
    let server = MainServer()
    let caller = Caller(end: end, server: server)
    let servesMain = nvt_is_on_main_queue() || nvt_is_main_thread()
    withState { state in
      state.caller = caller
      state.end = end
      if servesMain { state.servers.append(server) }
    }
    if servesMain { MainWatch.begin(caller, self) }
    if case .away = passTurn() { caller.wait(self) }
    if servesMain { MainWatch.end(caller) }
    withState { state in
      state.caller = nil
      state.servers.removeAll { $0 === server }
    }
  }

  package func run<Result>(as device: Int, _ body: () throws -> Result) rethrows -> Result {
    let context = context(of: Int32(clamping: device))
    // Inside a turn, or while another thread advances time, only the phone changes.
    guard !hasTurn, callers.tryLock() else {
      let before = nvt_exchange(context)
      defer { nvt_exchange(before) }
      return try body()
    }
    defer { callers.unlock() }
    beginLaunch(as: context)
    let before = nvt_exchange(context)
    let had = nvt_has_turn()
    nvt_set_turn(true)
    defer {
      nvt_set_turn(had)
      nvt_exchange(before)
      endLaunch()
    }
    guard nvt_is_on_main_queue() || nvt_is_main_thread() else { return try body() }
    let entered = nvt_entered(queue: nvt_main_queue(), outer: nvt_entered_queues())
    return try withUnsafePointer(to: entered) { entered in
      nvt_set_entered_queues(entered)
      defer { nvt_set_entered_queues(entered.pointee.outer) }
      return try body()
    }
  }

  private func beginLaunch(as context: Context) {
    let before = nvt_exchange(nil)
    defer { nvt_exchange(before) }
    let now = engine?.now ?? .zero
    withState { state in
      state.caller = Caller(end: now)
      state.end = now
      state.holder = nvt_thread_number()
      state.running = (context.pointee.phone, nil)
    }
  }

  private func endLaunch() {
    withState { state in
      state.caller = nil
      state.holder = 0
      state.running = nil
    }
  }

  package func perform(as device: Int, on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
    let me = nvt_thread_number()
    let isEngine = hasTurn && withState { $0.engineThread == me }
    let before = nvt_exchange(context(of: Int32(clamping: device)))
    defer { nvt_exchange(before) }
    // Both calls are interposed: `sync` runs the code on the queue within this turn, `async` puts it in line.
    if isEngine { (queue ?? .main).sync(execute: body) } else { (queue ?? .main).async(execute: body) }
  }

  /// Ends the world's apps. Pieces in line are dropped. Threads that wait in virtual time wait for ever, because it
  /// no longer passes; only those that occupy the main queue return, because other worlds and tests need it.
  package func end() {
    let before = nvt_exchange(nil)
    defer { nvt_exchange(before) }
    Registry.remove(self)
    let (pieces, waiters, own) = withState { state -> ([Piece], [Waiter], [Int32: OwnObjects]) in
      state.isOver = true
      // Not left to `deinit`, because a thread of another world may hold this object for a moment.
      let own = state.own
      state.own = [:]
      var pieces = Array(state.ready.dropFirst(max(0, state.head))) + state.held.values.joined()
      while let due = state.deadlines.removeFirst() { pieces.append(due.event) }
      (state.ready, state.head, state.held, state.inLine) = ([], 0, [:], [:])
      let onMain = state.waiters.filter { $0.lanes.contains(nvt_main_queue()) }
      for waiter in onMain { state.wake(waiter, timedOut: true) }
      state.holder = 0
      return (pieces, onMain, own)
    }
    // Released outside the lock: Foundation may call functions that need it.
    withExtendedLifetime(own) {}
    for piece in pieces { piece.drop() }
    for waiter in waiters { waiter.gate.open() }
    TimerSources.shared.removeAll(of: number)
    RunLoopTimers.shared.removeAll(of: number)
    TaskContexts.shared.removeAll(of: number)
  }

  /// The device whose code runs on the calling thread.
  func device(of phone: Int32) -> NearbyDevice? {
    phone < 0 ? nil : engine?.device(Int(phone))
  }

  /// Names the app of a phone in a notice.
  func owner(of phone: Int32?) -> String {
    phone.flatMap(device(of:)).map { "the app of \u{201C}\($0.name)\u{201D}" } ?? "code in a World"
  }
}
