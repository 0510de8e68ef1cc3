// Publishers that combine the values of several publishers, under Apple's names.
//
// Source: Apple's documentation of `Publishers.CombineLatest`, `Zip` and their forms with three and four publishers.

/// Which values of several publishers are combined.
public protocol CombinationRule {
  /// Whether values are combined by their position, rather than the latest ones of all.
  static var isByPosition: Bool { get }
}

/// Combines the latest values of all publishers whenever one changes.
public enum LatestValues: CombinationRule {
  /// False.
  public static var isByPosition: Bool { false }
}

/// Combines the first values of all publishers, then the second ones, and so on.
public enum ValuesByPosition: CombinationRule {
  /// True.
  public static var isByPosition: Bool { true }
}

extension Publishers {
  /// Combines the values of two publishers: `CombineLatest` or `Zip`.
  public struct Combination2<Rule: CombinationRule, A: Publisher, B: Publisher>: Publisher
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
      Joined<Output, Failure>.combination(Rule.self, [a.untyped, b.untyped]) {
        (A.typed($0[0]), B.typed($0[1]))
      }.receive(subscriber: subscriber)
    }
  }

  /// Emits the latest values of both publishers whenever one changes.
  public typealias CombineLatest<A: Publisher, B: Publisher> = Combination2<LatestValues, A, B>
  where A.Failure == B.Failure

  /// Pairs the first values of both publishers, then the second ones, and so on.
  public typealias Zip<A: Publisher, B: Publisher> = Combination2<ValuesByPosition, A, B>
  where A.Failure == B.Failure

  /// Combines the values of three publishers: `CombineLatest3` or `Zip3`.
  public struct Combination3<Rule: CombinationRule, A: Publisher, B: Publisher, C: Publisher>: Publisher
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
      Joined<Output, Failure>.combination(Rule.self, [a.untyped, b.untyped, c.untyped]) {
        (A.typed($0[0]), B.typed($0[1]), C.typed($0[2]))
      }.receive(subscriber: subscriber)
    }
  }

  /// Emits the latest values of all publishers whenever one changes.
  public typealias CombineLatest3<A: Publisher, B: Publisher, C: Publisher> = Combination3<
    LatestValues, A, B, C
  >
  where A.Failure == B.Failure, B.Failure == C.Failure

  /// Combines the first values of all publishers, then the second ones, and so on.
  public typealias Zip3<A: Publisher, B: Publisher, C: Publisher> = Combination3<ValuesByPosition, A, B, C>
  where A.Failure == B.Failure, B.Failure == C.Failure

  /// Combines the values of four publishers: `CombineLatest4` or `Zip4`.
  public struct Combination4<Rule: CombinationRule, A: Publisher, B: Publisher, C: Publisher, D: Publisher>:
    Publisher
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
      Joined<Output, Failure>.combination(Rule.self, [a.untyped, b.untyped, c.untyped, d.untyped]) {
        (A.typed($0[0]), B.typed($0[1]), C.typed($0[2]), D.typed($0[3]))
      }.receive(subscriber: subscriber)
    }
  }

  /// Emits the latest values of all publishers whenever one changes.
  public typealias CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher> = Combination4<
    LatestValues, A, B, C, D
  >
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure

  /// Combines the first values of all publishers, then the second ones, and so on.
  public typealias Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher> = Combination4<
    ValuesByPosition, A, B, C, D
  >
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure
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

extension Publisher {
  /// Pairs the first values of both publishers, then the second ones, and so on.
  public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P>
  where P.Failure == Failure {
    Publishers.Zip(self, other)
  }
  /// Transforms the first values of both publishers, then the second ones, and so on.
  public func zip<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.Zip<Self, P>, T>
  where P.Failure == Failure {
    zip(other).map { transform($0.0, $0.1) }
  }

  /// Combines the first values of all publishers, then the second ones, and so on.
  public func zip<P: Publisher, Q: Publisher>(_ first: P, _ second: Q) -> Publishers.Zip3<Self, P, Q>
  where P.Failure == Failure, Q.Failure == Failure {
    Publishers.Zip3(self, first, second)
  }
  /// Transforms the first values of all publishers, then the second ones, and so on.
  public func zip<P: Publisher, Q: Publisher, T>(
    _ first: P, _ second: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T>
  where P.Failure == Failure, Q.Failure == Failure {
    zip(first, second).map { transform($0.0, $0.1, $0.2) }
  }

  /// Combines the first values of all publishers, then the second ones, and so on.
  public func zip<P: Publisher, Q: Publisher, R: Publisher>(_ first: P, _ second: Q, _ third: R)
    -> Publishers.Zip4<Self, P, Q, R>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.Zip4(self, first, second, third)
  }
  /// Transforms the first values of all publishers, then the second ones, and so on.
  public func zip<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ first: P, _ second: Q, _ third: R, _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    zip(first, second, third).map { transform($0.0, $0.1, $0.2, $0.3) }
  }
}
