// Publishers that emit one value of another publisher, under Apple's names.

extension Publishers {
  /// Emits the first value, then finishes.
  public struct First<Upstream: Publisher>: OperatorPublisher {
    /// The upstream publisher's type of values.
    public typealias Output = Upstream.Output
    /// The upstream publisher's type of errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// Creates a publisher.
    public init(upstream: Upstream) { self.upstream = upstream }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.receive(subscriber: OperatorLink(subscriber) { .last($0) })
    }
  }

  /// Emits the first value that satisfies a predicate, then finishes.
  public struct FirstWhere<Upstream: Publisher>: OperatorPublisher {
    /// The upstream publisher's type of values.
    public typealias Output = Upstream.Output
    /// The upstream publisher's type of errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// The predicate.
    public let predicate: (Output) -> Bool
    /// Creates a publisher.
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.receive(subscriber: OperatorLink(subscriber) { predicate($0) ? .last($0) : .skip })
    }
  }

  /// Emits the last value on completion.
  public struct Last<Upstream: Publisher>: OperatorPublisher {
    /// The upstream publisher's type of values.
    public typealias Output = Upstream.Output
    /// The upstream publisher's type of errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// Creates a publisher.
    public init(upstream: Upstream) { self.upstream = upstream }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      LastWhere(upstream: upstream) { _ in true }.receive(subscriber: subscriber)
    }
  }

  /// Emits the last value that satisfies a predicate on completion.
  public struct LastWhere<Upstream: Publisher>: OperatorPublisher {
    /// The upstream publisher's type of values.
    public typealias Output = Upstream.Output
    /// The upstream publisher's type of errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// The predicate.
    public let predicate: (Output) -> Bool
    /// Creates a publisher.
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.same(
        nil as Output?,
        { last, value in
          if predicate(value) { last = value }
          return .skip
        }, end: { $0 }
      ).receive(subscriber: subscriber)
    }
  }
}
