// Publishers that emit the values of several publishers one after another, under Apple's names.

extension Publishers {
  /// Turns each value into a publisher and emits the values of these publishers.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    /// The type of the values.
    public typealias Output = NewPublisher.Output
    /// The type of the errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// How many publishers may emit at a time.
    public let maxPublishers: Subscribers.Demand
    /// Turns a value into a publisher.
    public let transform: (Upstream.Output) -> NewPublisher
    /// Creates a publisher.
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.flatMapped(maxPublishers: maxPublishers, transform).receive(subscriber: subscriber)
    }
  }

  /// Emits the values of the most recently emitted publisher.
  public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher
  where P == Upstream.Output, P.Failure == Upstream.Failure {
    /// The type of the values.
    public typealias Output = P.Output
    /// The type of the errors.
    public typealias Failure = P.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// Creates a publisher.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.switchedToLatest().receive(subscriber: subscriber)
    }
  }

  /// Continues with another publisher after a failure.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// The type of the values.
    public typealias Output = Upstream.Output
    /// The type of the errors.
    public typealias Failure = NewPublisher.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// Makes the other publisher.
    public let handler: (Upstream.Failure) -> NewPublisher
    /// Creates a publisher.
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.caught(handler).receive(subscriber: subscriber)
    }
  }

  /// Emits the values of one publisher, then those of another.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
  where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
    /// The type of the values.
    public typealias Output = Suffix.Output
    /// The type of the errors.
    public typealias Failure = Suffix.Failure
    /// The first publisher.
    public let prefix: Prefix
    /// The second publisher.
    public let suffix: Suffix
    /// Creates a publisher.
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      prefix.followed(by: suffix).receive(subscriber: subscriber)
    }
  }

  /// Resubscribes after a failure.
  public struct Retry<Upstream: Publisher>: Publisher {
    /// The type of the values.
    public typealias Output = Upstream.Output
    /// The type of the errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// How often to resubscribe; `nil` means after each failure.
    public let retries: Int?
    /// Creates a publisher.
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.retried(retries ?? .max).receive(subscriber: subscriber)
    }
  }
}

extension Publisher where Failure == Never {
  /// Turns each value into a publisher, which may fail, and emits the values of these publishers.
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }
  /// Turns each value into a publisher and emits the values of these publishers.
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher {
  /// Turns each value into a publisher, which cannot fail, and emits the values of these publishers.
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers) {
      transform($0).setFailureType(to: Failure.self)
    }
  }
}
