// Publishers that emit the values of several publishers as they arrive, under Apple's names.
//
// Source: Apple's documentation of `Publishers.Merge` to `Publishers.Merge8` and of `Publishers.MergeMany`.

extension Publishers {
  /// Emits the values of both publishers as they arrive; finishes when both have finished.
  ///
  /// `Merge3` to `Merge8` are merges of a merge and one more publisher, so that merging further gives the next of them.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where A.Output == B.Output, A.Failure == B.Failure {
    /// The publishers' type of values.
    public typealias Output = A.Output
    /// The publishers' type of errors.
    public typealias Failure = A.Failure
    /// The first publisher, or the merge of all but the last one.
    public let a: A
    /// The last publisher.
    public let b: B

    /// Creates a publisher.
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      Joined.merge([a.eraseToAnyPublisher(), b.eraseToAnyPublisher()]).receive(subscriber: subscriber)
    }
  }

  /// Emits the values of three publishers as they arrive.
  public typealias Merge3<A: Publisher, B: Publisher, C: Publisher> = Merge<Merge<A, B>, C>
  where A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure

  /// Emits the values of four publishers as they arrive.
  public typealias Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher> = Merge<Merge3<A, B, C>, D>
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure

  /// Emits the values of five publishers as they arrive.
  public typealias Merge5<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher> = Merge<
    Merge4<A, B, C, D>, E
  >
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure

  /// Emits the values of six publishers as they arrive.
  public typealias Merge6<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher
  > = Merge<Merge5<A, B, C, D, E>, F>
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure,
    E.Output == F.Output, E.Failure == F.Failure

  /// Emits the values of seven publishers as they arrive.
  public typealias Merge7<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
  > = Merge<Merge6<A, B, C, D, E, F>, G>
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure,
    E.Output == F.Output, E.Failure == F.Failure, F.Output == G.Output, F.Failure == G.Failure

  /// Emits the values of eight publishers as they arrive.
  public typealias Merge8<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher,
    H: Publisher
  > = Merge<Merge7<A, B, C, D, E, F, G>, H>
  where
    A.Output == B.Output, A.Failure == B.Failure, B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure, D.Output == E.Output, D.Failure == E.Failure,
    E.Output == F.Output, E.Failure == F.Failure, F.Output == G.Output, F.Failure == G.Failure,
    G.Output == H.Output, G.Failure == H.Failure
}

extension Publishers.Merge {
  /// Creates a publisher of three.
  public init<P, Q>(_ p: P, _ q: Q, _ last: B) where A == Publishers.Merge<P, Q> {
    self.init(A(p, q), last)
  }
  /// Creates a publisher of four.
  public init<P, Q, R>(_ p: P, _ q: Q, _ r: R, _ last: B) where A == Publishers.Merge3<P, Q, R> {
    self.init(A(p, q, r), last)
  }
  /// Creates a publisher of five.
  public init<P, Q, R, S>(_ p: P, _ q: Q, _ r: R, _ s: S, _ last: B)
  where A == Publishers.Merge4<P, Q, R, S> {
    self.init(A(p, q, r, s), last)
  }
  /// Creates a publisher of six.
  public init<P, Q, R, S, T>(_ p: P, _ q: Q, _ r: R, _ s: S, _ t: T, _ last: B)
  where A == Publishers.Merge5<P, Q, R, S, T> {
    self.init(A(p, q, r, s, t), last)
  }
  /// Creates a publisher of seven.
  public init<P, Q, R, S, T, U>(_ p: P, _ q: Q, _ r: R, _ s: S, _ t: T, _ u: U, _ last: B)
  where A == Publishers.Merge6<P, Q, R, S, T, U> {
    self.init(A(p, q, r, s, t, u), last)
  }
  /// Creates a publisher of eight.
  public init<P, Q, R, S, T, U, V>(_ p: P, _ q: Q, _ r: R, _ s: S, _ t: T, _ u: U, _ v: V, _ last: B)
  where A == Publishers.Merge7<P, Q, R, S, T, U, V> {
    self.init(A(p, q, r, s, t, u, v), last)
  }
}

extension Publishers {
  /// Emits the values of any number of publishers as they arrive; finishes when all have finished.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    /// The publishers' type of values.
    public typealias Output = Upstream.Output
    /// The publishers' type of errors.
    public typealias Failure = Upstream.Failure
    /// The publishers.
    public let publishers: [Upstream]

    /// Creates a publisher.
    public init(_ upstream: Upstream...) { publishers = upstream }
    /// Creates a publisher.
    public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      Joined.merge(publishers.map { $0.eraseToAnyPublisher() }).receive(subscriber: subscriber)
    }
    /// Emits the values of one more publisher, too.
    public func merge(with other: Upstream) -> MergeMany<Upstream> { MergeMany(publishers + [other]) }
  }
}

extension Publisher {
  /// Emits the values of both publishers as they arrive.
  public func merge(with other: Self) -> Publishers.MergeMany<Self> { Publishers.MergeMany(self, other) }

  /// Emits the values of both publishers as they arrive.
  public func merge<B: Publisher>(with b: B) -> Publishers.Merge<Self, B>
  where B.Output == Output, B.Failure == Failure { Publishers.Merge(self, b) }

  /// Emits the values of all publishers as they arrive.
  public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
  where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
    Publishers.Merge3(self, b, c)
  }

  /// Emits the values of all publishers as they arrive.
  public func merge<B: Publisher, C: Publisher, D: Publisher>(with b: B, _ c: C, _ d: D)
    -> Publishers.Merge4<Self, B, C, D>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure
  { Publishers.Merge4(self, b, c, d) }

  /// Emits the values of all publishers as they arrive.
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(with b: B, _ c: C, _ d: D, _ e: E)
    -> Publishers.Merge5<Self, B, C, D, E>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure
  { Publishers.Merge5(self, b, c, d, e) }

  /// Emits the values of all publishers as they arrive.
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Publishers.Merge6<Self, B, C, D, E, F>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure
  { Publishers.Merge6(self, b, c, d, e, f) }

  /// Emits the values of all publishers as they arrive.
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> Publishers.Merge7<Self, B, C, D, E, F, G>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure,
    G.Output == Output, G.Failure == Failure
  { Publishers.Merge7(self, b, c, d, e, f, g) }

  /// Emits the values of all publishers as they arrive.
  public func merge<
    B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher
  >(with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) -> Publishers.Merge8<Self, B, C, D, E, F, G, H>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure,
    G.Output == Output, G.Failure == Failure, H.Output == Output, H.Failure == Failure
  { Publishers.Merge8(self, b, c, d, e, f, g, h) }
}
