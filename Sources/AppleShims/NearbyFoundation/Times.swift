// Core Foundation's names for time. They yield to the same names if an app imports CoreFoundation itself.

/// Seconds.
public typealias CFTimeInterval = Double
/// Seconds since 1 January 2001, UTC.
public typealias CFAbsoluteTime = CFTimeInterval

/// Nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// Nanoseconds in a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// Nanoseconds in a microsecond.
public let NSEC_PER_USEC: UInt64 = 1000
/// Microseconds in a second.
public let USEC_PER_SEC: UInt64 = 1_000_000
/// Milliseconds in a second.
public let MSEC_PER_SEC: UInt64 = 1000

/// The current time, in seconds since 1 January 2001, UTC.
@_disfavoredOverload
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// Seconds since the system started. Suitable for measuring intervals, because clock adjustments do not
/// affect it.
@_disfavoredOverload
public func CACurrentMediaTime() -> CFTimeInterval { ProcessInfo.processInfo.systemUptime }
