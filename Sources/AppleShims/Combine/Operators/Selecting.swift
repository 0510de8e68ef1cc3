import NearbyConcurrency

extension Publishers {
  /// What the less common operators on single values make. Apple has a type for each; code that names none of
  /// them compiles the same.
  public struct Linked<Upstream: Publisher, Output, Failure: Error>: OperatorPublisher {
    /// The publisher above.
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
  /// What an operator's result is that gives values of a type and fails as this publisher does.
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

  /// Leaves out what does not fit, or fails.
  public func tryFilter(
    _ isIncluded: @escaping (Output) throws -> Bool
  ) -> Publishers.Linked<Self, Output, any Error> {
    trying(()) { _, value in try isIncluded(value) ? .value(value) : .skip }
  }
  /// Makes another value of each, leaving out what becomes nothing, or fails.
  public func tryCompactMap<T>(
    _ transform: @escaping (Output) throws -> T?
  ) -> Publishers.Linked<Self, T, any Error> {
    trying(()) { _, value in try transform(value).map { .value($0) } ?? .skip }
  }

  /// The first value, then the end.
  public func first() -> Same<Output> { same(()) { .last($1) } }
  /// The first value that fits, then the end.
  public func first(where predicate: @escaping (Output) -> Bool) -> Same<Output> {
    same(()) { predicate($1) ? .last($1) : .skip }
  }
  /// The last value, at the end.
  public func last() -> Same<Output> { last { _ in true } }
  /// The last value that fits, at the end.
  public func last(where predicate: @escaping (Output) -> Bool) -> Same<Output> {
    same(
      nil as Output?,
      { last, value in
        if predicate(value) { last = value }
        return .skip
      }, end: { $0 })
  }
  /// So many values, then the end.
  public func prefix(_ maxLength: Int) -> AnyPublisher<Output, Failure> {
    guard maxLength > 0 else { return Empty().eraseToAnyPublisher() }
    return same(maxLength) { (left: inout Int, value: Output) in
      left -= 1
      return left == 0 ? .last(value) : .value(value)
    }.eraseToAnyPublisher()
  }
  /// Values for as long as they fit, then the end.
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Same<Output> {
    same(()) { predicate($1) ? .value($1) : .end(.finished) }
  }
  /// Leaves out so many.
  public func dropFirst(_ count: Int = 1) -> Same<Output> {
    same(count) { left, value in
      if left == 0 { return .value(value) }
      left -= 1
      return .skip
    }
  }
  /// Leaves out the first for as long as they fit.
  public func drop(while predicate: @escaping (Output) -> Bool) -> Same<Output> {
    same(true) { isDropping, value in
      if isDropping, predicate(value) { return .skip }
      isDropping = false
      return .value(value)
    }
  }
  /// The value at a place, then the end.
  public func output(at index: Int) -> Same<Output> {
    same(index) { left, value in
      if left == 0 { return .last(value) }
      left -= 1
      return .skip
    }
  }
  /// Leaves out everything but the end.
  public func ignoreOutput() -> Same<Never> { same(()) { _, _ in .skip } }
  /// All values as an array, at the end.
  public func collect() -> Same<[Output]> {
    same(
      [Output](),
      { all, value in
        all.append(value)
        return .skip
      }, end: { $0 })
  }
  /// Values by so many, the rest at the end.
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
  /// The result of all values, at the end.
  public func reduce<T>(_ initial: T, _ next: @escaping (T, Output) -> T) -> Same<T> {
    same(
      initial,
      { result, value in
        result = next(result, value)
        return .skip
      }, end: { $0 })
  }
  /// How many came, at the end.
  public func count() -> Same<Int> { reduce(0) { count, _ in count + 1 } }
  /// Whether all fit; as soon as that is known.
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Same<Bool> {
    same((), { predicate($1) ? .skip : .last(false) }, end: { _ in true })
  }
  /// Whether one fits; as soon as that is known.
  public func contains(where predicate: @escaping (Output) -> Bool) -> Same<Bool> {
    same((), { predicate($1) ? .last(true) : .skip }, end: { _ in false })
  }
  /// Gives this value at the end, if there was none.
  public func replaceEmpty(with output: Output) -> Same<Output> {
    same(
      true,
      { isEmpty, value in
        isEmpty = false
        return .value(value)
      }, end: { $0 ? output : nil })
  }
  /// Gives this value instead of failing.
  public func replaceError(with output: Output) -> Publishers.Linked<Self, Output, Never> {
    Publishers.Linked(upstream: self) { down in
      OperatorLink(
        down, onValue: { .value($0) },
        onEnd: { completion in
          if case .failure = completion { return (output, .finished) }
          return (nil, .finished)
        })
    }
  }
  /// Stops the process where the publisher fails.
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
  /// Whether a value comes; as soon as that is known.
  public func contains(_ output: Output) -> Same<Bool> { contains { $0 == output } }
}
