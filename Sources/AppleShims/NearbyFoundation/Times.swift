// Core Foundation's names for time. They yield to the same names if an app imports CoreFoundation itself.

/// Seconds.
public typealias CFTimeInterval = Double
/// Seconds since 1 January 2001, UTC.
public typealias CFAbsoluteTime = CFTimeInterval

/// The current time, in seconds since 1 January 2001, UTC.
@_disfavoredOverload
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// Seconds since the system started. Suitable for measuring intervals, because clock adjustments do not
/// affect it.
@_disfavoredOverload
public func CACurrentMediaTime() -> CFTimeInterval { ProcessInfo.processInfo.systemUptime }
