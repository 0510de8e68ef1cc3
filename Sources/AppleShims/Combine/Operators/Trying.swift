// Operators with throwing closures: the publisher fails with the error thrown.
extension Publisher {
  /// The result type of an operator with a throwing closure.
  public typealias Trying<T> = Publishers.Linked<Self, T, any Error>

  /// Emits a running result of all values so far; fails if the closure throws.
  public func tryScan<T>(_ initial: T, _ next: @escaping (T, Output) throws -> T) -> Trying<T> {
    trying(initial) { result, value in
      result = try next(result, value)
      return .value(result)
    }
  }
  /// Emits the combined result of all values on completion; fails if the closure throws.
  public func tryReduce<T>(_ initial: T, _ next: @escaping (T, Output) throws -> T) -> Trying<T> {
    trying(
      initial,
      { result, value in
        result = try next(result, value)
        return .skip
      }, end: { $0 })
  }
  /// Drops values equal to the one before; fails if the predicate throws.
  public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> Trying<Output> {
    trying(nil as Output?) { last, value in
      defer { last = value }
      return try last.map { try predicate($0, value) } ?? false ? .skip : .value(value)
    }
  }
  /// Emits the first value that satisfies a predicate, then finishes; fails if the predicate throws.
  public func tryFirst(where predicate: @escaping (Output) throws -> Bool) -> Trying<Output> {
    trying(()) { try predicate($1) ? .last($1) : .skip }
  }
  /// Emits the last value that satisfies a predicate on completion; fails if the predicate throws.
  public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Trying<Output> {
    trying(
      nil as Output?,
      { last, value in
        if try predicate(value) { last = value }
        return .skip
      }, end: { $0 })
  }
  /// Emits values while they satisfy a predicate, then finishes; fails if the predicate throws.
  public func tryPrefix(while predicate: @escaping (Output) throws -> Bool) -> Trying<Output> {
    trying(()) { try predicate($1) ? .value($1) : .end(.finished) }
  }
  /// Drops the first values while they satisfy a predicate; fails if the predicate throws.
  public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Trying<Output> {
    trying(true) { isDropping, value in
      if isDropping, try predicate(value) { return .skip }
      isDropping = false
      return .value(value)
    }
  }
  /// Emits whether all values satisfy a predicate, as soon as that is certain; fails if the predicate throws.
  public func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool) -> Trying<Bool> {
    trying((), { try predicate($1) ? .skip : .last(false) }, end: { _ in true })
  }
  /// Emits whether any value satisfies a predicate, as soon as that is certain; fails if the predicate
  /// throws.
  public func tryContains(where predicate: @escaping (Output) throws -> Bool) -> Trying<Bool> {
    trying((), { try predicate($1) ? .last(true) : .skip }, end: { _ in false })
  }

  /// Continues with another publisher if this one fails; fails if the handler throws.
  public func tryCatch<P: Publisher>(
    _ handler: @escaping (Failure) throws -> P
  ) -> Publishers.Joined<Output, any Error> where P.Output == Output {
    mapError { $0 as any Error }.caught { error -> AnyPublisher<Output, any Error> in
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

/// Decodes values from a serialized form.
public protocol TopLevelDecoder<Input> {
  /// The type of the serialized form.
  associatedtype Input
  /// Decodes a value.
  func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}

/// Encodes values to a serialized form.
public protocol TopLevelEncoder<Output> {
  /// The type of the serialized form.
  associatedtype Output
  /// Encodes a value.
  func encode<T: Encodable>(_ value: T) throws -> Output
}

extension JSONDecoder: TopLevelDecoder {}
extension JSONEncoder: TopLevelEncoder {}
extension PropertyListDecoder: TopLevelDecoder {}
extension PropertyListEncoder: TopLevelEncoder {}

extension Publisher {
  /// Decodes each value; fails if decoding throws.
  public func decode<Item: Decodable, Coder: TopLevelDecoder>(
    type: Item.Type, decoder: Coder
  ) -> Publishers.TryMap<Self, Item> where Output == Coder.Input {
    tryMap { try decoder.decode(type, from: $0) }
  }
}

extension Publisher where Output: Encodable {
  /// Encodes each value; fails if encoding throws.
  public func encode<Coder: TopLevelEncoder>(
    encoder: Coder
  ) -> Publishers.TryMap<Self, Coder.Output> { tryMap { try encoder.encode($0) } }
}
