import Dispatch
import NearbyConcurrency

/// Runs actions later or in another context.
public protocol Scheduler<SchedulerTimeType> {
  /// The type of points in time.
  associatedtype SchedulerTimeType: Strideable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
  /// The type of options.
  associatedtype SchedulerOptions
  /// The current time.
  var now: SchedulerTimeType { get }
  /// The smallest tolerance the scheduler supports.
  var minimumTolerance: SchedulerTimeType.Stride { get }
  /// Runs an action as soon as possible.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
  /// Runs an action at a given time.
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void)
  /// Runs an action at a given time and then at a fixed interval.
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  /// Runs an action as soon as possible.
  public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }
  /// Runs an action at a given time.
  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }
  /// Runs an action at a given time and then at a fixed interval.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }
}

/// A time interval of a scheduler.
public protocol SchedulerTimeIntervalConvertible {
  /// An interval of whole seconds.
  static func seconds(_ s: Int) -> Self
  /// An interval of seconds.
  static func seconds(_ s: Double) -> Self
  /// An interval of milliseconds.
  static func milliseconds(_ ms: Int) -> Self
  /// An interval of microseconds.
  static func microseconds(_ us: Int) -> Self
  /// An interval of nanoseconds.
  static func nanoseconds(_ ns: Int) -> Self
}

/// A time interval in seconds.
public struct SecondsStride:
  SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral, Hashable, Sendable
{
  /// The interval, in seconds.
  public var timeInterval: TimeInterval
  /// The absolute value, in seconds.
  public var magnitude: TimeInterval { abs(timeInterval) }
  /// Creates an interval, in seconds.
  public init(_ timeInterval: TimeInterval) { self.timeInterval = timeInterval }
  /// Creates an interval; `.never` is the longest one.
  public init(_ timeInterval: DispatchTimeInterval) {
    switch timeInterval {
    case .seconds(let count): self.init(Double(count))
    case .milliseconds(let count): self.init(Double(count) / 1e3)
    case .microseconds(let count): self.init(Double(count) / 1e6)
    case .nanoseconds(let count): self.init(Double(count) / 1e9)
    case .never: self.init(TimeInterval.greatestFiniteMagnitude)
    @unknown default: self.init(TimeInterval.greatestFiniteMagnitude)
    }
  }
  /// Creates an interval, in seconds.
  public init(floatLiteral value: TimeInterval) { self.init(value) }
  /// Creates an interval, in seconds.
  public init(integerLiteral value: Int) { self.init(TimeInterval(value)) }
  /// Creates an interval, in seconds.
  public init?<T: BinaryInteger>(exactly source: T) { self.init(TimeInterval(source)) }
  /// Compares two intervals.
  public static func < (left: Self, right: Self) -> Bool { left.timeInterval < right.timeInterval }
  /// Adds two intervals.
  public static func + (left: Self, right: Self) -> Self { Self(left.timeInterval + right.timeInterval) }
  /// Subtracts an interval.
  public static func - (left: Self, right: Self) -> Self { Self(left.timeInterval - right.timeInterval) }
  /// Multiplies two intervals.
  public static func * (left: Self, right: Self) -> Self { Self(left.timeInterval * right.timeInterval) }
  /// Multiplies by an interval.
  public static func *= (left: inout Self, right: Self) { left = left * right }
  /// An interval of whole seconds.
  public static func seconds(_ s: Int) -> Self { Self(Double(s)) }
  /// An interval of seconds.
  public static func seconds(_ s: Double) -> Self { Self(s) }
  /// An interval of milliseconds.
  public static func milliseconds(_ ms: Int) -> Self { Self(Double(ms) / 1e3) }
  /// An interval of microseconds.
  public static func microseconds(_ us: Int) -> Self { Self(Double(us) / 1e6) }
  /// An interval of nanoseconds.
  public static func nanoseconds(_ ns: Int) -> Self { Self(Double(ns) / 1e9) }
}

/// Runs every action immediately, on the calling thread.
public struct ImmediateScheduler: Scheduler, Sendable {
  /// A point in time; the scheduler's clock never advances.
  public struct SchedulerTimeType: Strideable, Sendable {
    private let seconds: TimeInterval
    init(_ seconds: TimeInterval) { self.seconds = seconds }
    /// The interval to another point in time.
    public func distance(to other: Self) -> SecondsStride { SecondsStride(other.seconds - seconds) }
    /// The point in time after an interval.
    public func advanced(by span: SecondsStride) -> Self { Self(seconds + span.timeInterval) }
  }
  /// There are no options.
  public typealias SchedulerOptions = Never
  /// The shared scheduler.
  public static let shared = ImmediateScheduler()
  /// Always zero.
  public var now: SchedulerTimeType { SchedulerTimeType(0) }
  /// Always zero.
  public var minimumTolerance: SecondsStride { 0 }
  /// Runs an action immediately.
  public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }
  /// Runs an action immediately.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SecondsStride, options: Never?, _ action: @escaping () -> Void
  ) { action() }
  /// Runs an action immediately, and only once.
  public func schedule(
    after date: SchedulerTimeType, interval: SecondsStride, tolerance: SecondsStride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return AnyCancellable {}
  }
}

