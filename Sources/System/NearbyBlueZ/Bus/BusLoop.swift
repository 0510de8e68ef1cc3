import CNearbyLinux
import Glibc
import Synchronization

/// The thread that a connection to the bus lives on: serves it, other descriptors, alarms, and work from outside.
///
/// `@unchecked Sendable`: what is not in `shared` is touched on the loop's own thread only.
package final class BusLoop: @unchecked Sendable {
  private struct Shared: ~Copyable {
    var jobs: [@Sendable () -> Void] = []
    var isStopped = false
  }

  private struct Alarm {
    var due: ContinuousClock.Instant
    var id: UInt64
    var work: () -> Void
  }

  private struct Watch {
    var events: Int16
    var ready: () -> Void
  }

  private let shared = Mutex(Shared())
  private let wake: Int32
  private let thread = Atomic<UInt>(0)
  private var alarms: [Alarm] = []
  private var lastAlarm: UInt64 = 0
  private var watches: [Int32: Watch] = [:]
  /// The connection, which says anew before each wait what it waits for.
  var connection: BusConnection?

  package init() throws(BusError) {
    wake = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard wake >= 0 else { throw .system(call: "eventfd", errno: errno) }
    // A phone or daemon that is gone is an error of `write`, never a signal that ends the process.
    signal(SIGPIPE, SIG_IGN)
    var number = pthread_t()
    let status = pthread_create(
      &number, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<BusLoop>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard status == 0 else {
      Unmanaged.passUnretained(self).release()
      throw .system(call: "pthread_create", errno: status)
    }
    pthread_detach(number)
  }

  deinit { close(wake) }

  package var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Does work on the loop's thread, soon and in the order of the calls; drops it once the loop is stopped.
  package func perform(_ work: @escaping @Sendable () -> Void) {
    let isToWake = shared.withLock { shared in
      guard !shared.isStopped else { return false }
      shared.jobs.append(work)
      return shared.jobs.count == 1
    }
    if isToWake { ring() }
  }

  /// Ends the thread after the work that was asked for before; from any thread.
  package func stop() {
    shared.withLock { $0.isStopped = true }
    ring()
  }

  private func ring() {
    var one: UInt64 = 1
    _ = write(wake, &one, 8)
  }

  // MARK: on the loop's thread

  /// Sets an alarm.
  ///
  /// - Returns: What cancels it.
  @discardableResult
  package func schedule(after delay: Duration, _ work: @escaping () -> Void) -> UInt64 {
    assert(isCurrent)
    lastAlarm += 1
    let alarm = Alarm(due: .now + delay, id: lastAlarm, work: work)
    let index = alarms.lastIndex { $0.due <= alarm.due }.map { $0 + 1 } ?? 0
    alarms.insert(alarm, at: index)
    return lastAlarm
  }

  package func cancel(_ alarm: UInt64?) {
    assert(isCurrent)
    guard let alarm, let index = alarms.firstIndex(where: { $0.id == alarm }) else { return }
    alarms.remove(at: index)
  }

  /// Calls `ready` whenever the descriptor can be read, or written where that is asked for, or is broken.
  package func watch(_ descriptor: Int32, isForWriting: Bool = false, _ ready: @escaping () -> Void) {
    assert(isCurrent)
    watches[descriptor] = Watch(events: Int16(isForWriting ? POLLOUT : POLLIN), ready: ready)
  }

  /// Forgets a descriptor; to be called before it is closed.
  package func unwatch(_ descriptor: Int32) {
    assert(isCurrent)
    watches[descriptor] = nil
  }

  private func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    while runJobs() {
      connection?.process()
      takeAlarms()
      wait()
    }
    connection?.close()
    connection = nil
    alarms = []
    watches = [:]
  }

  private func runJobs() -> Bool {
    let (jobs, isStopped) = shared.withLock { shared in
      defer { shared.jobs = [] }
      return (shared.jobs, shared.isStopped)
    }
    for job in jobs { job() }
    return !isStopped
  }

  private func takeAlarms() {
    let now = ContinuousClock.now
    while let first = alarms.first, first.due <= now {
      alarms.removeFirst()
      first.work()
    }
  }

  private func wait() {
    var waiting = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
    var milliseconds: Int32 = -1
    if let due = alarms.first?.due { milliseconds = Self.milliseconds(until: due) }
    if let needs = connection?.needs {
      waiting.append(pollfd(fd: needs.descriptor, events: needs.events, revents: 0))
      if let most = needs.milliseconds { milliseconds = milliseconds < 0 ? most : min(milliseconds, most) }
    }
    let watched = watches.map(\.key)
    for descriptor in watched {
      waiting.append(pollfd(fd: descriptor, events: watches[descriptor]?.events ?? 0, revents: 0))
    }
    guard poll(&waiting, nfds_t(waiting.count), milliseconds) > 0 else { return }
    if waiting[0].revents != 0 {
      var count: UInt64 = 0
      _ = read(wake, &count, 8)
    }
    for entry in waiting.suffix(watched.count) where entry.revents != 0 { watches[entry.fd]?.ready() }
  }

  private static func milliseconds(until due: ContinuousClock.Instant) -> Int32 {
    let left = (due - .now) / .milliseconds(1)
    return left <= 0 ? 0 : Int32(min(left, 60_000).rounded(.up))
  }
}
