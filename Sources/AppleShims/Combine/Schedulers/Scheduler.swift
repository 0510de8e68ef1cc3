import Dispatch
import NearbyConcurrency

/// Does things later, or elsewhere.
public protocol Scheduler<SchedulerTimeType> {
  /// Its points in time.
  associatedtype SchedulerTimeType: Strideable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
  /// How it may be asked to do things.
  associatedtype SchedulerOptions
  /// The present.
  var now: SchedulerTimeType { get }
  /// How precise it can be.
  var minimumTolerance: SchedulerTimeType.Stride { get }
  /// As soon as it can.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
  /// At a time.
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void)
  /// At a time, and again and again.
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  /// As soon as it can.
  public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }
  /// At a time.
  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }
  /// At a time, and again and again.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }
}

/// A span of a scheduler's time.
public protocol SchedulerTimeIntervalConvertible {
  /// So many seconds.
  static func seconds(_ s: Int) -> Self
  /// So many seconds.
  static func seconds(_ s: Double) -> Self
  /// So many milliseconds.
  static func milliseconds(_ ms: Int) -> Self
  /// So many microseconds.
  static func microseconds(_ us: Int) -> Self
  /// So many nanoseconds.
  static func nanoseconds(_ ns: Int) -> Self
}

/// A span of seconds, for schedulers whose time is in seconds.
public struct SecondsStride:
  SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral, Hashable, Sendable
{
  /// Seconds.
  public var timeInterval: TimeInterval
  /// The same.
  public var magnitude: TimeInterval { abs(timeInterval) }
  /// Of seconds.
  public init(_ timeInterval: TimeInterval) { self.timeInterval = timeInterval }
  /// Of seconds.
  public init(floatLiteral value: TimeInterval) { self.init(value) }
  /// Of seconds.
  public init(integerLiteral value: Int) { self.init(TimeInterval(value)) }
  /// Of seconds.
  public init?<T: BinaryInteger>(exactly source: T) { self.init(TimeInterval(source)) }
  /// By length.
  public static func < (left: Self, right: Self) -> Bool { left.timeInterval < right.timeInterval }
  /// Both.
  public static func + (left: Self, right: Self) -> Self { Self(left.timeInterval + right.timeInterval) }
  /// What is left.
  public static func - (left: Self, right: Self) -> Self { Self(left.timeInterval - right.timeInterval) }
  /// So many times.
  public static func * (left: Self, right: Self) -> Self { Self(left.timeInterval * right.timeInterval) }
  /// So many times.
  public static func *= (left: inout Self, right: Self) { left = left * right }
  /// So many seconds.
  public static func seconds(_ s: Int) -> Self { Self(Double(s)) }
  /// So many seconds.
  public static func seconds(_ s: Double) -> Self { Self(s) }
  /// So many milliseconds.
  public static func milliseconds(_ ms: Int) -> Self { Self(Double(ms) / 1e3) }
  /// So many microseconds.
  public static func microseconds(_ us: Int) -> Self { Self(Double(us) / 1e6) }
  /// So many nanoseconds.
  public static func nanoseconds(_ ns: Int) -> Self { Self(Double(ns) / 1e9) }
}

/// Does everything at once, where it stands.
public struct ImmediateScheduler: Scheduler, Sendable {
  /// It has no time.
  public struct SchedulerTimeType: Strideable, Sendable {
    private let seconds: TimeInterval
    init(_ seconds: TimeInterval) { self.seconds = seconds }
    /// The span to another.
    public func distance(to other: Self) -> SecondsStride { SecondsStride(other.seconds - seconds) }
    /// Later by a span.
    public func advanced(by span: SecondsStride) -> Self { Self(seconds + span.timeInterval) }
  }
  /// There are none.
  public typealias SchedulerOptions = Never
  /// The one.
  public static let shared = ImmediateScheduler()
  /// It has no time.
  public var now: SchedulerTimeType { SchedulerTimeType(0) }
  /// None.
  public var minimumTolerance: SecondsStride { 0 }
  /// At once.
  public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }
  /// At once.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SecondsStride, options: Never?, _ action: @escaping () -> Void
  ) { action() }
  /// At once, and once.
  public func schedule(
    after date: SchedulerTimeType, interval: SecondsStride, tolerance: SecondsStride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return AnyCancellable {}
  }
}

