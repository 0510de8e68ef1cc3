import CNearbyLinux
import Foundation
import NearbyConcurrency
import Synchronization

/// A thread that waits for descriptors, alarms and work from other threads, and serves them one at a time.
///
/// The network of peers and the connection to the Bluetooth daemon each run on one. A thread of its own is
/// used instead of a Dispatch queue, because handling a message without a thread switch saves most of a local
/// round trip's time.
///
/// A turn handles one wake-up: first the descriptors that are ready, then the alarms that are due, then the
/// work that `perform` queued. Descriptors, alarms and work for the end of a turn belong to the loop's
/// thread: use them only from there, for example inside `perform`. `turn` is held throughout, so that
/// `performNow` can instead run work on the caller's thread while the loop is idle.
///
/// Between turns, with `turn` released, the thread may run apps' code (`atRest`). If that takes too long,
/// `LoopWatch` starts another thread to serve the loop; the replaced one ends as soon as it returns.
package final class EventLoop: Sendable {
  /// What a descriptor is ready for.
  package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    package static let broken = Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
  }

  private struct Shared: ~Copyable {
    var jobs: [@Sendable () -> Void] = []
    var isWoken = false
    var isStopped = false
  }

  /// `@unchecked Sendable`: set up in `init`, then used only while `turn` is held.
  private final class Confined: @unchecked Sendable {
    var timers = TimerHeap()
    var watchers: [Int32: (generation: UInt32, ready: (Readiness) -> Void)] = [:]
    var generation: UInt32 = 0
    /// Work for the end of the current turn.
    var turnEnd: [() -> Void] = []
    /// Work to do between two turns.
    var rest: [@Sendable (_ isServing: () -> Bool) -> Void] = []
    /// When the next alarm wakes the thread.
    var wakesAt: ContinuousClock.Instant?
  }

  /// Large, because apps' code may run on this thread.
  private static let stackSize = 8 << 20
  private static let eventCount = 256

  private let poll: Int32
  private let wake: Int32
  private let shared = Mutex(Shared())
  private let confined = Confined()
  /// Held by the thread that currently uses `confined`.
  private let turn = Guarded<Void>(())
  /// That thread's `pthread_self()`, or 0.
  private let threadNumber = Atomic<UInt>(0)
  /// The number of the thread that serves the loop; it increases with each replacement.
  private let serving = Atomic<UInt64>(0)
  /// When the thread went to run apps' code between turns, in nanoseconds; 0 if it is not doing so.
  let awaySince = Atomic<UInt64>(0)
  /// Whether `LoopWatch` knows this loop.
  let isWatched = Atomic<Bool>(false)
  private let label: String

  package init(label: String) throws(EventLoopError) {
    self.label = label
    poll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard poll >= 0 else { throw EventLoopError(call: "epoll_create1", errno: errno) }
    wake = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard wake >= 0 else {
      let number = errno
      close(poll)
      throw EventLoopError(call: "eventfd", errno: number)
    }
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.u64 = UInt64(UInt32(bitPattern: wake))
    epoll_ctl(poll, EPOLL_CTL_ADD, wake, &event)
    startThread(0)
  }

  private func startThread(_ number: UInt64) {
    let thread = Thread { [self] in run(number) }
    thread.name = label
    thread.stackSize = Self.stackSize
    thread.start()
  }

  /// Starts another thread to serve the loop, because the current one has been running apps' code for too
  /// long.
  func replaceThread() {
    awaySince.store(0, ordering: .relaxed)
    startThread(serving.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue)
  }

  deinit {
    // Not when the thread ends, because another thread may be about to write to `wake`.
    close(wake)
    close(poll)
  }

  /// Whether the caller runs on the loop's thread.
  package var isCurrent: Bool {
    threadNumber.load(ordering: .relaxed) == UInt(pthread_self())
  }

  /// Runs work on the loop's thread soon, in the order of the calls; from any thread. The work is dropped
  /// once the loop is stopped.
  package func perform(_ work: @escaping @Sendable () -> Void) {
    let mustWake = shared.withLock { shared in
      guard !shared.isStopped else { return false }
      shared.jobs.append(work)
      defer { shared.isWoken = true }
      return !shared.isWoken
    }
    if mustWake { ring() }
  }

  /// Like `perform`, but runs the work immediately on the caller's thread if the loop is idle, to save a
  /// thread switch.
  package func performNow(_ work: @escaping @Sendable () -> Void) {
    let isDone = turn.withLockIfAvailable { _ in
      // Preserve FIFO order: run inline only when nothing is queued.
      guard shared.withLock({ $0.jobs.isEmpty && !$0.isStopped }) else { return false }
      threadNumber.store(UInt(pthread_self()), ordering: .relaxed)
      work()
      endTurn()
      threadNumber.store(0, ordering: .relaxed)
      let isSooner =
        confined.timers.nextDue().map { due in confined.wakesAt.map { due < $0 } ?? true } ?? false
      if isSooner || !confined.rest.isEmpty { ring() }
      return true
    }
    if isDone != true { perform(work) }
  }

  /// Ends the thread once the work queued so far is done; from any thread.
  package func stop() {
    let mustWake = shared.withLock { shared in
      defer { shared.isStopped = true }
      return !shared.isStopped
    }
    if mustWake { ring() }
  }

  private func ring() {
    var one: UInt64 = 1
    _ = write(wake, &one, 8)
  }
}

// MARK: On the loop's thread

extension EventLoop {
  /// Calls `ready` whenever the descriptor is ready in one of the given ways.
  package func watch(
    _ descriptor: Int32, for readiness: Readiness, _ ready: @escaping (Readiness) -> Void
  ) throws(EventLoopError) {
    assertCurrent()
    confined.generation &+= 1
    confined.watchers[descriptor] = (confined.generation, ready)
    try control(EPOLL_CTL_ADD, descriptor, readiness)
  }

