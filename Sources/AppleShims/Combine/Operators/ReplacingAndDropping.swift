// Publishers that replace or drop values of another publisher, under Apple's names.

extension Publishers {
  /// Drops the first values.
  public struct Drop<Upstream: Publisher>: OperatorPublisher {
    /// The upstream publisher's type of values.
    public typealias Output = Upstream.Output
    /// The upstream publisher's type of errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    /// How many values to drop.
    public let count: Int
    /// Creates a publisher.
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.same(count) { left, value in
        if left <= 0 { return .value(value) }
        left -= 1
        return .skip
      }.receive(subscriber: subscriber)
    }
  }

  /// Emits a value and finishes if the upstream publisher fails.
  public struct ReplaceError<Upstream: Publisher>: OperatorPublisher {
    /// The upstream publisher's type of values.
    public typealias Output = Upstream.Output
    /// It cannot fail.
    public typealias Failure = Never
    /// The upstream publisher.
    public let upstream: Upstream
    /// The value in place of a failure.
    public let output: Output
    /// Creates a publisher.
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, S.Failure == Never {
      upstream.receive(
        subscriber: OperatorLink<Output, Upstream.Failure, S>(
          subscriber, onValue: { .value($0) },
          onEnd: { completion in
            if case .failure = completion { return (output, .finished) }
            return (nil, .finished)
          }))
    }
  }
}
