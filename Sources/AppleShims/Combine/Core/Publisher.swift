import Foundation
import NearbyConcurrency
@_exported import NearbyFoundation

/// Gives values over time to those who subscribe.
public protocol Publisher<Output, Failure> {
  /// What is given.
  associatedtype Output
  /// How it may fail; `Never` where it cannot.
  associatedtype Failure: Error
  /// Hands a subscriber its subscription.
  func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input
}

extension Publisher {
  /// Attaches a subscriber.
  public func subscribe<S>(_ subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
    receive(subscriber: subscriber)
  }

  /// Attaches a subject, which hands on what comes.
  public func subscribe<S>(_ subject: S) -> AnyCancellable
  where S: Subject, Failure == S.Failure, Output == S.Output {
    let subscriber = SubjectSubscriber(subject)
    receive(subscriber: subscriber)
    return AnyCancellable(subscriber)
  }
}

/// Takes values from a publisher, as many as it asked for.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// What is taken.
  associatedtype Input
  /// How the publisher may fail.
  associatedtype Failure: Error
  /// The publisher has accepted; nothing comes before it is asked.
  func receive(subscription: any Subscription)
  /// A value came.
  /// - Returns: How many more are welcome.
  func receive(_ input: Input) -> Subscribers.Demand
  /// Nothing comes any more.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// A value came.
  public func receive() -> Subscribers.Demand { receive(()) }
}

/// A subscriber's tie to a publisher.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Asks for so many values more.
  func request(_ demand: Subscribers.Demand)
}

/// Something that can be called off.
public protocol Cancellable {
  /// Calls it off.
  func cancel()
}

extension Cancellable {
  /// Keeps the tie in a collection.
  public func store<C>(in collection: inout C)
  where C: RangeReplaceableCollection, C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Keeps the tie in a set.
  public func store(in set: inout Set<AnyCancellable>) { AnyCancellable(self).store(in: &set) }
}

/// A tie that is called off when nobody holds it any more.
public final class AnyCancellable: Cancellable, Hashable, Sendable {
  private let body: Guarded<(() -> Void)?>

  /// Calls a closure once, when called off.
  public init(_ cancel: @escaping () -> Void) { body = Guarded(unchecked: cancel) }

  /// Calls something else off.
  public init<C>(_ canceller: C) where C: Cancellable {
    body = Guarded(unchecked: { canceller.cancel() })
  }

  deinit { cancel() }

  /// Calls it off; once.
  public func cancel() {
    let body = body.withLock { $0.take() }
    body?()
  }

  /// Whether both are one object.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

  /// By the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Keeps it in a collection.
  public func store<C>(in collection: inout C)
  where C: RangeReplaceableCollection, C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Keeps it in a set.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
}

/// Tells things of one publisher from those of another.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
  private let number: UInt64
  private static let counter = Guarded<UInt64>(0)

  /// Makes one that nothing else has.
  public init() {
    number = Self.counter.withLock {
      $0 += 1
      return $0
    }
  }

  /// Makes that of an object.
  public init(_ object: AnyObject) { number = UInt64(UInt(bitPattern: ObjectIdentifier(object).hashValue)) }

  /// The number.
  public var description: String { "0x" + String(number, radix: 16) }
}

/// Has an identifier.
public protocol CustomCombineIdentifierConvertible {
  /// Tells it from others.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// That of the object.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

/// The types of subscribers and what they say.
public enum Subscribers {
  /// How many values are welcome.
  public struct Demand: Equatable, Comparable, Hashable, Codable, CustomStringConvertible, Sendable {
    private let count: UInt

    private init(count: UInt) { self.count = count }

    /// Without end.
    public static let unlimited = Demand(count: .max)
    /// Nothing.
    public static let none = Demand(count: 0)

    /// A number, which must not be negative.
    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "a demand of \(value)")
      return Demand(count: UInt(value))
    }

    /// The number; `nil` without end.
    public var max: Int? { self == .unlimited ? nil : Int(clamping: count) }

    /// "unlimited", or the number.
    public var description: String { max.map { "max(\($0))" } ?? "unlimited" }

    /// By number; without end is the greatest.
    public static func < (left: Demand, right: Demand) -> Bool { left.count < right.count }
    /// By number.
    public static func < (left: Demand, right: Int) -> Bool { left < .max(Swift.max(right, 0)) }
    /// By number.
    public static func > (left: Demand, right: Int) -> Bool { right < 0 || left > .max(right) }
    /// By number.
    public static func >= (left: Demand, right: Int) -> Bool { !(left < right) }
    /// By number.
    public static func == (left: Demand, right: Int) -> Bool { left.max == right }

    /// Both.
    public static func + (left: Demand, right: Demand) -> Demand {
      let (sum, isTooMuch) = left.count.addingReportingOverflow(right.count)
      return isTooMuch ? .unlimited : Demand(count: sum)
    }
    /// Both.
    public static func + (left: Demand, right: Int) -> Demand { left + .max(right) }
    /// Adds.
    public static func += (left: inout Demand, right: Demand) { left = left + right }
    /// Adds.
    public static func += (left: inout Demand, right: Int) { left = left + right }
    /// What is left; never less than nothing. Without end stays so.
    public static func - (left: Demand, right: Demand) -> Demand {
      if left == .unlimited { return left }
      return Demand(count: left.count > right.count ? left.count - right.count : 0)
    }
    /// What is left.
    public static func - (left: Demand, right: Int) -> Demand { left - .max(right) }
    /// Takes away.
    public static func -= (left: inout Demand, right: Demand) { left = left - right }
    /// Takes away.
    public static func -= (left: inout Demand, right: Int) { left = left - right }
    /// So many times.
    public static func * (left: Demand, right: Int) -> Demand {
      let (product, isTooMuch) = left.count.multipliedReportingOverflow(by: UInt(right))
      return left == .unlimited || isTooMuch ? .unlimited : Demand(count: product)
    }
  }

  /// How a publisher ended.
  public enum Completion<Failure: Error> {
    /// As it should.
    case finished
    /// With an error.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

/// The types of publishers that operators make.
public enum Publishers {}

/// The types of subscriptions.
public enum Subscriptions {
  /// A subscription of nothing.
  public static var empty: any Subscription { Nothing() }

  private struct Nothing: Subscription {
    let combineIdentifier = CombineIdentifier()
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }
}
