import CNearbyVirtualTime
import Glibc
import NearbySchedule
import NearbySimulated

extension AppLine {
  private enum Step: Sendable {
    case piece(Piece)
    case work(WorldWork)
    /// The turn goes to a thread that waited.
    case resume(Waiter)
    /// Time has reached its end.
    case finish(Caller?)
    /// The world was released.
    case over
  }

  enum Passed {
    /// The waiter's wait is over, and its thread still has the turn.
    case keptBy(Waiter)
    /// Another thread has the turn, or nobody while time stands still.
    case away
    /// The system refuses to create a thread.
    case failed
  }

  /// Moves the world on from the calling thread, and passes the turn to another thread as soon as an app's code is to
  /// run. Until then no thread is woken, which would take far longer than most events.
  ///
  /// - Parameter waiter: The calling thread's own wait, if it waits.
  func passTurn(from waiter: Waiter? = nil) -> Passed {
    guard let worker = WorkerThreads.reserve() else { return .failed }
    withState {
      $0.holder = nvt_thread_number()
      $0.running = nil
      $0.turns += 1
    }
    let step = next()
    switch step {
    case .piece, .work:
      let first = Locked<Step?>(step)
      worker.start { [self] in
        withState {
          $0.holder = nvt_thread_number()
          $0.turns += 1
        }
        if performFirst(first) { loop() }
      }
      return .away
    case .resume(let next) where next === waiter:
      worker.release()
      return .keptBy(next)
    case .resume, .finish, .over:
      worker.release()
      _ = perform(step)
      return .away
    }
  }

  /// Performs the step and releases it: the thread's job lives as long as its loop, and must not keep an app's objects
  /// after `advance` has returned.
  private func performFirst(_ step: Locked<Step?>) -> Bool {
    guard let step = step.withLock({ $0.take() }) else { return true }
    return perform(step)
  }

  /// Runs the world on the calling thread, which has the turn, until the turn goes to another one.
  private func loop() {
    let me = nvt_thread_number()
    while withState({ $0.holder == me }) {
      guard perform(next()) else { return }
    }
  }

  /// - Returns: Whether the calling thread may still have the turn.
  private func perform(_ step: Step) -> Bool {
    switch step {
    case .piece(let piece):
      run(piece)
      return true
    case .work(let work):
      run(work)
      return true
    case .resume(let waiter): waiter.gate.open()
    case .finish(let caller): caller?.finished()
    case .over: withState { if $0.holder == nvt_thread_number() { $0.holder = 0 } }
    }
    return false
  }

  private func next() -> Step {
    while true {
      let isBusy = withState { $0.isBusy }
      if !isBusy, let step = nextInLine() { return step }
      guard let engine else { return .over }
      if let work = engine.takeWork() { return .work(work) }
      if withState({ $0.pollAgain() }) { continue }
      let limit = withState { $0.nextLimit(after: engine.now) }
      let hasWork = engine.step(until: max(engine.now, limit))
      let now = engine.now
      setClock(to: now.inNanoseconds)
      if hasWork || withState({ $0.takeDue(at: now.inNanoseconds) }) { continue }
      if let step = finish(at: now, engine) { return step }
    }
  }

  /// The next piece in line, or the waiter that it resumes.
  private func nextInLine() -> Step? {
    while let piece = withState({ $0.takeReady() }) {
      switch piece.work {
      case .resume(let waiter):
        let isResumed = withState { state in
          waiter.isQueued = false
          guard !waiter.isOver, waiter.poll(waiter.object) else { return false }
          state.wake(waiter, timedOut: false)
          return true
        }
        if isResumed { return .resume(waiter) }
      case .expire(let waiter):
        let isResumed = withState { state in
          guard !waiter.isOver else { return false }
          state.wake(waiter, timedOut: true)
          return true
        }
        if isResumed { return .resume(waiter) }
      case .function, .job, .body, .source, .timer: return .piece(piece)
      }
    }
    return nil
  }

  // MARK: The end

  /// How far time moves on beyond its end for a caller whose own thread waits: 10 minutes.
  private static let patience = Duration.seconds(600)

