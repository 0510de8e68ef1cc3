/// Marks spans of work for a tracing tool; there is none here, so that it does nothing but keep its shape.
public struct OSSignposter: Sendable {
  /// Makes one of a subsystem and category.
  public init(subsystem: String, category: String) {}
  /// Makes one of a log.
  public init(logHandle: OSLog = .default) {}
  /// Makes one of a logger.
  public init(logger: Logger) {}
  /// Nothing is written.
  public var isEnabled: Bool { false }
  /// An identifier.
  public func makeSignpostID() -> OSSignpostID { .exclusive }
  /// Begins a span.
  public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
    OSSignpostIntervalState()
  }
  /// Ends a span.
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
  /// Marks a moment.
  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {}
  /// Does the work.
  public func withIntervalSignpost<T>(
    _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> T
  ) rethrows -> T { try task() }
}

/// Tells spans of one name apart.
public struct OSSignpostID: Sendable, Hashable {
  /// The only one.
  public static let exclusive = OSSignpostID()
}

/// A span that has begun.
public final class OSSignpostIntervalState: Sendable {}

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
  /// Takes the lock.
  public func lock() { storage.lock.lock() }
  /// Lets it go.
  public func unlock() { storage.lock.unlock() }
}
