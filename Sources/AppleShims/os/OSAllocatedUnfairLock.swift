import Foundation

/// A lock with what it guards.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  // The state is only touched under the lock.
  fileprivate final class Storage {
    let lock = NSLock()
    var state: State
    init(_ state: State) { self.state = state }
  }
  fileprivate let storage: Storage

  /// Makes a lock of a state.
  public init(uncheckedState initialState: State) { storage = Storage(initialState) }
  /// Calls a closure with the state, alone.
  public func withLock<R>(_ body: @Sendable (inout State) throws -> R) rethrows -> R where R: Sendable {
    try withLockUnchecked(body)
  }
  /// Calls a closure with the state, alone.
  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }
  /// Calls a closure with the state, alone, unless another has the lock.
  public func withLockIfAvailable<R>(
    _ body: @Sendable (inout State) throws -> R
  ) rethrows -> R? where R: Sendable { try withLockIfAvailableUnchecked(body) }
  /// Calls a closure with the state, alone, unless another has the lock.
  public func withLockIfAvailableUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R? {
    guard storage.lock.try() else { return nil }
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }
}

extension OSAllocatedUnfairLock where State: Sendable {
  /// Makes a lock of a state.
  public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
  /// Makes a lock of nothing.
  public init() { self.init(uncheckedState: ()) }
  /// Calls a closure, alone.
  public func withLock<R>(_ body: @Sendable () throws -> R) rethrows -> R where R: Sendable {
    try withLockUnchecked { _ in try body() }
  }
  /// Calls a closure, alone.
  public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
    try withLockUnchecked { _ in try body() }
  }
  /// Calls a closure, alone, unless another has the lock.
  public func withLockIfAvailable<R>(_ body: @Sendable () throws -> R) rethrows -> R? where R: Sendable {
    try withLockIfAvailableUnchecked { _ in try body() }
  }
  /// Takes the lock.
  public func lock() { storage.lock.lock() }
  /// Takes the lock, unless another has it.
  ///
  /// - Returns: Whether it was taken.
  public func lockIfAvailable() -> Bool { storage.lock.try() }
  /// Lets it go.
  public func unlock() { storage.lock.unlock() }
}
