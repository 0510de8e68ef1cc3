import Foundation
import Synchronization
import Testing

/// Runs tests that live in real time, with sockets and programs: on threads of their own, a few at once.
///
/// All tests of a run share Swift's few threads, one a core. A test that computes for seconds keeps the others'
/// from going on: what happened on the network long ago is seen long after. And one that waits for a program or a
/// socket would keep theirs. Nor may all of them run at once: a hundred programs on two cores answer so late that
/// limits of a real protocol are passed, which then is no finding.
package struct OwnThreads: TestTrait, SuiteTrait, TestScoping {
  /// After which the whole run ends: a thread that hangs cannot be taken back.
  let limit: Duration
  package var isRecursive: Bool { true }

  /// Tests at once.
  private static let turns = Turns(count: 5)

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Self.turns.take()
    defer { Self.turns.giveBack() }
    let watch = DispatchSource.makeTimerSource(queue: .global())
    let words = "\(test.displayName ?? test.name) did not end within \(limit)"
    watch.setEventHandler { fatalError(words) }
    watch.schedule(deadline: .now() + limit / .seconds(1))
    watch.activate()
    defer { watch.cancel() }
    try await withTaskExecutorPreference(ThreadPool.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  package static var ownThreads: OwnThreads { .ownThreads(limit: .seconds(300)) }
  package static func ownThreads(limit: Duration) -> OwnThreads { OwnThreads(limit: limit) }
}

/// Lets a few go on at a time, in the order they came.
private final class Turns: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(free: count)) }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free == 0 else {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func giveBack() {
    let next = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil as CheckedContinuation<Void, Never>?
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

/// As many threads as tests of one process wait at once.
private final class ThreadPool: TaskExecutor {
  static let shared = ThreadPool(count: 24)
  private let jobs = Mutex<[UnownedJob]>([])
  private let waiting = DispatchSemaphore(value: 0)

  init(count: Int) {
    for index in 0..<count {
      let thread = Thread { [self] in run() }
      thread.name = "own threads \(index)"
      thread.start()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    waiting.signal()
  }

  private func run() {
    while true {
      waiting.wait()
      let job = jobs.withLock { $0.removeFirst() }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
