import Foundation
import Synchronization
import Testing

/// Runs tests on threads of their own.
///
/// All tests of a run share Swift's few threads, one a core. A test that computes for seconds keeps the others'
/// from going on: what happened on the network long ago is seen long after. And one that waits for a program or a
/// socket would keep theirs.
package struct OwnThreads: TestTrait, SuiteTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ThreadPool.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  package static var ownThreads: OwnThreads { OwnThreads() }
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
