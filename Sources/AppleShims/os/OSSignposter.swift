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

/// A span that has begun.
public final class OSSignpostIntervalState: Sendable {}
