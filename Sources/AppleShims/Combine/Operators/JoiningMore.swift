// Variants of operators that take several properties, a closure or a sequence.
extension Publisher {
  /// Maps each value to two of its properties.
  public func map<T0, T1>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
  ) -> Publishers.Map<Self, (T0, T1)> { map { ($0[keyPath: keyPath0], $0[keyPath: keyPath1]) } }
  /// Shares one subscription between all subscribers of a new subject, once connected.
  public func multicast<S: Subject>(_ createSubject: () -> S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure { multicast(subject: createSubject()) }
  /// Emits this publisher's values, then the given ones.
  public func append<S: Swift.Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output {
    append(Publishers.Sequence(sequence: elements))
  }
  /// Emits the given values, then this publisher's.
  public func prepend<S: Swift.Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output {
    prepend(Publishers.Sequence(sequence: elements))
  }
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
