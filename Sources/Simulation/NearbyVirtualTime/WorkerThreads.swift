import CNearbyVirtualTime
import Glibc
import Synchronization

/// Threads on which worlds run. They are not libdispatch's, which adds only one a second when its own are blocked.
enum WorkerThreads {
  private final class Worker: @unchecked Sendable {
    let gate = Gate()
    var job: (@Sendable () -> Void)?

    func work() {
      while true {
        gate.wait()
        job.take()?()
        WorkerThreads.idle.withLock { $0.append(self) }
      }
    }
  }

  private static let idle = Mutex<[Worker]>([])

  /// Runs a job on an idle thread, or on a new one. Call without a context, so that the thread has none.
  ///
  /// - Returns: Whether there is a thread; false if the system refuses to create one.
  static func run(_ job: @escaping @Sendable () -> Void) -> Bool {
    if let worker = idle.withLock({ $0.popLast() }) {
      worker.job = job
      worker.gate.open()
      return true
    }
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
      return false
    }
    pthread_detach(thread)
    worker.job = job
    worker.gate.open()
    return true
  }
}
