import Synchronization

// Functions of Apple's Objective-C runtime that are useful without it.

/// Calls the closure. Without Objective-C there is no autorelease pool to drain.
public func autoreleasepool<Result, Failure>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result { try body() }

/// The recursive locks of objects, each kept only while a thread holds or waits for it.
private let locks = Mutex<[ObjectIdentifier: (lock: NSRecursiveLock, users: Int)]>([:])

/// Acquires an object's recursive lock, waiting until it is free.
///
/// - Returns: Always 0.
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

/// Releases an object's lock, which the calling thread must hold.
///
/// - Returns: 0, or -1 if the object is not locked.
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
