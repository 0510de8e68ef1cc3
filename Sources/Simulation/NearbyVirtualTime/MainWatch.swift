import CNearbyVirtualTime
import Glibc
import NearbyDevice
import Synchronization

/// Watches main threads that advance a world and run an app's code meanwhile: such a thread cannot watch itself, and
/// `advance` cannot return while the app's code occupies it. The world goes on without the app. If the app's code does
/// not end long after the time to advance has passed, the process ends with a line that names the app, because
/// otherwise a test would hang without a word.
package enum MainWatch {
  private struct Watched {
    let caller: Caller
    let line: AppLine
    let watch = StallWatch()
    /// Looks since the time to advance had passed.
    var overdue = 0
  }
  private struct State {
    var watched: [Watched] = []
    var hasThread = false
    /// Whether the thread sleeps until there is something to watch.
    var sleeps = false
    var idleLooks = 0
  }

  /// How many looks, 20 ms apart, an app may occupy the main thread after the time to advance has passed: two minutes.
  /// Looks are counted, not a clock read: none happen while a debugger holds the process.
  package static let patience = Atomic(6000)

  private static let state = Locked(State())
  private static let gate = Gate()
  private static let idleLooksBeforeSleep = 50

  static func begin(_ caller: Caller, _ line: AppLine) {
    let (sleeps, needsThread) = state.withLock { state in
      state.watched.append(Watched(caller: caller, line: line))
      defer { (state.sleeps, state.hasThread) = (false, true) }
      return (state.sleeps, !state.hasThread)
    }
    if sleeps { gate.open() }
    guard needsThread else { return }
    guard let worker = WorkerThreads.reserve() else { return state.withLock { $0.hasThread = false } }
    worker.start { while true { look() } }
  }

  static func end(_ caller: Caller) {
    state.withLock { state in state.watched.removeAll { $0.caller === caller } }
  }

  private static func look() {
    if !gate.wait(milliseconds: StallWatch.interval), state.withLock({ mustSleep(&$0) }) { gate.wait() }
    for one in state.withLock({ $0.watched }) where one.caller.isServing {
      if !one.caller.isFinished {
        one.watch.look(one.line, at: one.caller.thread)
      } else if countOverdue(one.caller) > patience.load(ordering: .relaxed) {
        giveUp(one.line)
      }
    }
  }

  private static func mustSleep(_ state: inout State) -> Bool {
    state.idleLooks = state.watched.isEmpty ? state.idleLooks + 1 : 0
    guard state.idleLooks > idleLooksBeforeSleep else { return false }
    (state.idleLooks, state.sleeps) = (0, true)
    return true
  }

  private static func countOverdue(_ caller: Caller) -> Int {
    state.withLock { state in
      guard let index = state.watched.firstIndex(where: { $0.caller === caller }) else { return 0 }
      state.watched[index].overdue += 1
      return state.watched[index].overdue
    }
  }

  private static func giveUp(_ line: AppLine) {
    let phone = line.withState { $0.stalledOnMain }
    let owner = line.owner(of: phone)
    Notice.write(
      "\(owner) still occupies the main thread, on which World.advance was called, so the test can't go on; the process ends"
    )
    fflush(nil)
    _exit(70)
  }
}
