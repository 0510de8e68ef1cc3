import NearbyConcurrency

/// Gives one value and ends.
public struct Just<Output>: Publisher {
  /// It cannot fail.
  public typealias Failure = Never
  /// The value.
  public let output: Output

  /// Makes one of a value.
  public init(_ output: Output) { self.output = output }

  /// Gives the value when it is asked for.
  public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, S.Failure == Never {
    let outlet = Outlet(subscriber)
    subscriber.receive(subscription: outlet)
    outlet.give(output)
    outlet.finish(.finished)
  }
}

extension Just: Equatable where Output: Equatable {}
extension Just: Sendable where Output: Sendable {}

/// Gives nothing, and ends at once or never.
public struct Empty<Output, Failure: Error>: Publisher, Equatable, Sendable {
  /// Whether it ends.
  public let completeImmediately: Bool

  /// Makes one.
  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }
  /// Makes one of types said.
  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  /// Ends the subscription, if it is to.
  public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}

/// Fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
  /// With what.
  public let error: Failure

  /// Makes one of an error.
  public init(error: Failure) { self.error = error }
  /// Makes one of types said.
  public init(outputType: Output.Type, failure: Failure) { error = failure }

  /// Fails.
  public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: .failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}
extension Fail: Sendable where Failure: Sendable {}

/// Makes its publisher anew for each subscriber.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  /// The publisher's.
  public typealias Output = DeferredPublisher.Output
  /// The publisher's.
  public typealias Failure = DeferredPublisher.Failure
  /// Makes the publisher.
  public let createPublisher: () -> DeferredPublisher

  /// Makes one of a closure.
  public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

  /// Makes a publisher and passes the subscriber to it.
  public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
    createPublisher().receive(subscriber: subscriber)
  }
}

/// Gives the one value that comes of a piece of work, begun when it is made.
public final class Future<Output, Failure: Error>: Publisher {
  /// Takes what came of the work; once.
  public typealias Promise = (Result<Output, Failure>) -> Void

  private struct State {
    var result: Result<Output, Failure>?
    var waiting: [(Result<Output, Failure>) -> Void] = []
  }
  private let state = Guarded(State())

  /// Begins the work.
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

  /// Gives what came, when it is there and asked for.
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

/// Keeps every value for those who come later.
public struct Record<Output, Failure: Error>: Publisher {
  /// What was recorded.
  public struct Recording {
    /// The values.
    public private(set) var output: [Output] = []
    /// The end.
    public private(set) var completion: Subscribers.Completion<Failure> = .finished
    /// Nothing.
    public init() {}
    /// Values and an end.
    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      self.output = output
      self.completion = completion
    }
    /// Adds a value.
    public mutating func receive(_ input: Output) { output.append(input) }
    /// Says how it ended.
    public mutating func receive(completion: Subscribers.Completion<Failure>) { self.completion = completion }
  }

  /// What it gives.
  public let recording: Recording
  /// Records what a closure does.
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.recording = recording
  }
  /// Of a recording.
  public init(recording: Recording) { self.recording = recording }
  /// Of values and an end.
  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    recording = Recording(output: output, completion: completion)
  }

  /// Gives the values as they are asked for.
  public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
    let outlet = Outlet(subscriber)
    subscriber.receive(subscription: outlet)
    recording.output.forEach(outlet.give)
    outlet.finish(recording.completion)
  }
}

extension Publishers {
  /// Gives the elements of a sequence, as they are asked for.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    /// The elements'.
    public typealias Output = Elements.Element
    /// The elements.
    public let sequence: Elements

    /// Makes one of a sequence.
    public init(sequence: Elements) { self.sequence = sequence }

    /// Gives the elements.
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
  /// Gives the elements.
  public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

extension Optional {
  /// Gives the value, if there is one.
  public var publisher: Optional.Publisher { Optional.Publisher(self) }

  /// Gives the value, if there is one.
  public struct Publisher: Combine.Publisher {
    /// The value's.
    public typealias Output = Wrapped
    /// It cannot fail.
    public typealias Failure = Never
    /// The value.
    public let output: Wrapped?
    /// Makes one.
    public init(_ output: Wrapped?) { self.output = output }
    /// Gives it.
    public func receive<S>(subscriber: S) where S: Subscriber, Wrapped == S.Input, S.Failure == Never {
      let pull = Pull(subscriber, output.map { [$0] } ?? [])
      subscriber.receive(subscription: pull)
      pull.endIfEmpty()
    }
  }
}

extension Result {
  /// Gives the value, or fails.
  public var publisher: Result.Publisher { Result.Publisher(self) }

  /// Gives the value, or fails.
  public struct Publisher: Combine.Publisher {
    /// The value's.
    public typealias Output = Success
    /// The value or the error.
    public let result: Result<Success, Failure>
    /// Makes one.
    public init(_ result: Result<Success, Failure>) { self.result = result }
    /// Gives it.
    public func receive<S>(subscriber: S) where S: Subscriber, Success == S.Input, Failure == S.Failure {
      switch result {
      case .success(let value): Pull(subscriber, [value]).start()
      case .failure(let error): Fail(error: error).receive(subscriber: subscriber)
      }
    }
  }
}

/// Gives what an array holds, as it is asked for.
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
