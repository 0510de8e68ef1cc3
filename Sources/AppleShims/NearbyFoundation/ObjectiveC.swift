import Synchronization

// Functions of Apple's Objective-C runtime that make sense without it.

/// Calls the closure: without Objective-C there is no pool that would have to be drained.
public func autoreleasepool<Result, Failure>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result { try body() }

/// Locks that objects have on their own, while somebody holds or waits for them.
private let locks = Mutex<[ObjectIdentifier: (lock: NSRecursiveLock, users: Int)]>([:])

/// Takes an object's lock; the same thread may take it again. Waits for who has it.
///
/// - Returns: 0.
@discardableResult
public func objc_sync_enter(_ object: AnyObject) -> Int32 {
  let lock = locks.withLock { locks in
    var entry = locks[ObjectIdentifier(object)] ?? (NSRecursiveLock(), 0)
    entry.users += 1
    locks[ObjectIdentifier(object)] = entry
    return entry.lock
  }
  lock.lock()
  return 0
}

/// Lets an object's lock go, which this thread has taken.
///
/// - Returns: 0, or -1 where nobody has taken it.
@discardableResult
public func objc_sync_exit(_ object: AnyObject) -> Int32 {
  let lock = locks.withLock { locks -> NSRecursiveLock? in
    guard var entry = locks[ObjectIdentifier(object)] else { return nil }
    entry.users -= 1
    locks[ObjectIdentifier(object)] = entry.users == 0 ? nil : entry
    return entry.lock
  }
  lock?.unlock()
  return lock == nil ? -1 : 0
}
