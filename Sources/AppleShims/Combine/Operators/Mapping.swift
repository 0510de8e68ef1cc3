import NearbyConcurrency

// Operators that process one value at a time. Each returns its own publisher type, as Apple's do.

/// A publisher that transforms the values of one upstream publisher.
public protocol OperatorPublisher: Publisher {
  /// The type of the upstream publisher.
  associatedtype Upstream: Publisher
  /// The upstream publisher.
  var upstream: Upstream { get }
}

extension Publishers {
  /// Transforms each value.
  public struct Map<Upstream: Publisher, Output>: OperatorPublisher {
    /// The upstream publisher's type of errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// The transformation.
    public let transform: (Upstream.Output) -> Output
    /// Creates a publisher.
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.receive(subscriber: OperatorLink(subscriber) { .value(transform($0)) })
    }
  }

  /// Transforms each value; fails if the transformation throws.
  public struct TryMap<Upstream: Publisher, Output>: OperatorPublisher {
    /// Any error the transformation throws.
    public typealias Failure = any Error
    /// The upstream publisher.
    public let upstream: Upstream
    /// The transformation.
    public let transform: (Upstream.Output) throws -> Output
    /// Creates a publisher.
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
      self.upstream = upstream
      self.transform = transform
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, S.Failure == any Error {
      upstream.receive(
        subscriber: OperatorLink<Upstream.Output, Upstream.Failure, S>(
          subscriber,
          onValue: { value in
            do { return .value(try transform(value)) } catch { return .end(.failure(error)) }
          }, onEnd: { (nil, $0.mapError { $0 }) }))
    }
  }

  /// Drops values that do not satisfy a predicate.
  public struct Filter<Upstream: Publisher>: OperatorPublisher {
    /// The upstream publisher's type of values.
    public typealias Output = Upstream.Output
    /// The upstream publisher's type of errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// The predicate.
    public let isIncluded: (Upstream.Output) -> Bool
    /// Creates a publisher.
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.receive(subscriber: OperatorLink(subscriber) { isIncluded($0) ? .value($0) : .skip })
    }
  }

  /// Transforms each value and drops `nil` results.
  public struct CompactMap<Upstream: Publisher, Output>: OperatorPublisher {
    /// The upstream publisher's type of errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// The transformation.
    public let transform: (Upstream.Output) -> Output?
    /// Creates a publisher.
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.receive(
        subscriber: OperatorLink(subscriber) { value in transform(value).map { .value($0) } ?? .skip })
    }
  }

  /// Transforms the error of a failure.
  public struct MapError<Upstream: Publisher, Failure: Error>: OperatorPublisher {
    /// The upstream publisher's type of values.
    public typealias Output = Upstream.Output
    /// The upstream publisher.
    public let upstream: Upstream
    private let transform: (Upstream.Failure) -> Failure
    /// Creates a publisher.
    public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      transform = map
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.receive(
        subscriber: OperatorLink<Output, Upstream.Failure, S>(
          subscriber, onValue: { .value($0) }, onEnd: { (nil, $0.mapError(transform)) }))
    }
  }

  /// Drops values equal to the one before.
  public struct RemoveDuplicates<Upstream: Publisher>: OperatorPublisher {
    /// The upstream publisher's type of values.
    public typealias Output = Upstream.Output
    /// The upstream publisher's type of errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// Whether two values count as equal.
    public let predicate: (Output, Output) -> Bool
    /// Creates a publisher.
    public init(upstream: Upstream, predicate: @escaping (Output, Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      let last = Guarded<Output?>(nil)
      upstream.receive(
        subscriber: OperatorLink(subscriber) { value in
          let isSame = last.withLock { last in
            defer { last = value }
            return last.map { predicate($0, value) } ?? false
          }
          return isSame ? .skip : .value(value)
        })
    }
  }

  /// Emits a running result of all values so far.
  public struct Scan<Upstream: Publisher, Output>: OperatorPublisher {
    /// The upstream publisher's type of errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// The initial result.
    public let initialResult: Output
    /// Combines the previous result with a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output
    /// Creates a publisher.
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      let result = Guarded(unchecked: initialResult)
      upstream.receive(
        subscriber: OperatorLink(subscriber) { value in
          .value(
            result.withLock { result in
              result = nextPartialResult(result, value)
              return result
            })
        })
    }
  }

  /// Calls closures on each event of a subscription.
  public struct HandleEvents<Upstream: Publisher>: OperatorPublisher {
    /// The upstream publisher's type of values.
    public typealias Output = Upstream.Output
    /// The upstream publisher's type of errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// Called with the subscription.
    public var receiveSubscription: ((any Subscription) -> Void)?
    /// Called with each value.
    public var receiveOutput: ((Output) -> Void)?
    /// Called with the completion.
    public var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    /// Called on cancellation.
    public var receiveCancel: (() -> Void)?
    /// Called with each demand.
    public var receiveRequest: ((Subscribers.Demand) -> Void)?
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.receive(subscriber: Watch(self, subscriber))
    }
  }
}

