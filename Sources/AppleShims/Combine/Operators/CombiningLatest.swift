// Publishers that emit the latest values of several publishers, under Apple's names.
//
// Source: Apple's documentation of `Publishers.CombineLatest`, `CombineLatest3` and `CombineLatest4`.

extension Publishers {
  /// Emits the latest values of both publishers whenever one changes.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    /// The values of all publishers, in their order.
    public typealias Output = (A.Output, B.Output)
    /// The publishers' type of errors.
    public typealias Failure = A.Failure
    /// One of the publishers.
    public let a: A
    /// One of the publishers.
    public let b: B

    /// Creates a publisher.
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Failure, S.Input == Output {
      Joined<Output, Failure>.latest([a.untyped, b.untyped]) {
        (A.typed($0[0]), B.typed($0[1]))
      }.receive(subscriber: subscriber)
    }
  }

  /// Emits the latest values of all publishers whenever one changes.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    /// The values of all publishers, in their order.
    public typealias Output = (A.Output, B.Output, C.Output)
    /// The publishers' type of errors.
    public typealias Failure = A.Failure
    /// One of the publishers.
    public let a: A
    /// One of the publishers.
    public let b: B
    /// One of the publishers.
    public let c: C

    /// Creates a publisher.
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Failure, S.Input == Output {
      Joined<Output, Failure>.latest([a.untyped, b.untyped, c.untyped]) {
        (A.typed($0[0]), B.typed($0[1]), C.typed($0[2]))
      }.receive(subscriber: subscriber)
    }
  }

  /// Emits the latest values of all publishers whenever one changes.
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    /// The values of all publishers, in their order.
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
    /// The publishers' type of errors.
    public typealias Failure = A.Failure
    /// One of the publishers.
    public let a: A
    /// One of the publishers.
    public let b: B
    /// One of the publishers.
    public let c: C
    /// One of the publishers.
    public let d: D

    /// Creates a publisher.
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Failure, S.Input == Output {
      Joined<Output, Failure>.latest([a.untyped, b.untyped, c.untyped, d.untyped]) {
        (A.typed($0[0]), B.typed($0[1]), C.typed($0[2]), D.typed($0[3]))
      }.receive(subscriber: subscriber)
    }
  }
}

extension Publisher {
  /// Emits the latest values of both publishers whenever one changes.
  public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P>
  where P.Failure == Failure {
    Publishers.CombineLatest(self, other)
  }
  /// Emits the transformed latest values of both publishers whenever one changes.
  public func combineLatest<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T>
  where P.Failure == Failure {
    combineLatest(other).map { transform($0.0, $0.1) }
  }

  /// Emits the latest values of all publishers whenever one changes.
  public func combineLatest<P: Publisher, Q: Publisher>(_ first: P, _ second: Q)
    -> Publishers.CombineLatest3<Self, P, Q>
  where P.Failure == Failure, Q.Failure == Failure {
    Publishers.CombineLatest3(self, first, second)
  }
  /// Emits the transformed latest values of all publishers whenever one changes.
  public func combineLatest<P: Publisher, Q: Publisher, T>(
    _ first: P, _ second: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T>
  where P.Failure == Failure, Q.Failure == Failure {
    combineLatest(first, second).map { transform($0.0, $0.1, $0.2) }
  }

  /// Emits the latest values of all publishers whenever one changes.
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(_ first: P, _ second: Q, _ third: R)
    -> Publishers.CombineLatest4<Self, P, Q, R>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.CombineLatest4(self, first, second, third)
  }
  /// Emits the transformed latest values of all publishers whenever one changes.
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ first: P, _ second: Q, _ third: R, _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    combineLatest(first, second, third).map { transform($0.0, $0.1, $0.2, $0.3) }
  }
}
