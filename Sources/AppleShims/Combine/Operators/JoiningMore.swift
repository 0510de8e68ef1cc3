// Variants of the operators with several publishers, taking more of them.
extension Publisher {
  /// Combines the first values of all publishers, then the second ones, and so on.
  public func zip<P: Publisher, Q: Publisher, R: Publisher>(
    _ first: P, _ second: Q, _ third: R
  )
    -> Publishers.Map<
      Publishers.Joined<((Output, P.Output), (Q.Output, R.Output)), Failure>,
      (Output, P.Output, Q.Output, R.Output)
    > where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure
  {
    zip(first).zip(second.zip(third)).map { ($0.0, $0.1, $1.0, $1.1) }
  }
  /// Transforms the first values of both publishers, then the second ones, and so on.
  public func zip<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.Joined<(Output, P.Output), Failure>, T> where P.Failure == Failure {
    zip(other).map { transform($0.0, $0.1) }
  }
  /// Emits the transformed latest values of all publishers whenever one changes.
  public func combineLatest<P: Publisher, Q: Publisher, T>(
    _ first: P, _ second: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.Joined<(Output, P.Output, Q.Output), Failure>, T>
  where P.Failure == Failure, Q.Failure == Failure {
    combineLatest(first, second).map { transform($0.0, $0.1, $0.2) }
  }
  /// Maps each value to two of its properties.
  public func map<T0, T1>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
  ) -> Publishers.Map<Self, (T0, T1)> { map { ($0[keyPath: keyPath0], $0[keyPath: keyPath1]) } }
  /// Shares one subscription between all subscribers of a new subject, once connected.
  public func multicast<S: Subject>(_ createSubject: () -> S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure { multicast(subject: createSubject()) }
  /// Emits this publisher's values, then the given ones.
  public func append<S: Swift.Sequence>(_ elements: S) -> Publishers.Joined<Output, Failure>
  where S.Element == Output { append(elements.publisher.setFailureType(to: Failure.self)) }
  /// Emits the given values, then this publisher's.
  public func prepend<S: Swift.Sequence>(_ elements: S) -> Publishers.Joined<Output, Failure>
  where S.Element == Output { prepend(elements.publisher.setFailureType(to: Failure.self)) }
}

extension Publishers {
  /// Emits the values of all publishers as they arrive.
  public static func Merge3<A: Publisher, B: Publisher, C: Publisher>(
    _ a: A, _ b: B, _ c: C
  ) -> Joined<A.Output, A.Failure>
  where A.Output == B.Output, B.Output == C.Output, A.Failure == B.Failure, B.Failure == C.Failure {
    .merge([a.eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher()])
  }
  /// Emits the values of all publishers as they arrive.
  public static func Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) -> Joined<A.Output, A.Failure>
  where
    A.Output == B.Output, B.Output == C.Output, C.Output == D.Output, A.Failure == B.Failure,
    B.Failure == C.Failure, C.Failure == D.Failure
  {
    .merge([
      a.eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher(), d.eraseToAnyPublisher(),
    ])
  }
  /// Emits the latest values of all publishers whenever one changes.
  public static func CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) -> Joined<(A.Output, B.Output, C.Output, D.Output), A.Failure>
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure { a.combineLatest(b, c, d) }
  /// Combines the first values of all publishers, then the second ones, and so on.
  public static func Zip3<A: Publisher, B: Publisher, C: Publisher>(
    _ a: A, _ b: B, _ c: C
  ) -> Joined<(A.Output, B.Output, C.Output), A.Failure>
  where A.Failure == B.Failure, B.Failure == C.Failure { a.zip(b, c) }
}

extension Future where Failure == Never {
  /// The future's value, as soon as it is available.
  public var value: Output {
    get async {
      for await value in values { return value }
      preconditionFailure("a future that cannot fail ended without a value")
    }
  }
}

extension Future {
  /// The future's value, as soon as it is available; throws if the future fails.
  public var value: Output {
    get async throws {
      for try await value in values { return value }
      throw CancellationError()
    }
  }
}
