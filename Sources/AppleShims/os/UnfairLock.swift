import Foundation

// The C lock API. A lock is one word of the app's memory; waiting threads yield until it is free.

/// A lock.
public struct os_unfair_lock_s {
  /// 0 if the lock is free, 1 if it is taken.
  fileprivate var word: UInt32 = 0
  /// Creates a free lock.
  public init() {}
}

/// A lock.
public typealias os_unfair_lock = os_unfair_lock_s
/// A pointer to a lock.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

/// Protects the words of all unfair locks; held only while one is read or changed.
private let words = NSLock()

/// Acquires the lock, waiting until it is free. The lock is not recursive.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
  while !os_unfair_lock_trylock(lock) { sched_yield() }
}

/// Acquires the lock if it is free.
///
/// - Returns: Whether it was acquired.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
  words.lock()
  defer { words.unlock() }
  guard lock.pointee.word == 0 else { return false }
  lock.pointee.word = 1
  return true
}

/// Releases the lock.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
  words.lock()
  defer { words.unlock() }
  lock.pointee.word = 0
}
