import CNearbyLinux
import Foundation
import NearbyConcurrency
import Synchronization

/// A thread that waits for descriptors, alarms and work from other threads, and serves them in turn.
///
/// Its own thread instead of a Dispatch queue: a message passes without a change of threads, which is most of
/// a round trip's time on one machine. Peers' channels and the connection to the Bluetooth daemon run on one each.
///
/// Descriptors, alarms and work at a turn's end belong to the loop's thread: what asks for them runs there already,
/// by `perform`.
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

  /// `@unchecked Sendable`: set up in `init`, then touched by who holds `turn` only.
  private final class Confined: @unchecked Sendable {
    var timers = TimerHeap()
    var watchers: [Int32: (generation: UInt32, ready: (Readiness) -> Void)] = [:]
    var generation: UInt32 = 0
    /// To be done when what is at hand is done.
    var turnEnd: [() -> Void] = []
    /// To be done between two turns.
    var rest: [@Sendable (_ isServing: () -> Bool) -> Void] = []
    /// When the thread wakes by itself.
    var wakesAt: ContinuousClock.Instant?
  }

  /// Apps' code may run here.
  private static let stackSize = 8 << 20
  private static let eventCount = 256

  private let poll: Int32
  private let wake: Int32
  private let shared = Mutex(Shared())
  private let confined = Confined()
  /// Held by the thread that works with what belongs to the loop.
  private let turn = Guarded<Void>(())
  /// That thread; 0 while there is none.
  private let threadNumber = Atomic<UInt>(0)
  /// Which of the loop's threads serves: the one with this number.
  private let serving = Atomic<UInt64>(0)
  /// Since when the thread is away from its descriptors, nanoseconds; 0 while it is not.
  let awaySince = Atomic<UInt64>(0)
  /// Whether the watch knows the loop.
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

  /// Another thread serves from now on: this one has been away for long.
  func replaceThread() {
    awaySince.store(0, ordering: .relaxed)
    startThread(serving.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue)
  }

  deinit {
    // Not when the thread ends: another may be about to ring.
    close(wake)
    close(poll)
  }

  /// Whether the caller is on the loop's thread.
  package var isCurrent: Bool {
    threadNumber.load(ordering: .relaxed) == UInt(pthread_self())
  }

  /// Does work on the loop's thread, soon and in the order of the calls; drops it once the loop is stopped.
  package func perform(_ work: @escaping @Sendable () -> Void) {
    let mustWake = shared.withLock { shared in
      guard !shared.isStopped else { return false }
      shared.jobs.append(work)
      defer { shared.isWoken = true }
      return !shared.isWoken
    }
    if mustWake { ring() }
  }

  /// Does work as `perform`; at once on the caller's own thread where the loop's has nothing to do, which saves a
  /// change of threads.
  package func performNow(_ work: @escaping @Sendable () -> Void) {
    let isDone = turn.withLockIfAvailable { _ in
      // What was asked for before comes before.
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

  /// Ends the thread after the work that was asked for before; from any thread.
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

// MARK: on the loop's thread

extension EventLoop {
  /// Calls `ready` whenever the descriptor is ready for what is asked.
  package func watch(
    _ descriptor: Int32, for readiness: Readiness, _ ready: @escaping (Readiness) -> Void
  ) throws(EventLoopError) {
    assertCurrent()
    confined.generation &+= 1
    confined.watchers[descriptor] = (confined.generation, ready)
    try control(EPOLL_CTL_ADD, descriptor, readiness)
  }

  /// Waits for something else on a descriptor that is watched.
  ///
  /// One that was closed and opened again under the same number, as a library may do that connects on its own, is
  /// watched again: the kernel has forgotten it, which is ENOENT.
  package func change(_ descriptor: Int32, to readiness: Readiness) {
    assertCurrent()
    do throws(EventLoopError) {
      try control(EPOLL_CTL_MOD, descriptor, readiness)
    } catch {
      if error.errno == ENOENT { try? control(EPOLL_CTL_ADD, descriptor, readiness) }
    }
  }

  /// Forgets a descriptor; to be called before it is closed.
  package func unwatch(_ descriptor: Int32) {
    assertCurrent()
    guard confined.watchers.removeValue(forKey: descriptor) != nil else { return }
    epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Sets an alarm.
  ///
  /// - Returns: What cancels it.
  @discardableResult
  package func schedule(after delay: Duration, _ work: @escaping () -> Void) -> UInt64 {
    assertCurrent()
    return confined.timers.schedule(at: .now + delay, work)
  }

  package func cancel(_ alarm: UInt64?) {
    assertCurrent()
    if let alarm { confined.timers.cancel(alarm) }
  }

  /// Does work when what is at hand is done, before the loop waits again.
  package func atTurnEnd(_ work: @escaping () -> Void) {
    assertCurrent()
    confined.turnEnd.append(work)
  }

  /// Does work between two turns, on the loop's own thread, with nothing of the loop held: it may take its time, and
  /// then another thread serves meanwhile.
  ///
  /// - Parameter work: Is given a question: whether its thread still serves. If not, the thread ends behind it.
  package func atRest(_ work: @escaping @Sendable (_ isServing: () -> Bool) -> Void) {
    assertCurrent()
    confined.rest.append(work)
  }

  package func assertCurrent() { assert(isCurrent, "only on the loop's thread") }

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
        let goesOn = takeTurn(events[..<max(0, Int(count))])
        wait = waitMilliseconds()
        let rest = confined.rest
        if !rest.isEmpty { confined.rest = [] }
        return (goesOn, rest)
      }
      if !rest.isEmpty { takeRest(rest, number) }
      guard goesOn else {
        // The end is for the other thread, too, where this one was replaced.
        if serving.load(ordering: .sequentiallyConsistent) != number { ring() }
        break
      }
    }
  }

  private func takeTurn(_ events: ArraySlice<epoll_event>) -> Bool {
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

  private func takeRest(_ rest: [@Sendable (() -> Bool) -> Void], _ number: UInt64) {
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
    // The descriptor may have been closed and its number used again since the kernel noted the event.
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
