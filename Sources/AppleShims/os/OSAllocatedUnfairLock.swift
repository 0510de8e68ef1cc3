import Foundation

/// A lock together with the state it protects.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  // The state is accessed only while the lock is held.
  fileprivate final class Storage {
    let lock = NSLock()
    var state: State
    init(_ state: State) { self.state = state }
  }
  fileprivate let storage: Storage

  /// Creates a lock with an initial state.
  public init(uncheckedState initialState: State) { storage = Storage(initialState) }
  /// Calls a closure with exclusive access to the state.
  public func withLock<R>(_ body: @Sendable (inout State) throws -> R) rethrows -> R where R: Sendable {
    try withLockUnchecked(body)
  }
  /// Calls a closure with exclusive access to the state.
  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }
  /// Calls a closure with exclusive access to the state; returns `nil` if the lock is taken.
  public func withLockIfAvailable<R>(
    _ body: @Sendable (inout State) throws -> R
  ) rethrows -> R? where R: Sendable { try withLockIfAvailableUnchecked(body) }
  /// Calls a closure with exclusive access to the state; returns `nil` if the lock is taken.
  public func withLockIfAvailableUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R? {
    guard storage.lock.try() else { return nil }
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }
}

extension OSAllocatedUnfairLock where State: Sendable {
  /// Creates a lock with an initial state.
  public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
  /// Creates a lock without state.
  public init() { self.init(uncheckedState: ()) }
  /// Calls a closure while holding the lock.
  public func withLock<R>(_ body: @Sendable () throws -> R) rethrows -> R where R: Sendable {
    try withLockUnchecked { _ in try body() }
  }
  /// Calls a closure while holding the lock.
  public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
    try withLockUnchecked { _ in try body() }
  }
  /// Calls a closure while holding the lock; returns `nil` if the lock is taken.
  public func withLockIfAvailable<R>(_ body: @Sendable () throws -> R) rethrows -> R? where R: Sendable {
    try withLockIfAvailableUnchecked { _ in try body() }
  }
  /// Acquires the lock.
  public func lock() { storage.lock.lock() }
  /// Acquires the lock if it is free.
  ///
  /// - Returns: Whether it was acquired.
  public func lockIfAvailable() -> Bool { storage.lock.try() }
  /// Releases the lock.
  public func unlock() { storage.lock.unlock() }
}