  /// Changes what a watched descriptor is watched for.
  ///
  /// If a library closed the descriptor and opened another with the same number, as some do when they
  /// reconnect, the kernel reports ENOENT, and the new one is watched instead.
  package func change(_ descriptor: Int32, to readiness: Readiness) {
    assertCurrent()
    do throws(EventLoopError) {
      try control(EPOLL_CTL_MOD, descriptor, readiness)
    } catch {
      if error.errno == ENOENT { try? control(EPOLL_CTL_ADD, descriptor, readiness) }
    }
  }

  /// Stops watching a descriptor. Call it before closing the descriptor.
  package func unwatch(_ descriptor: Int32) {
    assertCurrent()
    guard confined.watchers.removeValue(forKey: descriptor) != nil else { return }
    epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Schedules an alarm.
  ///
  /// - Returns: The number that cancels it.
  @discardableResult
  package func schedule(after delay: Duration, _ work: @escaping () -> Void) -> UInt64 {
    assertCurrent()
    return confined.timers.schedule(at: .now + delay, work)
  }

  package func cancel(_ alarm: UInt64?) {
    assertCurrent()
    if let alarm { confined.timers.cancel(alarm) }
  }

  /// Runs work at the end of the current turn, before the loop waits again.
  package func atTurnEnd(_ work: @escaping () -> Void) {
    assertCurrent()
    confined.turnEnd.append(work)
  }

  /// Runs work between two turns, on the loop's own thread and with no lock held. It may take long; another
  /// thread then serves the loop meanwhile.
  ///
  /// - Parameter work: Receives a function that returns whether its thread still serves the loop. If not, the
  ///   thread ends after the work.
  package func atRest(_ work: @escaping @Sendable (_ isServing: () -> Bool) -> Void) {
    assertCurrent()
    confined.rest.append(work)
  }

  package func assertCurrent() { assert(isCurrent, "must be called on the loop's thread") }

  private func control(_ operation: Int32, _ descriptor: Int32, _ readiness: Readiness) throws(EventLoopError)
  {
    guard let watcher = confined.watchers[descriptor] else { return }
    var event = epoll_event()
    event.events = readiness.rawValue
    event.data.u64 = UInt64(watcher.generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    guard epoll_ctl(poll, operation, descriptor, &event) == 0 else {
      throw EventLoopError(call: "epoll_ctl", errno: errno)
    }
  }

  private func run(_ number: UInt64) {
    var events = [epoll_event](repeating: epoll_event(), count: Self.eventCount)
    var wait: Int32 = 0
    var pace = LoopPace()
    while serving.load(ordering: .sequentiallyConsistent) == number {
      let count = pace.wait(upTo: wait) { epoll_wait(poll, &events, Int32(events.count), $0) }
      let (goesOn, rest) = turn.withLock { _ in
        threadNumber.store(UInt(pthread_self()), ordering: .relaxed)
        defer { threadNumber.store(0, ordering: .relaxed) }
        let goesOn = runTurn(events[..<max(0, Int(count))])
        wait = waitMilliseconds()
        let rest = confined.rest
        if !rest.isEmpty { confined.rest = [] }
        return (goesOn, rest)
      }
      if !rest.isEmpty { runRest(rest, number) }
      guard goesOn else {
        // If this thread was replaced meanwhile, wake its successor, which has to stop as well.
        if serving.load(ordering: .sequentiallyConsistent) != number { ring() }
        break
      }
    }
  }

  private func runTurn(_ events: ArraySlice<epoll_event>) -> Bool {
    for event in events { serve(event) }
    let now = ContinuousClock.now
    while let work = confined.timers.takeDue(by: now) {
      work()
      endTurn()
    }
    guard !runJobs() else { return true }
    confined.watchers = [:]
    confined.timers = TimerHeap()
    return false
  }

  private func runRest(_ rest: [@Sendable (() -> Bool) -> Void], _ number: UInt64) {
    let isServing = { [self] in serving.load(ordering: .sequentiallyConsistent) == number }
    if isServing() {
      awaySince.store(LoopWatch.now, ordering: .relaxed)
      LoopWatch.shared.watch(self)
    }
    for work in rest { work(isServing) }
    if isServing() { awaySince.store(0, ordering: .relaxed) }
  }

  private func serve(_ event: epoll_event) {
    let descriptor = Int32(bitPattern: UInt32(truncatingIfNeeded: event.data.u64))
    guard descriptor != wake else {
      var count: UInt64 = 0
      _ = read(wake, &count, 8)
      return
    }
    // The descriptor may have been closed, and its number reused, since the kernel recorded the event.
    guard let watcher = confined.watchers[descriptor],
      watcher.generation == UInt32(truncatingIfNeeded: event.data.u64 >> 32)
    else { return }
    watcher.ready(Readiness(rawValue: event.events))
    endTurn()
  }

  private func endTurn() {
    while !confined.turnEnd.isEmpty {
      let work = confined.turnEnd
      confined.turnEnd = []
      for item in work { item() }
    }
  }

  private func runJobs() -> Bool {
    let (jobs, isStopped) = shared.withLock { shared in
      let jobs = shared.jobs
      shared.jobs = []
      shared.isWoken = false
      return (jobs, shared.isStopped)
    }
    for job in jobs { job() }
    endTurn()
    return !isStopped
  }

  private func waitMilliseconds() -> Int32 {
    confined.wakesAt = confined.timers.nextDue()
    guard let due = confined.wakesAt else { return -1 }
    let left = (due - .now) / .milliseconds(1)
    return left <= 0 ? 0 : Int32(min(left, 60_000).rounded(.up))
  }
}
