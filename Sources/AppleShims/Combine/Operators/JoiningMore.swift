// The longer forms of what joins publishers.
extension Publisher {
  /// The first of all, the second of all, and so on.
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
  /// What is made of the first of both, the second of both, and so on.
  public func zip<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.Joined<(Output, P.Output), Failure>, T> where P.Failure == Failure {
    zip(other).map { transform($0.0, $0.1) }
  }
  /// What is made of the newest of all, with every new one.
  public func combineLatest<P: Publisher, Q: Publisher, T>(
    _ first: P, _ second: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.Joined<(Output, P.Output, Q.Output), Failure>, T>
  where P.Failure == Failure, Q.Failure == Failure {
    combineLatest(first, second).map { transform($0.0, $0.1, $0.2) }
  }
  /// Takes two properties of each.
  public func map<T0, T1>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
  ) -> Publishers.Map<Self, (T0, T1)> { map { ($0[keyPath: keyPath0], $0[keyPath: keyPath1]) } }
  /// Gives what one subscription gives to all subscribers of a subject that is made for it.
  public func multicast<S: Subject>(_ createSubject: () -> S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure { multicast(subject: createSubject()) }
  /// All of what this gives, then these values.
  public func append<S: Swift.Sequence>(_ elements: S) -> Publishers.Joined<Output, Failure>
  where S.Element == Output { append(elements.publisher.setFailureType(to: Failure.self)) }
  /// These values, then all of what this gives.
  public func prepend<S: Swift.Sequence>(_ elements: S) -> Publishers.Joined<Output, Failure>
  where S.Element == Output { prepend(elements.publisher.setFailureType(to: Failure.self)) }
}

extension Publishers {
  /// The values of all, as they come.
  public static func Merge3<A: Publisher, B: Publisher, C: Publisher>(
    _ a: A, _ b: B, _ c: C
  ) -> Joined<A.Output, A.Failure>
  where A.Output == B.Output, B.Output == C.Output, A.Failure == B.Failure, B.Failure == C.Failure {
    .merge([a.eraseToAnyPublisher(), b.eraseToAnyPublisher(), c.eraseToAnyPublisher()])
  }
  /// The values of all, as they come.
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
  /// The newest of all, with every new one.
  public static func CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) -> Joined<(A.Output, B.Output, C.Output, D.Output), A.Failure>
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure { a.combineLatest(b, c, d) }
  /// The first of all, the second of all, and so on.
  public static func Zip3<A: Publisher, B: Publisher, C: Publisher>(
    _ a: A, _ b: B, _ c: C
  ) -> Joined<(A.Output, B.Output, C.Output), A.Failure>
  where A.Failure == B.Failure, B.Failure == C.Failure { a.zip(b, c) }
}

extension Future where Failure == Never {
  /// The value, once it is there.
  public var value: Output {
    get async {
      for await value in values { return value }
      preconditionFailure("a future that cannot fail ended without a value")
    }
  }
}

extension Future {
  /// The value, once it is there; throws what the work failed with.
  public var value: Output {
    get async throws {
      for try await value in values { return value }
      throw CancellationError()
    }
  }
}
