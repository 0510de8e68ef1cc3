import Foundation
import NearbyConcurrency
@_exported import NearbyFoundation

/// Delivers values over time to its subscribers.
public protocol Publisher<Output, Failure> {
  /// The type of the values.
  associatedtype Output
  /// The type of the error; `Never` if the publisher cannot fail.
  associatedtype Failure: Error
  /// Attaches a subscriber, which first receives a subscription.
  func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input
}

extension Publisher {
  /// Attaches a subscriber.
  public func subscribe<S>(_ subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
    receive(subscriber: subscriber)
  }

  /// Attaches a subject, which republishes the values.
  public func subscribe<S>(_ subject: S) -> AnyCancellable
  where S: Subject, Failure == S.Failure, Output == S.Output {
    let subscriber = SubjectSubscriber(subject)
    receive(subscriber: subscriber)
    return AnyCancellable(subscriber)
  }
}

/// Receives values from a publisher, as many as it has requested.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The type of the values.
  associatedtype Input
  /// The type of the publisher's error.
  associatedtype Failure: Error
  /// The publisher accepted the subscriber; no value arrives before the subscriber requests one.
  func receive(subscription: any Subscription)
  /// A value arrived.
  /// - Returns: The number of additional values to send.
  func receive(_ input: Input) -> Subscribers.Demand
  /// The publisher finished or failed; no further values arrive.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// A value arrived.
  public func receive() -> Subscribers.Demand { receive(()) }
}

/// A subscriber's connection to a publisher.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Requests additional values.
  func request(_ demand: Subscribers.Demand)
}

/// An activity that can be cancelled.
public protocol Cancellable {
  /// Cancels the activity.
  func cancel()
}

extension Cancellable {
  /// Stores the cancellable in a collection.
  public func store<C>(in collection: inout C)
  where C: RangeReplaceableCollection, C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Stores the cancellable in a set.
  public func store(in set: inout Set<AnyCancellable>) { AnyCancellable(self).store(in: &set) }
}

/// A type-erased cancellable that cancels when it is released.
public final class AnyCancellable: Cancellable, Hashable, Sendable {
  private let body: Guarded<(() -> Void)?>

  /// Creates a cancellable that runs a closure once, on cancellation.
  public init(_ cancel: @escaping () -> Void) { body = Guarded(unchecked: cancel) }

  /// Wraps another cancellable.
  public init<C>(_ canceller: C) where C: Cancellable {
    body = Guarded(unchecked: { canceller.cancel() })
  }

  deinit { cancel() }

  /// Cancels; later calls have no effect.
  public func cancel() {
    let body = body.withLock { $0.take() }
    body?()
  }

  /// Whether both are the same object.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Stores the cancellable in a collection.
  public func store<C>(in collection: inout C)
  where C: RangeReplaceableCollection, C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Stores the cancellable in a set.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
}

/// Identifies a subscription or subscriber.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
  private let number: UInt64
  private static let counter = Guarded<UInt64>(0)

  /// Creates a unique identifier.
  public init() {
    number = Self.counter.withLock {
      $0 += 1
      return $0
    }
  }

  /// Creates the identifier of an object.
  public init(_ object: AnyObject) { number = UInt64(UInt(bitPattern: ObjectIdentifier(object).hashValue)) }

  /// The identifier in hexadecimal.
  public var description: String { "0x" + String(number, radix: 16) }
}

/// A type with a `CombineIdentifier`.
public protocol CustomCombineIdentifierConvertible {
  /// The identifier of this instance.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The identifier of the object.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

/// A namespace for subscribers, demand and completion.
public enum Subscribers {
  /// The number of values a subscriber requests.
  public struct Demand: Equatable, Comparable, Hashable, Codable, CustomStringConvertible, Sendable {
    private let count: UInt

    private init(count: UInt) { self.count = count }

    /// No limit.
    public static let unlimited = Demand(count: .max)
    /// No values.
    public static let none = Demand(count: 0)

    /// Requests a number of values, which must not be negative.
    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "a demand cannot be negative: \(value)")
      return Demand(count: UInt(value))
    }

    /// The number of values; `nil` if unlimited.
    public var max: Int? { self == .unlimited ? nil : Int(clamping: count) }

    /// "unlimited", or "max(n)".
    public var description: String { max.map { "max(\($0))" } ?? "unlimited" }

    /// Compares the numbers; `unlimited` is the greatest demand.
    public static func < (left: Demand, right: Demand) -> Bool { left.count < right.count }
    /// Compares the demand with a number.
    public static func < (left: Demand, right: Int) -> Bool { left < .max(Swift.max(right, 0)) }
    /// Compares the demand with a number.
    public static func > (left: Demand, right: Int) -> Bool { right < 0 || left > .max(right) }
    /// Compares the demand with a number.
    public static func >= (left: Demand, right: Int) -> Bool { !(left < right) }
    /// Compares the demand with a number.
    public static func == (left: Demand, right: Int) -> Bool { left.max == right }

    /// Adds two demands; an overflow yields `unlimited`.
    public static func + (left: Demand, right: Demand) -> Demand {
      right.max.map { left + $0 } ?? .unlimited
    }
    /// Adds a number of values; an overflow yields `unlimited`. The sum must not be negative.
    public static func + (left: Demand, right: Int) -> Demand {
      guard let count = left.max else { return .unlimited }
      let (sum, isTooMuch) = count.addingReportingOverflow(right)
      return isTooMuch ? .unlimited : .max(sum)
    }
    /// Adds a demand.
    public static func += (left: inout Demand, right: Demand) { left = left + right }
    /// Adds a number of values.
    public static func += (left: inout Demand, right: Int) { left = left + right }
    /// Subtracts a demand; the result is at least `none`, and `unlimited` stays unlimited.
    public static func - (left: Demand, right: Demand) -> Demand {
      if left == .unlimited { return left }
      return right.max.map { left - $0 } ?? .none
    }
    /// Subtracts a number of values; the result is at least `none`, also after an overflow.
    public static func - (left: Demand, right: Int) -> Demand {
      guard let count = left.max else { return .unlimited }
      let (difference, isTooMuch) = count.subtractingReportingOverflow(right)
      return isTooMuch ? .none : .max(Swift.max(difference, 0))
    }
    /// Subtracts a demand.
    public static func -= (left: inout Demand, right: Demand) { left = left - right }
    /// Subtracts a number of values.
    public static func -= (left: inout Demand, right: Int) { left = left - right }
    /// Multiplies the demand; an overflow yields `unlimited`. The product must not be negative.
    public static func * (left: Demand, right: Int) -> Demand {
      guard let count = left.max else { return .unlimited }
      let (product, isTooMuch) = count.multipliedReportingOverflow(by: right)
      precondition(isTooMuch || product >= 0, "a demand cannot be negative: \(count) multiplied by \(right)")
      return isTooMuch ? .unlimited : .max(product)
    }
    /// Multiplies the demand.
    public static func *= (left: inout Demand, right: Int) { left = left * right }
  }

  /// How a publisher ended.
  public enum Completion<Failure: Error> {
    /// It finished normally.
    case finished
    /// It failed with an error.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

/// A namespace for the publishers that operators return.
public enum Publishers {}

/// A namespace for subscriptions.
public enum Subscriptions {
  /// A subscription that has no effect.
  public static var empty: any Subscription { Nothing() }

  private struct Nothing: Subscription {
    let combineIdentifier = CombineIdentifier()
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }
}
