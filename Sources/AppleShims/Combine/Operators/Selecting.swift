import NearbyConcurrency

extension Publishers {
  /// The result type of the less common operators that process one value at a time. Apple has a separate type
  /// for each operator; code that does not name them compiles unchanged.
  public struct Linked<Upstream: Publisher, Output, Failure: Error>: OperatorPublisher {
    /// The upstream publisher.
    public let upstream: Upstream
    let link:
      (AnySubscriber<Output, Failure>) -> OperatorLink<
        Upstream.Output, Upstream.Failure, AnySubscriber<Output, Failure>
      >
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      upstream.receive(subscriber: link(AnySubscriber(subscriber)))
    }
  }
}

extension Publisher {
  /// The result type of an operator with the same error type as this publisher.
  public typealias Same<T> = Publishers.Linked<Self, T, Failure>

  func same<T, State>(
    _ state: State,
    _ step: @escaping (inout State, Output) -> OperatorLink<Output, Failure, AnySubscriber<T, Failure>>.Step,
    end: @escaping (State) -> T? = { _ in nil }
  ) -> Same<T> {
    Publishers.Linked(upstream: self) { down in
      let state = Guarded(unchecked: state)
      return OperatorLink(
        down, onValue: { value in state.withLock { step(&$0, value) } },
        onEnd: { completion in
          guard case .finished = completion else { return (nil, completion) }
          return (state.withLock { end($0) }, completion)
        })
    }
  }

  func trying<T, State>(
    _ state: State,
    _ step:
      @escaping (inout State, Output) throws ->
      OperatorLink<Output, Failure, AnySubscriber<T, any Error>>.Step,
    end: @escaping (State) -> T? = { _ in nil }
  ) -> Publishers.Linked<Self, T, any Error> {
    Publishers.Linked(upstream: self) { down in
      let state = Guarded(unchecked: state)
      return OperatorLink(
        down,
        onValue: { value in
          do { return try state.withLock { try step(&$0, value) } } catch { return .end(.failure(error)) }
        },
        onEnd: { completion in
          guard case .finished = completion else { return (nil, completion.mapError { $0 }) }
          return (state.withLock { end($0) }, .finished)
        })
    }
  }

  /// Drops values that do not satisfy a predicate; fails if it throws.
  public func tryFilter(
    _ isIncluded: @escaping (Output) throws -> Bool
  ) -> Publishers.Linked<Self, Output, any Error> {
    trying(()) { _, value in try isIncluded(value) ? .value(value) : .skip }
  }
  /// Transforms each value and drops `nil` results; fails if the transformation throws.
  public func tryCompactMap<T>(
    _ transform: @escaping (Output) throws -> T?
  ) -> Publishers.Linked<Self, T, any Error> {
    trying(()) { _, value in try transform(value).map { .value($0) } ?? .skip }
  }

  /// Emits the first value, then finishes.
  public func first() -> Publishers.First<Self> { Publishers.First(upstream: self) }
  /// Emits the first value that satisfies a predicate, then finishes.
  public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }
  /// Emits the last value on completion.
  public func last() -> Publishers.Last<Self> { Publishers.Last(upstream: self) }
  /// Emits the last value that satisfies a predicate on completion.
  public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }
  /// Emits at most `maxLength` values, then finishes.
  public func prefix(_ maxLength: Int) -> AnyPublisher<Output, Failure> {
    guard maxLength > 0 else { return Empty().eraseToAnyPublisher() }
    return same(maxLength) { (left: inout Int, value: Output) in
      left -= 1
      return left == 0 ? .last(value) : .value(value)
    }.eraseToAnyPublisher()
  }
  /// Emits values while they satisfy a predicate, then finishes.
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Same<Output> {
    same(()) { predicate($1) ? .value($1) : .end(.finished) }
  }
  /// Drops the first `count` values.
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
  /// Drops the first values while they satisfy a predicate.
  public func drop(while predicate: @escaping (Output) -> Bool) -> Same<Output> {
    same(true) { isDropping, value in
      if isDropping, predicate(value) { return .skip }
      isDropping = false
      return .value(value)
    }
  }
  /// Emits the value at an index, then finishes.
  public func output(at index: Int) -> Same<Output> {
    same(index) { left, value in
      if left == 0 { return .last(value) }
      left -= 1
      return .skip
    }
  }
  /// Drops all values and forwards only the completion.
  public func ignoreOutput() -> Same<Never> { same(()) { _, _ in .skip } }
  /// Emits all values in one array on completion.
  public func collect() -> Same<[Output]> {
    same(
      [Output](),
      { all, value in
        all.append(value)
        return .skip
      }, end: { $0 })
  }
  /// Emits values in arrays of `count`, and the remaining ones on completion.
  public func collect(_ count: Int) -> Same<[Output]> {
    same(
      [Output](),
      { all, value in
        all.append(value)
        guard all.count >= count else { return .skip }
        defer { all = [] }
        return .value(all)
      }, end: { $0.isEmpty ? nil : $0 })
  }
  /// Emits the combined result of all values on completion.
  public func reduce<T>(_ initial: T, _ next: @escaping (T, Output) -> T) -> Same<T> {
    same(
      initial,
      { result, value in
        result = next(result, value)
        return .skip
      }, end: { $0 })
  }
  /// Emits the number of values on completion.
  public func count() -> Same<Int> { reduce(0) { count, _ in count + 1 } }
  /// Emits whether all values satisfy a predicate, as soon as that is certain.
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Same<Bool> {
    same((), { predicate($1) ? .skip : .last(false) }, end: { _ in true })
  }
  /// Emits whether any value satisfies a predicate, as soon as that is certain.
  public func contains(where predicate: @escaping (Output) -> Bool) -> Same<Bool> {
    same((), { predicate($1) ? .last(true) : .skip }, end: { _ in false })
  }
  /// Emits `output` on completion if there were no values.
  public func replaceEmpty(with output: Output) -> Same<Output> {
    same(
      true,
      { isEmpty, value in
        isEmpty = false
        return .value(value)
      }, end: { $0 ? output : nil })
  }
  /// Emits `output` and finishes if the publisher fails.
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
  /// Ends the process if the publisher fails.
  public func assertNoFailure(_ prefix: String = "") -> Publishers.Linked<Self, Output, Never> {
    Publishers.Linked(upstream: self) { down in
      OperatorLink(
        down, onValue: { .value($0) },
        onEnd: { completion in
          if case .failure(let error) = completion { preconditionFailure("\(prefix)\(error)") }
          return (nil, .finished)
        })
    }
  }
}

extension Publisher where Output: Equatable {
  /// Emits whether any value equals `output`, as soon as that is certain.
  public func contains(_ output: Output) -> Same<Bool> { contains { $0 == output } }
}