/// Reports each event to the closures of a `HandleEvents` and forwards it.
private final class Watch<Upstream: Publisher, Down: Subscriber>: Subscriber, Subscription
where Down.Input == Upstream.Output, Down.Failure == Upstream.Failure {
  private let watcher: Publishers.HandleEvents<Upstream>
  private let down: Down
  private let subscription = Guarded<(any Subscription)?>(nil)

  init(_ watcher: Publishers.HandleEvents<Upstream>, _ down: Down) {
    self.watcher = watcher
    self.down = down
  }

  func receive(subscription: any Subscription) {
    watcher.receiveSubscription?(subscription)
    self.subscription.withLock { $0 = subscription }
    down.receive(subscription: self)
  }

  func receive(_ input: Upstream.Output) -> Subscribers.Demand {
    watcher.receiveOutput?(input)
    let demand = down.receive(input)
    if demand > .none { watcher.receiveRequest?(demand) }
    return demand
  }

  func receive(completion: Subscribers.Completion<Upstream.Failure>) {
    watcher.receiveCompletion?(completion)
    subscription.withLock { $0 = nil }
    down.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    watcher.receiveRequest?(demand)
    subscription.withLock { $0 }?.request(demand)
  }

  func cancel() {
    watcher.receiveCancel?()
    let upstream = subscription.withLock { subscription in
      defer { subscription = nil }
      return subscription
    }
    upstream?.cancel()
  }
}

extension Subscribers.Completion {
  func mapError<Other: Error>(_ transform: (Failure) -> Other) -> Subscribers.Completion<Other> {
    switch self {
    case .finished: .finished
    case .failure(let error): .failure(transform(error))
    }
  }
}

extension Publisher {
  /// Transforms each value.
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }
  /// Maps each value to one of its properties.
  public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.Map<Self, T> {
    map { $0[keyPath: keyPath] }
  }
  /// Transforms each value; fails if the transformation throws.
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
    Publishers.TryMap(upstream: self, transform: transform)
  }
  /// Replaces `nil` with a given value.
  public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
    map { $0 ?? output }
  }
  /// Drops values that do not satisfy a predicate.
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
  /// Transforms each value and drops `nil` results.
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }
  /// Transforms the error of a failure.
  public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
    Publishers.MapError(upstream: self, transform)
  }
  /// Drops values equal to the one before, by a predicate.
  public func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
  /// Emits a running result of all values so far.
  public func scan<T>(_ initial: T, _ next: @escaping (T, Output) -> T) -> Publishers.Scan<Self, T> {
    Publishers.Scan(upstream: self, initialResult: initial, nextPartialResult: next)
  }
  /// Calls closures on each event of a subscription.
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (() -> Void)? = nil, receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
  }
  /// Prints each event to standard output.
  public func print(_ prefix: String = "") -> Publishers.HandleEvents<Self> {
    let head = prefix.isEmpty ? "" : prefix + ": "
    return handleEvents(
      receiveSubscription: { Swift.print("\(head)receive subscription: (\($0))") },
      receiveOutput: { Swift.print("\(head)receive value: (\($0))") },
      receiveCompletion: { completion in
        switch completion {
        case .finished: Swift.print("\(head)receive finished")
        case .failure(let error): Swift.print("\(head)receive error: (\(error))")
        }
      }, receiveCancel: { Swift.print("\(head)receive cancel") },
      receiveRequest: { Swift.print("\(head)request \($0)") })
  }
}

extension Publisher where Output: Equatable {
  /// Drops values equal to the one before.
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> { removeDuplicates(by: ==) }
}

extension Publisher where Failure == Never {
  /// Changes the declared error type of a publisher that cannot fail.
  public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publishers {
  /// Changes the declared error type of a publisher that cannot fail.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: OperatorPublisher
  where Upstream.Failure == Never {
    /// The upstream publisher's type of values.
    public typealias Output = Upstream.Output
    /// The upstream publisher.
    public let upstream: Upstream
    /// Creates a publisher.
    public init(upstream: Upstream) { self.upstream = upstream }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.receive(
        subscriber: OperatorLink<Output, Never, S>(
          subscriber, onValue: { .value($0) }, onEnd: { _ in (nil, .finished) }))
    }
  }
}
