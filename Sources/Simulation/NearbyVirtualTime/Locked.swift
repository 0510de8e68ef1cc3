import Glibc

/// A value behind a lock, for values that the compiler cannot prove safe to send, such as addresses of C objects.
///
/// A lock of the C library, because any running thread can take it as soon as it is free. `Mutex` hands itself to a
/// thread that sleeps: with a hundred worlds on two processors, threads queued for seconds, as if their apps stalled.
final class Locked<Value>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
