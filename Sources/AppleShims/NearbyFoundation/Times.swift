// Names of Core Foundation's for time. They give way to the same names where an app imports CoreFoundation itself.

/// Seconds.
public typealias CFTimeInterval = Double
/// Seconds since the first of January 2001, UTC.
public typealias CFAbsoluteTime = CFTimeInterval

/// The time now.
@_disfavoredOverload
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// Seconds since the machine was started: a time to measure spans by, which no setting of the clock moves.
@_disfavoredOverload
public func CACurrentMediaTime() -> CFTimeInterval { ProcessInfo.processInfo.systemUptime }
