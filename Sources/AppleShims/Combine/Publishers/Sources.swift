import NearbyConcurrency

/// Emits one value and finishes.
public struct Just<Output>: Publisher {
  /// It cannot fail.
  public typealias Failure = Never
  /// The value.
  public let output: Output

  /// Creates a publisher of a value.
  public init(_ output: Output) { self.output = output }

  /// Emits the value on the first request.
  public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, S.Failure == Never {
    let outlet = Outlet(subscriber)
    subscriber.receive(subscription: outlet)
    outlet.give(output)
    outlet.finish(.finished)
  }
}

extension Just: Equatable where Output: Equatable {}
extension Just: Sendable where Output: Sendable {}

/// Emits no values, and finishes either at once or never.
public struct Empty<Output, Failure: Error>: Publisher, Equatable, Sendable {
  /// Whether it finishes at once.
  public let completeImmediately: Bool

  /// Creates a publisher.
  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }
  /// Creates a publisher with explicit types.
  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  /// Finishes at once if `completeImmediately` is set.
  public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}

/// Fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
  /// The error.
  public let error: Failure

  /// Creates a publisher of an error.
  public init(error: Failure) { self.error = error }
  /// Creates a publisher with an explicit type of values.
  public init(outputType: Output.Type, failure: Failure) { error = failure }

  /// Fails at once.
  public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: .failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}
extension Fail: Sendable where Failure: Sendable {}

/// Creates a new publisher for each subscriber.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  /// The created publisher's type of values.
  public typealias Output = DeferredPublisher.Output
  /// The created publisher's type of errors.
  public typealias Failure = DeferredPublisher.Failure
  /// Creates the publisher.
  public let createPublisher: () -> DeferredPublisher

  /// Creates a publisher from a closure.
  public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

  /// Creates a publisher and attaches the subscriber to it.
  public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
    createPublisher().receive(subscriber: subscriber)
  }
}

/// Emits the single result of an operation that starts when the future is created.
public final class Future<Output, Failure: Error>: Publisher {
  /// Receives the result; only the first call has an effect.
  public typealias Promise = (Result<Output, Failure>) -> Void

  private struct State {
    var result: Result<Output, Failure>?
    var waiting: [(Result<Output, Failure>) -> Void] = []
  }
  private let state = Guarded(State())

  /// Starts the operation.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    attemptToFulfill { self.fulfil($0) }
  }

  private func fulfil(_ result: Result<Output, Failure>) {
    let waiting = state.withLock { state -> [(Result<Output, Failure>) -> Void] in
      guard state.result == nil else { return [] }
      state.result = result
      defer { state.waiting = [] }
      return state.waiting
    }
    for body in waiting { body(result) }
  }

  /// Emits the result once it is available and requested.
  public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
    let outlet = Outlet(subscriber)
    subscriber.receive(subscription: outlet)
    let give: (Result<Output, Failure>) -> Void = { result in
      switch result {
      case .success(let value):
        outlet.give(value)
        outlet.finish(.finished)
      case .failure(let error): outlet.finish(.failure(error))
      }
    }
    let result = state.withLock { state in
      if state.result == nil { state.waiting.append(give) }
      return state.result
    }
    if let result { give(result) }
  }
}

extension Future: Sendable where Output: Sendable {}

/// Replays recorded values to each subscriber.
public struct Record<Output, Failure: Error>: Publisher {
  /// Recorded values and a completion.
  public struct Recording {
    /// The values.
    public private(set) var output: [Output] = []
    /// The completion.
    public private(set) var completion: Subscribers.Completion<Failure> = .finished
    /// Creates an empty recording.
    public init() {}
    /// Creates a recording from values and a completion.
    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      self.output = output
      self.completion = completion
    }
    /// Appends a value.
    public mutating func receive(_ input: Output) { output.append(input) }
    /// Sets the completion.
    public mutating func receive(completion: Subscribers.Completion<Failure>) { self.completion = completion }
  }

  /// The recording to replay.
  public let recording: Recording
  /// Creates a publisher from what a closure records.
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.recording = recording
  }
  /// Creates a publisher from a recording.
  public init(recording: Recording) { self.recording = recording }
  /// Creates a publisher from values and a completion.
  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    recording = Recording(output: output, completion: completion)
  }

  /// Emits the values as they are requested.
  public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
    let outlet = Outlet(subscriber)
    subscriber.receive(subscription: outlet)
    recording.output.forEach(outlet.give)
    outlet.finish(recording.completion)
  }
}

