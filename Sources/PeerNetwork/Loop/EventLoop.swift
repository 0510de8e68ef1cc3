import CLinux
import Foundation
import Synchronization

/// A thread that waits for descriptors, alarms and work from other threads, and serves them in turn.
///
/// Its own thread instead of a Dispatch queue: a message passes without a change of threads, which is most of
/// a round trip's time on one machine.
package final class EventLoop: Sendable {
  /// What a descriptor is ready for.
  struct Readiness: OptionSet, Sendable {
    let rawValue: UInt32
    static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    static let broken = Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
  }

  private struct Shared: ~Copyable {
    var jobs: [@Sendable () -> Void] = []
    var isWoken = false
    var isStopped = false
  }

  /// `@unchecked Sendable`: set up in `init`, then touched by the loop's thread only.
  private final class Confined: @unchecked Sendable {
    var timers = TimerHeap()
    var watchers: [Int32: (generation: UInt32, ready: (Readiness) -> Void)] = [:]
    var generation: UInt32 = 0
    /// To be done when what is at hand is done.
    var turnEnd: [() -> Void] = []
  }

  private static let stackSize = 1 << 20
  private static let eventCount = 256

  private let poll: Int32
  private let wake: Int32
  private let shared = Mutex(Shared())
  private let confined = Confined()
  private let threadNumber = Atomic<UInt>(0)

  package init(label: String) throws(NetworkError) {
    poll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard poll >= 0 else { throw .system(call: "epoll_create1", errno: errno) }
    wake = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard wake >= 0 else {
      let number = errno
      close(poll)
      throw .system(call: "eventfd", errno: number)
    }
    // A peer that is gone is an error of `write`, never a signal that ends the process.
    signal(SIGPIPE, SIG_IGN)
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.u64 = UInt64(UInt32(bitPattern: wake))
    epoll_ctl(poll, EPOLL_CTL_ADD, wake, &event)
    let thread = Thread { [self] in run() }
    thread.name = label
    thread.stackSize = Self.stackSize
    thread.start()
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
  func watch(
    _ descriptor: Int32, for readiness: Readiness, _ ready: @escaping (Readiness) -> Void
  ) throws(NetworkError) {
    assertCurrent()
    confined.generation &+= 1
    confined.watchers[descriptor] = (confined.generation, ready)
    try control(EPOLL_CTL_ADD, descriptor, readiness)
  }

  func change(_ descriptor: Int32, to readiness: Readiness) {
    assertCurrent()
    try? control(EPOLL_CTL_MOD, descriptor, readiness)
  }

  /// Forgets a descriptor; to be called before it is closed.
  func unwatch(_ descriptor: Int32) {
    assertCurrent()
    guard confined.watchers.removeValue(forKey: descriptor) != nil else { return }
    epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Sets an alarm.
  ///
  /// - Returns: What cancels it.
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

  package func assertCurrent() { assert(isCurrent, "only on the loop's thread") }

  private func control(_ operation: Int32, _ descriptor: Int32, _ readiness: Readiness) throws(NetworkError) {
    guard let watcher = confined.watchers[descriptor] else { return }
    var event = epoll_event()
    event.events = readiness.rawValue
    event.data.u64 = UInt64(watcher.generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    guard epoll_ctl(poll, operation, descriptor, &event) == 0 else {
      throw .system(call: "epoll_ctl", errno: errno)
    }
  }

  private func run() {
    threadNumber.store(UInt(pthread_self()), ordering: .relaxed)
    var events = [epoll_event](repeating: epoll_event(), count: Self.eventCount)
    while true {
      let count = epoll_wait(poll, &events, Int32(events.count), waitMilliseconds())
      for index in 0..<max(0, Int(count)) { serve(events[index]) }
      let now = ContinuousClock.now
      while let work = confined.timers.takeDue(by: now) {
        work()
        endTurn()
      }
      guard runJobs() else { break }
    }
    confined.watchers = [:]
    confined.timers = TimerHeap()
    threadNumber.store(0, ordering: .relaxed)
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
    guard let due = confined.timers.nextDue() else { return -1 }
    let left = (due - .now) / .milliseconds(1)
    return left <= 0 ? 0 : Int32(min(left, 60_000).rounded(.up))
  }
}
