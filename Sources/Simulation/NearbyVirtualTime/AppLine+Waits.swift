import CNearbyVirtualTime
import Glibc
import NearbySchedule

extension AppLine {
  /// Waits until the object is signalled and `poll` returns true, or until the deadline. Another thread has the turn
  /// meanwhile.
  ///
  /// - Parameter mutex: Unlocked as soon as the line notices every signal of the object.
  /// - Returns: False after the deadline.
  func wait(
    for object: Address?, as context: Context, until deadline: Int64, unlocking mutex: Address? = nil,
    repeats: Bool = false, poll: @escaping @convention(c) (Address?) -> Bool
  ) -> Bool {
    park(Waiter(object, as: context, repeats: repeats, poll: poll), until: deadline, unlocking: mutex)
  }

  func park(_ waiter: Waiter, until deadline: Int64, unlocking mutex: Address? = nil) -> Bool {
    let me = nvt_thread_number()
    let context = nvt_exchange(nil)
    nvt_set_turn(false)
    let lanes = enteredLanes().filter { waiter.server == nil || $0 != nvt_main_queue() }
    let (hadTurn, isOver) = withState { state in
      waiter.lanes = state.hold(lanes)
      state.waiters.append(waiter)
      if deadline != .max {
        waiter.hasDeadline = true
        state.deadlines.insert(Piece(.expire(waiter), on: nil, as: waiter.context), at: deadline)
      }
      return (state.holder == me, state.isOver)
    }
    if let mutex { nvt_mutex_unlock(mutex) }
    if isOver {
      giveUp(waiter)
    } else if !hadTurn {
      block(waiter)
    } else {
      switch passTurn(from: waiter) {
      case .keptBy: break
      case .away: block(waiter)
      case .failed: giveUp(waiter)
      }
    }
    // After the end of its world every wait is over at once. The clock must show that its time has passed.
    if withState({ $0.isOver }), deadline != .max { nvt_clock_raise(clock, deadline) }
    nvt_exchange(context)
    nvt_set_turn(true)
    return !waiter.timedOut
  }

  /// Blocks the calling thread until it gets the turn. A caller of `advance` or `launch` watches for stalled threads
  /// meanwhile, and a thread in a run loop runs the main queue's pieces.
  private func block(_ waiter: Waiter) {
    let caller = withState { $0.caller?.thread == waiter.thread ? $0.caller : nil }
    while true {
      if let caller {
        while !waiter.gate.wait(milliseconds: StallWatch.interval) { caller.watch.look(self) }
      } else {
        waiter.gate.wait()
      }
      guard let server = waiter.server, server.takeWork() else { return }
      // A run loop returns after one piece.
      withState { state in
        guard !waiter.isQueued, !waiter.isOver else { return }
        waiter.isQueued = true
        state.append(Piece(.resume(waiter), on: nil, as: waiter.context))
      }
      server.allow()
    }
  }

  /// Ends a wait at once, because its world has ended or the system has no threads left.
  private func giveUp(_ waiter: Waiter) {
    withState { $0.wake(waiter, timedOut: true) }
  }

  private func enteredLanes() -> [Address] {
    var lanes: [Address] = []
    var entry = nvt_entered_queues()
    while let entered = entry {
      if let lane = nvt_serial_queue(entered.pointee.queue), !lanes.contains(lane) { lanes.append(lane) }
      entry = entered.pointee.outer
    }
    return lanes
  }

  // MARK: Synchronous calls

  private final class Completion {
    var isDone = false
  }

  /// Runs a function on a queue after the pieces that were sent there before, and returns when it has ended.
  func sync(on queue: Address, as context: Context, _ function: nvt_function, _ argument: Address?) {
    let lane = nvt_serial_queue(queue)
    let mustWait = withState { state in
      state.inLine[queue] != nil || lane.map { state.held[$0] != nil || state.inLine[$0] != nil } ?? false
    }
    let isInside = lane.map { enteredLanes().contains($0) } ?? false
    guard mustWait || isInside else { return execute(as: context, on: queue) { function(argument) } }
    let completion = Completion()
    let object = Unmanaged.passUnretained(completion).toOpaque()
    let crossing = UncheckedCall(function: function, argument: argument, object: object)
    append(
      Piece(
        .body { [self] in
          crossing.function(crossing.argument)
          Unmanaged<Completion>.fromOpaque(crossing.object).takeUnretainedValue().isDone = true
          signalled(crossing.object)
        }, on: queue, as: context))
    _ = wait(for: object, as: context, until: .max) { object in
      object.map { Unmanaged<Completion>.fromOpaque($0).takeUnretainedValue().isDone } ?? true
    }
    withExtendedLifetime(completion) {}
  }

  private struct UncheckedCall: @unchecked Sendable {
    let function: nvt_function
    let argument: Address?
    let object: Address
  }

  // MARK: Run loops

  /// Runs the main queue's pieces on the calling thread, if it is on the main queue, until one has run or the
  /// deadline is reached; another thread's run loop only lets time pass.
  ///
  /// - Returns: Whether a piece has run.
  func runLoop(as context: Context, until deadline: Int64) -> Bool {
    guard enteredLanes().contains(nvt_main_queue()) else {
      _ = wait(for: nil, as: context, until: deadline, poll: nvt_never)
      return false
    }
    let waiter = Waiter(nil, as: context, poll: nvt_always)
    let server = MainServer(gate: waiter.gate)
    waiter.server = server
    withState { $0.servers.append(server) }
    _ = park(waiter, until: deadline)
    withState { state in state.servers.removeAll { $0 === server } }
    return server.hasRun
  }

  // MARK: An app's own threads

  func announce(_ key: Address, as context: Context) {
    let waiter = Waiter(nil, as: context, thread: 0, poll: nvt_always)
    withState { state in
      state.announced[key] = waiter
      state.waiters.append(waiter)
      state.append(Piece(.resume(waiter), on: nil, as: context))
    }
  }

  /// Called by the new thread; returns when it gets its first turn.
  func begin(_ key: Address) {
    guard let waiter = withState({ $0.announced.removeValue(forKey: key) }) else { return }
    waiter.gate.wait()
    withState {
      $0.holder = nvt_thread_number()
      $0.running = (waiter.context.pointee.phone, nil)
    }
  }

  func fail(_ key: Address) {
    withState { state in
      guard let waiter = state.announced.removeValue(forKey: key) else { return }
      waiter.isOver = true
      state.waiters.removeAll { $0 === waiter }
    }
  }

  func endThread() {
    let me = nvt_thread_number()
    let hadTurn = withState { state in
      defer { if state.holder == me { state.holder = 0 } }
      return state.holder == me
    }
    if hadTurn { _ = passTurn() }
  }
}