extension Publishers {
  /// Emits the elements of a sequence as they are requested.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    /// The type of the elements.
    public typealias Output = Elements.Element
    /// The sequence.
    public let sequence: Elements

    /// Creates a publisher of a sequence.
    public init(sequence: Elements) { self.sequence = sequence }

    /// Emits the elements as they are requested.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      let pull = Pull(subscriber, Array(sequence))
      subscriber.receive(subscription: pull)
      pull.endIfEmpty()
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}
extension Publishers.Sequence: Sendable where Elements: Sendable {}

extension Sequence {
  /// A publisher of the elements.
  public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

extension Optional {
  /// A publisher of the wrapped value, if any.
  public var publisher: Optional.Publisher { Optional.Publisher(self) }

  /// Emits the wrapped value, if any, and finishes.
  public struct Publisher: Combine.Publisher {
    /// The type of the wrapped value.
    public typealias Output = Wrapped
    /// It cannot fail.
    public typealias Failure = Never
    /// The optional value.
    public let output: Wrapped?
    /// Creates a publisher of an optional value.
    public init(_ output: Wrapped?) { self.output = output }
    /// Emits the value on the first request.
    public func receive<S>(subscriber: S) where S: Subscriber, Wrapped == S.Input, S.Failure == Never {
      let pull = Pull(subscriber, output.map { [$0] } ?? [])
      subscriber.receive(subscription: pull)
      pull.endIfEmpty()
    }
  }
}

extension Result {
  /// A publisher of the result.
  public var publisher: Result.Publisher { Result.Publisher(self) }

  /// Emits the success value, or fails.
  public struct Publisher: Combine.Publisher {
    /// The type of the success value.
    public typealias Output = Success
    /// The result.
    public let result: Result<Success, Failure>
    /// Creates a publisher of a result.
    public init(_ result: Result<Success, Failure>) { self.result = result }
    /// Emits the value on the first request, or fails at once.
    public func receive<S>(subscriber: S) where S: Subscriber, Success == S.Input, Failure == S.Failure {
      switch result {
      case .success(let value): Pull(subscriber, [value]).start()
      case .failure(let error): Fail(error: error).receive(subscriber: subscriber)
      }
    }
  }
}

/// Emits the values of an array as they are requested.
private final class Pull<Down: Subscriber>: Subscription {
  private struct State {
    var rest: ArraySlice<Down.Input>
    var demand = Subscribers.Demand.none
    var isGiving = false
    var isOver = false
  }
  private let down: Down
  private let state: Guarded<State>

  init(_ down: Down, _ values: [Down.Input]) {
    self.down = down
    state = Guarded(unchecked: State(rest: values[...]))
  }

  func start() { down.receive(subscription: self) }

  func endIfEmpty() { if state.withLock({ $0.rest.isEmpty }) { giveAll() } }

  func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.demand += demand }
    giveAll()
  }

  func cancel() {
    state.withLock { state in
      state.isOver = true
      state.rest = []
    }
  }

  private func giveAll() {
    guard
      state.withLock({ state in
        defer { state.isGiving = true }
        return !state.isGiving
      })
    else { return }
    while let value = next() {
      let more = down.receive(value)
      state.withLock { $0.demand += more }
    }
    let isAtEnd = state.withLock { state in
      state.isGiving = false
      guard state.rest.isEmpty, !state.isOver else { return false }
      state.isOver = true
      return true
    }
    if isAtEnd { down.receive(completion: .finished) }
  }

  private func next() -> Down.Input? {
    state.withLock { state in
      guard !state.isOver, state.demand > .none, let value = state.rest.popFirst() else { return nil }
      state.demand -= 1
      return value
    }
  }
}