extension DispatchQueue: Scheduler {
  /// A point in time of a queue's.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// The time.
    public var dispatchTime: DispatchTime
    /// Of a time.
    public init(_ time: DispatchTime) { dispatchTime = time }
    /// The span to another.
    public func distance(to other: Self) -> SecondsStride {
      SecondsStride(
        (Double(other.dispatchTime.uptimeNanoseconds) - Double(dispatchTime.uptimeNanoseconds)) / 1e9)
    }
    /// Later by a span.
    public func advanced(by span: SecondsStride) -> Self { Self(dispatchTime + span.timeInterval) }
    /// By time.
    public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.uptimeNanoseconds) }
    /// A span.
    public typealias Stride = SecondsStride
  }
  /// How a queue does things.
  public struct SchedulerOptions {
    /// At what priority.
    public var qos: DispatchQoS
    /// With which flags.
    public var flags: DispatchWorkItemFlags
    /// In which group.
    public var group: DispatchGroup?
    /// Makes options.
    public init(
      qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil
    ) {
      self.qos = qos
      self.flags = flags
      self.group = group
    }
  }
  /// The present.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }
  /// None asked for.
  public var minimumTolerance: SecondsStride { 0 }
  /// As soon as it can.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = UncheckedSendable(action)
    async(group: options?.group, qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) {
      action.value()
    }
  }
  /// At a time.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SecondsStride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let action = UncheckedSendable(action)
    asyncAfter(deadline: date.dispatchTime) { action.value() }
  }
  /// At a time, and again and again.
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

/// A point in time of a run loop's, or of an operation queue's.
public struct DateTime: Strideable, Hashable, Sendable {
  /// The time.
  public var date: Date
  /// Of a time.
  public init(_ date: Date) { self.date = date }
  /// The span to another.
  public func distance(to other: Self) -> SecondsStride { SecondsStride(other.date.timeIntervalSince(date)) }
  /// Later by a span.
  public func advanced(by span: SecondsStride) -> Self { Self(date.addingTimeInterval(span.timeInterval)) }
  /// A span.
  public typealias Stride = SecondsStride
}

extension RunLoop: Scheduler {
  /// A point in time.
  public typealias SchedulerTimeType = DateTime
  /// There are none.
  public struct SchedulerOptions {}
  /// The present.
  public var now: DateTime { DateTime(Date()) }
  /// None asked for.
  public var minimumTolerance: SecondsStride { 0 }
  /// As soon as it runs.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = UncheckedSendable(action)
    perform { action.value() }
  }
  /// At a time.
  public func schedule(
    after date: DateTime, tolerance: SecondsStride, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    let action = UncheckedSendable(action)
    add(Timer(fire: date.date, interval: 0, repeats: false) { _ in action.value() }, forMode: .common)
  }
  /// At a time, and again and again.
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
  /// A point in time.
  public typealias SchedulerTimeType = DateTime
  /// There are none.
  public struct SchedulerOptions {}
  /// The present.
  public var now: DateTime { DateTime(Date()) }
  /// None asked for.
  public var minimumTolerance: SecondsStride { 0 }
  /// As soon as it can.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = UncheckedSendable(action)
    addOperation { action.value() }
  }
  /// At a time.
  public func schedule(
    after date: DateTime, tolerance: SecondsStride, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    let action = UncheckedSendable(action)
    DispatchQueue.global().asyncAfter(deadline: .now() + max(0, date.date.timeIntervalSinceNow)) {
      self.addOperation { action.value() }
    }
  }
  /// At a time, and again and again.
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
