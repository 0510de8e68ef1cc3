import CNearbyVirtualTime
import Glibc

/// Threads on which worlds run. They are not libdispatch's, which adds only one a second when its own are blocked.
enum WorkerThreads {
  /// A thread without a job. Its owner starts it once or releases it.
  final class Worker: @unchecked Sendable {
    private let gate = Gate()
    private var job: (@Sendable () -> Void)?

    /// Runs a job, after which the thread is idle again.
    func start(_ job: @escaping @Sendable () -> Void) {
      self.job = job
      gate.open()
    }

    func release() { WorkerThreads.idle.withLock { $0.append(self) } }

    fileprivate func work() {
      while true {
        gate.wait()
        job.take()?()
        release()
      }
    }
  }

  private static let idle = Locked<[Worker]>([])

  /// An idle thread or a new one; `nil` if the system refuses to create one. Call without a context, so that the
  /// thread has none.
  static func reserve() -> Worker? {
    if let worker = idle.withLock({ $0.popLast() }) { return worker }
    let worker = Worker()
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(worker)
    let result = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Worker>.fromOpaque(argument).takeRetainedValue().work()
        return nil
      }, argument.toOpaque())
    guard result == 0 else {
      argument.release()
      return nil
    }
    pthread_detach(thread)
    return worker
  }
}