extension DispatchQueue: Scheduler {
  /// A point in time on a dispatch queue.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// The dispatch time.
    public var dispatchTime: DispatchTime
    /// Creates a point in time.
    public init(_ time: DispatchTime) { dispatchTime = time }
    /// The interval to another point in time.
    public func distance(to other: Self) -> SecondsStride {
      SecondsStride(
        (Double(other.dispatchTime.uptimeNanoseconds) - Double(dispatchTime.uptimeNanoseconds)) / 1e9)
    }
    /// The point in time after an interval.
    public func advanced(by span: SecondsStride) -> Self { Self(dispatchTime + span.timeInterval) }
    /// Hashes the time.
    public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.uptimeNanoseconds) }
    /// The type of intervals.
    public typealias Stride = SecondsStride
  }
  /// How a queue runs an action.
  public struct SchedulerOptions {
    /// The quality of service.
    public var qos: DispatchQoS
    /// The work item's flags.
    public var flags: DispatchWorkItemFlags
    /// The dispatch group to join.
    public var group: DispatchGroup?
    /// Creates options.
    public init(
      qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil
    ) {
      self.qos = qos
      self.flags = flags
      self.group = group
    }
  }
  /// The current time.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }
  /// Always zero: tolerances are ignored.
  public var minimumTolerance: SecondsStride { 0 }
  /// Runs an action as soon as possible.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = UncheckedSendable(action)
    async(group: options?.group, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) {
      action.value()
    }
  }
  /// Runs an action at a given time.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SecondsStride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let action = UncheckedSendable(action)
    asyncAfter(deadline: date.dispatchTime) { action.value() }
  }
  /// Runs an action at a given time and then at a fixed interval.
  public func schedule(
    after date: SchedulerTimeType, interval: SecondsStride, tolerance: SecondsStride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let source = DispatchSource.makeTimerSource(queue: self)
    let action = UncheckedSendable(action)
    source.schedule(deadline: date.dispatchTime, repeating: interval.timeInterval)
    source.setEventHandler { action.value() }
    source.resume()
    return AnyCancellable { source.cancel() }
  }
}

/// A point in time on a run loop or operation queue.
public struct DateTime: Strideable, Hashable, Sendable {
  /// The date.
  public var date: Date
  /// Creates a point in time.
  public init(_ date: Date) { self.date = date }
  /// The interval to another point in time.
  public func distance(to other: Self) -> SecondsStride { SecondsStride(other.date.timeIntervalSince(date)) }
  /// The point in time after an interval.
  public func advanced(by span: SecondsStride) -> Self { Self(date.addingTimeInterval(span.timeInterval)) }
  /// The type of intervals.
  public typealias Stride = SecondsStride
}

extension RunLoop: Scheduler {
  /// The type of points in time.
  public typealias SchedulerTimeType = DateTime
  /// There are no options.
  public struct SchedulerOptions {}
  /// The current time.
  public var now: DateTime { DateTime(Date()) }
  /// Always zero: tolerances are ignored.
  public var minimumTolerance: SecondsStride { 0 }
  /// Runs an action on the run loop's next turn.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = UncheckedSendable(action)
    perform { action.value() }
    // On Linux, `perform` does not wake a run loop that another thread is waiting in; a timer does.
    if RunLoop.current !== self {
      add(Timer(fire: Date(), interval: 0, repeats: false) { _ in }, forMode: .common)
    }
  }
  /// Runs an action at a given time.
  public func schedule(
    after date: DateTime, tolerance: SecondsStride, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    let action = UncheckedSendable(action)
    add(Timer(fire: date.date, interval: 0, repeats: false) { _ in action.value() }, forMode: .common)
  }
  /// Runs an action at a given time and then at a fixed interval.
  public func schedule(
    after date: DateTime, interval: SecondsStride, tolerance: SecondsStride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let action = UncheckedSendable(action)
    let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: true) { _ in
      action.value()
    }
    add(timer, forMode: .common)
    return AnyCancellable { timer.invalidate() }
  }
}

extension OperationQueue: Scheduler {
  /// The type of points in time.
  public typealias SchedulerTimeType = DateTime
  /// There are no options.
  public struct SchedulerOptions {}
  /// The current time.
  public var now: DateTime { DateTime(Date()) }
  /// Always zero: tolerances are ignored.
  public var minimumTolerance: SecondsStride { 0 }
  /// Runs an action as soon as possible.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = UncheckedSendable(action)
    addOperation { action.value() }
  }
  /// Runs an action at a given time.
  public func schedule(
    after date: DateTime, tolerance: SecondsStride, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    let action = UncheckedSendable(action)
    DispatchQueue.global().asyncAfter(deadline: .now() + max(0, date.date.timeIntervalSinceNow)) {
      self.addOperation { action.value() }
    }
  }
  /// Runs an action at a given time and then at a fixed interval.
  public func schedule(
    after date: DateTime, interval: SecondsStride, tolerance: SecondsStride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let action = UncheckedSendable(action)
    let source = DispatchSource.makeTimerSource(queue: .global())
    source.schedule(
      deadline: .now() + max(0, date.date.timeIntervalSinceNow), repeating: interval.timeInterval)
    source.setEventHandler { self.addOperation { action.value() } }
    source.resume()
    return AnyCancellable { source.cancel() }
  }
}
