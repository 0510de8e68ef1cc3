/// A type-erased publisher.
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible {
  private let attach: (AnySubscriber<Output, Failure>) -> Void

  /// Wraps a publisher.
  public init<P>(_ publisher: P) where P: Publisher, P.Output == Output, P.Failure == Failure {
    if let erased = publisher as? AnyPublisher<Output, Failure> {
      self = erased
    } else {
      attach = { publisher.receive(subscriber: $0) }
    }
  }

  /// Forwards the subscriber to the wrapped publisher.
  public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
    attach(AnySubscriber(subscriber))
  }

  /// The type's name.
  public var description: String { "AnyPublisher" }
}

extension Publisher {
  /// Wraps this publisher in an `AnyPublisher`.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

/// A type-erased subscriber.
public struct AnySubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  private let takesSubscription: (any Subscription) -> Void
  private let takesValue: (Input) -> Subscribers.Demand
  private let takesCompletion: (Subscribers.Completion<Failure>) -> Void
  /// The identifier of the wrapped subscriber.
  public let combineIdentifier: CombineIdentifier

  /// Wraps a subscriber.
  public init<S>(_ subscriber: S) where S: Subscriber, Input == S.Input, Failure == S.Failure {
    takesSubscription = { subscriber.receive(subscription: $0) }
    takesValue = { subscriber.receive($0) }
    takesCompletion = { subscriber.receive(completion: $0) }
    combineIdentifier = subscriber.combineIdentifier
  }

  /// Wraps a subject.
  public init<S>(_ subject: S) where S: Subject, Input == S.Output, Failure == S.Failure {
    self.init(SubjectSubscriber(subject))
  }

  /// Creates a subscriber from closures. Without `receiveValue`, it never requests further values.
  public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    takesSubscription = receiveSubscription ?? { _ in }
    takesValue = receiveValue ?? { _ in .none }
    takesCompletion = receiveCompletion ?? { _ in }
    combineIdentifier = CombineIdentifier()
  }

  /// Calls the wrapped subscriber.
  public func receive(subscription: any Subscription) { takesSubscription(subscription) }
  /// Calls the wrapped subscriber.
  public func receive(_ value: Input) -> Subscribers.Demand { takesValue(value) }
  /// Calls the wrapped subscriber.
  public func receive(completion: Subscribers.Completion<Failure>) { takesCompletion(completion) }
  /// The type's name.
  public var description: String { "AnySubscriber" }
}
