import Foundation

// The lock that C code of Apple's uses. It is a word in the app's memory; a thread that finds it taken lets others run
// until it is free.

/// A word that is a lock.
public struct os_unfair_lock_s {
  /// 0 where nobody has it.
  fileprivate var word: UInt32 = 0
  /// A lock that nobody has.
  public init() {}
}

/// A word that is a lock.
public typealias os_unfair_lock = os_unfair_lock_s
/// Where a lock is.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

/// Makes the changes to the words of all such locks one at a time; held for no longer than that.
private let words = NSLock()

/// Takes the lock, waiting for who has it. Not twice by the same thread.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
  while !os_unfair_lock_trylock(lock) { sched_yield() }
}

/// Takes the lock, unless another has it.
///
/// - Returns: Whether it was taken.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
  words.lock()
  defer { words.unlock() }
  guard lock.pointee.word == 0 else { return false }
  lock.pointee.word = 1
  return true
}

/// Lets the lock go.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
  words.lock()
  defer { words.unlock() }
  lock.pointee.word = 0
}
