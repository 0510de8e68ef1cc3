// Operators whose closures may throw: what they throw is what the publisher fails with.
extension Publisher {
  /// What an operator's result is whose closure may throw.
  public typealias Trying<T> = Publishers.Linked<Self, T, any Error>

  /// Makes a running result of all values so far, or fails.
  public func tryScan<T>(_ initial: T, _ next: @escaping (T, Output) throws -> T) -> Trying<T> {
    trying(initial) { result, value in
      result = try next(result, value)
      return .value(result)
    }
  }
  /// The result of all values, at the end, or fails.
  public func tryReduce<T>(_ initial: T, _ next: @escaping (T, Output) throws -> T) -> Trying<T> {
    trying(
      initial,
      { result, value in
        result = try next(result, value)
        return .skip
      }, end: { $0 })
  }
  /// Leaves out what is the same as the value before, or fails.
  public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> Trying<Output> {
    trying(nil as Output?) { last, value in
      defer { last = value }
      return try last.map { try predicate($0, value) } ?? false ? .skip : .value(value)
    }
  }
  /// The first value that fits, then the end, or fails.
  public func tryFirst(where predicate: @escaping (Output) throws -> Bool) -> Trying<Output> {
    trying(()) { try predicate($1) ? .last($1) : .skip }
  }
  /// The last value that fits, at the end, or fails.
  public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Trying<Output> {
    trying(
      nil as Output?,
      { last, value in
        if try predicate(value) { last = value }
        return .skip
      }, end: { $0 })
  }
  /// Values for as long as they fit, then the end, or fails.
  public func tryPrefix(while predicate: @escaping (Output) throws -> Bool) -> Trying<Output> {
    trying(()) { try predicate($1) ? .value($1) : .end(.finished) }
  }
  /// Leaves out the first for as long as they fit, or fails.
  public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Trying<Output> {
    trying(true) { isDropping, value in
      if isDropping, try predicate(value) { return .skip }
      isDropping = false
      return .value(value)
    }
  }
  /// Whether all fit; as soon as that is known, or fails.
  public func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool) -> Trying<Bool> {
    trying((), { try predicate($1) ? .skip : .last(false) }, end: { _ in true })
  }
  /// Whether one fits; as soon as that is known, or fails.
  public func tryContains(where predicate: @escaping (Output) throws -> Bool) -> Trying<Bool> {
    trying((), { try predicate($1) ? .last(true) : .skip }, end: { _ in false })
  }

  /// Another publisher's values, where this one fails, or another error.
  public func tryCatch<P: Publisher>(
    _ handler: @escaping (Failure) throws -> P
  ) -> Publishers.Joined<Output, any Error> where P.Output == Output {
    mapError { $0 as any Error }.catch { error -> AnyPublisher<Output, any Error> in
      guard let known = error as? Failure else { return Fail(error: error).eraseToAnyPublisher() }
      do {
        return try handler(known).mapError { $0 as any Error }.eraseToAnyPublisher()
      } catch {
        return Fail(error: error).eraseToAnyPublisher()
      }
    }
  }
}

// MARK: Coding

/// Makes values of what they were encoded to.
public protocol TopLevelDecoder<Input> {
  /// What they were encoded to.
  associatedtype Input
  /// Makes a value.
  func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

/// Encodes values.
public protocol TopLevelEncoder<Output> {
  /// To what.
  associatedtype Output
  /// Encodes a value.
  func encode<T: Encodable>(_ value: T) throws -> Output
}

extension JSONDecoder: TopLevelDecoder {}
extension JSONEncoder: TopLevelEncoder {}
extension PropertyListDecoder: TopLevelDecoder {}
extension PropertyListEncoder: TopLevelEncoder {}

extension Publisher {
  /// Makes a value of each, or fails.
  public func decode<Item: Decodable, Coder: TopLevelDecoder>(
    type: Item.Type, decoder: Coder
  ) -> Publishers.TryMap<Self, Item> where Output == Coder.Input {
    tryMap { try decoder.decode(type, from: $0) }
  }
}

extension Publisher where Output: Encodable {
  /// Encodes each, or fails.
  public func encode<Coder: TopLevelEncoder>(
    encoder: Coder
  ) -> Publishers.TryMap<Self, Coder.Output> { tryMap { try encoder.encode($0) } }
}