  /// The step at the end of the time to advance. A caller whose own thread waits inside a piece of the main queue
  /// cannot return: time moves on until that wait is over.
  private func finish(at now: Duration, _ engine: any WorldEngine) -> Step? {
    let next = engine.nextEventTime
    let (step, blocked) = withState { state -> (Step?, Waiter?) in
      guard now >= state.end else { return (nil, nil) }
      guard let caller = state.caller, let waiter = state.waiters.first(where: { $0.thread == caller.thread })
      else {
        state.holder = 0
        state.running = nil
        return (.finish(state.caller), nil)
      }
      let due = state.deadlines.first.map { Duration.nanoseconds($0.time) }
      guard let time = [next, due].compactMap(\.self).min(), time - caller.end <= Self.patience else {
        state.stalls += 1
        state.wake(waiter, timedOut: true)
        return (.resume(waiter), waiter)
      }
      state.end = max(state.end, time)
      return (nil, nil)
    }
    if let blocked { report(blocked.context.pointee.phone, nil, "waits for something that never happens") }
    return step
  }

  // MARK: Pieces

  private func run(_ work: WorldWork) {
    let me = nvt_thread_number()
    withState { $0.engineThread = me }
    execute(as: context(of: work.device.map { Int32(clamping: $0) } ?? -1), on: nil, work.body)
    withState { if $0.engineThread == me { $0.engineThread = 0 } }
  }

  private func run(_ piece: Piece) {
    defer { if let queue = piece.queue { nvt_release(queue) } }
    switch piece.work {
    case .function(let function, let argument):
      execute(as: piece.context, on: piece.queue) { function(argument) }
    case .job(let job, let isMain):
      execute(as: piece.context, on: piece.queue) { nvt_run_job(job, isMain) }
    case .body(let body): execute(as: piece.context, on: piece.queue, body)
    case .source(let source, let generation): fire(source, generation, piece)
    case .timer(let timer, let generation): fireTimer(timer, generation, piece)
    case .resume, .expire: break
    }
  }

  /// Runs an app's code on a queue. Called by the thread that has the turn, which has it again afterwards unless
  /// `StallWatch` has passed it on.
  func execute(as context: Context, on queue: Address?, _ body: () -> Void) {
    guard let queue else { return inTurn(as: context, on: nil, from: nvt_thread_number(), body) }
    let loopThread = nvt_thread_number()
    // No piece runs while this thread waits for the queue, which code outside the world may occupy for long.
    let outer = withState { state in
      defer { state.running = nil }
      return state.running
    }
    defer { withState { if $0.holder == loopThread { $0.running = outer } } }
    withoutActuallyEscaping(body) { body in
      let work = SynchronousWork { [self] in inTurn(as: context, on: queue, from: loopThread, body) }
      if queue == nvt_main_queue(), let server = withState({ $0.servers.last }) {
        server.run(work)
      } else {
        nvt_real_sync(queue, SynchronousWork.call, Unmanaged.passUnretained(work).toOpaque())
        withExtendedLifetime(work) {}
      }
    }
  }

  private func inTurn(as context: Context, on queue: Address?, from loopThread: Int32, _ body: () -> Void) {
    let me = nvt_thread_number()
    let outer = withState { state in
      defer {
        if queue != nil { state.engineThread = 0 }
        state.running = (context.pointee.phone, queue)
        state.holder = me
        state.turns += 1
      }
      return (state.running, state.engineThread)
    }
    let before = nvt_exchange(context)
    let had = nvt_has_turn()
    nvt_set_turn(true)
    entering(queue, body)
    nvt_set_turn(had)
    nvt_exchange(before)
    withState { state in
      state.turns += 1
      if let lanes = state.stalled.removeValue(forKey: me) { state.release(lanes) }
      // After a stall another thread has the turn.
      guard state.holder == me else { return }
      state.running = outer.0
      state.engineThread = outer.1 == loopThread ? loopThread : 0
      state.holder = loopThread
    }
  }

  private func entering(_ queue: Address?, _ body: () -> Void) {
    guard let queue else { return body() }
    withUnsafePointer(to: nvt_entered(queue: queue, outer: nvt_entered_queues())) { entered in
      nvt_set_entered_queues(entered)
      body()
      nvt_set_entered_queues(entered.pointee.outer)
    }
  }
}

/// A body for another thread or queue, whose caller waits until it has run.
final class SynchronousWork: @unchecked Sendable {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }

  /// Calls the work at an address, which the caller keeps.
  static let call: nvt_function = { address in
    guard let address else { return }
    Unmanaged<SynchronousWork>.fromOpaque(address).takeUnretainedValue().body()
  }
}
