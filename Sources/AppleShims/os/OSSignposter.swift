/// Marks intervals for a tracing tool. Declared for source compatibility; nothing is recorded here.
public struct OSSignposter: Sendable {
  /// Creates a signposter for a subsystem and category.
  public init(subsystem: String, category: String) {}
  /// Creates a signposter for a log.
  public init(logHandle: OSLog = .default) {}
  /// Creates a signposter for a logger.
  public init(logger: Logger) {}
  /// Always false.
  public var isEnabled: Bool { false }
  /// Returns the `exclusive` identifier.
  public func makeSignpostID() -> OSSignpostID { .exclusive }
  /// Starts an interval.
  public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
    OSSignpostIntervalState()
  }
  /// Ends an interval.
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
  /// Marks a point in time.
  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {}
  /// Calls the closure.
  public func withIntervalSignpost<T>(
    _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> T
  ) rethrows -> T { try task() }
}

/// An interval that has started.
public final class OSSignpostIntervalState: Sendable {}
