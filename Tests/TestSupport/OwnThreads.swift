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
  /// After which a test is cancelled, so that it tells what it waits for.
  let limit: Duration
  package var isRecursive: Bool { true }

  /// Tests at once.
  private static let turns = Turns(count: 5)
  /// From the cancelling to the end of the whole run: a thread that hangs cannot be taken back.
  private static let patience = Duration.seconds(120)

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // The wait for a turn too: a turn that is given is not to wait for a thread.
    try await withTaskExecutorPreference(ThreadPool.shared) {
      await Self.turns.take()
      defer { Self.turns.giveBack() }
      try await limited(test.displayName ?? test.name, function)
    }
  }

  private func limited(_ name: String, _ function: @Sendable () async throws -> Void) async throws {
    let words = "did not end within \(limit)"
    let hard = Self.after(limit + Self.patience) { fatalError("\(name) \(words), nor when it was cancelled") }
    defer { hard.cancel() }
    let bell = Bell()
    let soft = Self.after(limit) { bell.ring(true) }
    defer { soft.cancel() }
    async let body: Void = Self.perform(function, thenRing: bell)
    if await bell.rung() {
      Issue.record("\(words)")
      // Leaving cancels the body and waits for it.
      throw CancellationError()
    }
    try await body
  }

  private static func perform(
    _ function: @Sendable () async throws -> Void, thenRing bell: Bell
  ) async throws {
    defer { bell.ring(false) }
    try await function()
  }

  private static func after(
    _ limit: Duration, _ body: @escaping @Sendable () -> Void
  ) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.setEventHandler(handler: body)
    timer.schedule(deadline: .now() + limit / .seconds(1))
    timer.activate()
    return timer
  }
}

/// Rings once; who waits for it hears whether for lateness.
private final class Bell: Sendable {
  private enum State {
    case silent
    case awaited(CheckedContinuation<Bool, Never>)
    case rung(Bool)
  }

  private let state = Mutex(State.silent)

  func ring(_ value: Bool) {
    let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      switch state {
      case .rung: return nil
      case .silent:
        state = .rung(value)
        return nil
      case .awaited(let waiter):
        state = .rung(value)
        return waiter
      }
    }
    waiter?.resume(returning: value)
  }

  func rung() async -> Bool {
    await withCheckedContinuation { waiter in
      let known = state.withLock { state -> Bool? in
        if case .rung(let value) = state { return value }
        state = .awaited(waiter)
        return nil
      }
      if let known { waiter.resume(returning: known) }
    }
  }
}

extension Trait where Self == OwnThreads {
  package static var ownThreads: OwnThreads { .ownThreads(limit: .seconds(300)) }
  package static func ownThreads(limit: Duration) -> OwnThreads { OwnThreads(limit: limit) }
}

extension Task where Failure == any Error {
  /// A task beside a test on the threads of such tests; a plain one waits for Swift's few.
  package static func onOwnThread(
    _ body: sending @escaping @isolated(any) () async throws -> Success
  ) -> Task<Success, any Error> {
    Task.detached(executorPreference: ThreadPool.shared, operation: body)
  }
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
