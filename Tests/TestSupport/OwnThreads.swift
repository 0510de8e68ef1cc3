import Foundation
import Synchronization
import Testing

/// Runs tests that need real time, with sockets and programs, on separate threads, a few at a time.
///
/// All tests of a run share Swift's thread pool, which has one thread per core. A test that computes for
/// seconds keeps the others from running, so they notice network events much too late. A test that blocks on
/// a program or a socket would occupy a thread of the pool. Nor may all of these tests run at the same time:
/// with a hundred programs on two cores, answers arrive so late that a protocol's real time limits expire.
package struct OwnThreads: TestTrait, SuiteTrait, TestScoping {
  /// The time after which a test is cancelled, so that it reports what it waits for.
  let limit: Duration
  package var isRecursive: Bool { true }

  /// How many of these tests run at a time.
  private static let turns = Turns(count: 5)
  /// From the cancellation until the whole run is ended, because a thread that hangs can't be cancelled.
  private static let patience = Duration.seconds(120)

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // The wait for a turn runs here, too, so that a test that gets its turn need not wait for a thread.
    try await withTaskExecutorPreference(ThreadPool.shared) {
      await Self.turns.acquire()
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
      // Throwing cancels the test's body and waits for it.
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

/// Rings once. Waiting for it returns whether it rang because of the limit.
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
  /// A task next to a test, on the threads of such tests. An ordinary task would wait for Swift's thread
  /// pool.
  package static func onOwnThread(
    _ body: sending @escaping @isolated(any) () async throws -> Success
  ) -> Task<Success, any Error> {
    Task.detached(executorPreference: ThreadPool.shared, operation: body)
  }
}

/// Admits a few tasks at a time, in the order of their arrival.
private final class Turns: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(free: count)) }

  func acquire() async {
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

/// A fixed number of threads, enough for the tests of one process that block at the same time.
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
