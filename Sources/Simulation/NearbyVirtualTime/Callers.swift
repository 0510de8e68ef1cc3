import CNearbyVirtualTime
import Glibc
import NearbyDevice
import NearbySchedule
import NearbySimulated
import Synchronization

/// The thread that advances a world's time, or that launches an app.
final class Caller: @unchecked Sendable {
  let thread = nvt_thread_number()
  /// The time that it asked for.
  let end: Duration
  let watch = StallWatch()
  /// `nil` for a thread that launches an app: it runs the app itself.
  private let server: MainServer?
  private let isDone = Atomic(false)

  init(end: Duration, server: MainServer? = nil) {
    self.end = end
    self.server = server
  }

  func finished() {
    isDone.store(true, ordering: .releasing)
    server?.wake()
  }

  var isFinished: Bool { isDone.load(ordering: .acquiring) }

  /// Whether the thread runs an app's code on the main queue. It can't watch itself then.
  var isServing: Bool { server?.isRunning ?? false }

  /// Waits until time has reached its end, and runs the main queue's pieces meanwhile if this thread has that queue.
  func wait(_ line: AppLine) {
    guard let server else { return }
    while !isFinished {
      if !server.serve(milliseconds: StallWatch.interval) { watch.look(line) }
    }
  }
}

/// Runs pieces of the main queue on a thread that occupies this queue while it waits.
final class MainServer: @unchecked Sendable {
  private let gate: Gate
  private let state = Locked<SynchronousWork?>(nil)
  private let done = Gate()
  /// Whether a piece has run.
  private(set) var hasRun = false
  private let runs = Atomic(false)

  /// - Parameter gate: Opened when there is a piece to run.
  init(gate: Gate = Gate()) { self.gate = gate }

  /// Whether a piece runs now.
  var isRunning: Bool { runs.load(ordering: .acquiring) }

  func wake() { gate.open() }

  /// Called by the thread that has the turn.
  func run(_ work: SynchronousWork) {
    state.withLock { $0 = work }
    gate.open()
    done.wait()
  }

  /// Waits for a piece and runs it.
  ///
  /// - Returns: False if nothing came in time.
  func serve(milliseconds: Int) -> Bool {
    guard gate.wait(milliseconds: milliseconds) else { return false }
    if takeWork() { allow() }
    return true
  }

  /// Runs the piece that came, if one did. The thread that sent it waits until `allow`.
  func takeWork() -> Bool {
    guard let work = state.withLock({ $0.take() }) else { return false }
    hasRun = true
    runs.store(true, ordering: .releasing)
    onMainQueue(work.body)
    runs.store(false, ordering: .releasing)
    return true
  }

  func allow() { done.open() }

  private func onMainQueue(_ body: @escaping () -> Void) {
    if nvt_is_on_main_queue() { return body() }
    // On the main thread, but not called by the main queue.
    let work = SynchronousWork(body)
    nvt_real_async(nvt_main_queue(), SynchronousWork.call, Unmanaged.passUnretained(work).toOpaque())
    nvt_drain_main_queue()
    withExtendedLifetime(work) {}
  }
}

/// Lets one thread at a time advance a world's time or launch an app in it.
final class CallerLock: Sendable {
  private struct State {
    var owner: Int32 = 0
    var waiting: [Gate] = []
  }
  private let state = Locked(State())

  func tryLock() -> Bool {
    state.withLock { state in
      guard state.owner == 0 else { return false }
      state.owner = nvt_thread_number()
      return true
    }
  }

  func lock() {
    let gate = Gate()
    let isMine = state.withLock { state in
      if state.owner == 0 {
        state.owner = nvt_thread_number()
        return true
      }
      state.waiting.append(gate)
      return false
    }
    guard !isMine else { return }
    gate.wait()
    state.withLock { $0.owner = nvt_thread_number() }
  }

  func unlock() {
    let next = state.withLock { state -> Gate? in
      // The lock passes to the next thread in line, so it is not free in between.
      guard !state.waiting.isEmpty else {
        state.owner = 0
        return nil
      }
      state.owner = -1
      return state.waiting.removeFirst()
    }
    next?.open()
  }
}
