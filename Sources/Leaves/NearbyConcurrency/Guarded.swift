import Glibc

/// A value protected by a `pthread_mutex_t`.
///
/// Used instead of `Synchronization.Mutex` because ThreadSanitizer does not understand that type and reports
/// a race whenever a `Mutex` is contended, and because `Guarded` has a non-blocking
/// `withLockIfAvailable(_:)`. The lock is not recursive.
///
/// Unchecked because the compiler cannot see that the value is accessed only while the lock is held.
package final class Guarded<Value>: @unchecked Sendable {
  @usableFromInline let lock: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let value: UnsafeMutablePointer<Value>

  package convenience init(_ value: sending Value) { self.init(unchecked: value) }

  /// For values the compiler refuses to send: everything reachable from `value` must be used only under the
  /// lock.
  package init(unchecked value: Value) {
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    #if DEBUG
      // A thread that locks twice hits the assertion below instead of deadlocking.
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
      pthread_mutex_init(lock, &attributes)
      pthread_mutexattr_destroy(&attributes)
    #else
      pthread_mutex_init(lock, nil)
    #endif
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  @inlinable @inline(__always)
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let status = pthread_mutex_lock(lock)
    assert(status == 0, "this thread already holds the lock")
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }

  /// - Returns: `nil` if the lock is held by another thread.
  @inlinable @inline(__always)
  package func withLockIfAvailable<Result>(_ body: (inout Value) -> Result) -> Result? {
    guard pthread_mutex_trylock(lock) == 0 else { return nil }
    defer { pthread_mutex_unlock(lock) }
    return body(&value.pointee)
  }
}
