import NearbyConcurrency

// A publisher's values as an asynchronous sequence. Like Apple's, the iterator requests one value at a time,
// so it misses values that a subject sends while no `next()` is pending.

extension Publisher where Failure == Never {
  /// The publisher's values as an asynchronous sequence.
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The publisher's values as an asynchronous sequence, which throws if the publisher fails.
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

/// The values of a publisher that cannot fail.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  /// The type of the publisher's values.
  public typealias Element = P.Output
  private let publisher: P
  /// Creates a sequence of the publisher's values.
  public init(_ publisher: P) { self.publisher = publisher }
  /// Subscribes to the publisher.
  public func makeAsyncIterator() -> Iterator { Iterator(AsyncInlet(publisher)) }

  /// Iterates over the values.
  public struct Iterator: AsyncIteratorProtocol {
    private let inlet: AsyncInlet<P>
    init(_ inlet: AsyncInlet<P>) { self.inlet = inlet }
    /// The next value; `nil` after the last.
    public mutating func next() async -> P.Output? {
      guard case .success(let value) = await inlet.next() else { return nil }
      return value
    }
  }
}

/// The values of a publisher that may fail.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  /// The type of the publisher's values.
  public typealias Element = P.Output
  private let publisher: P
  /// Creates a sequence of the publisher's values.
  public init(_ publisher: P) { self.publisher = publisher }
  /// Subscribes to the publisher.
  public func makeAsyncIterator() -> Iterator { Iterator(AsyncInlet(publisher)) }

  /// Iterates over the values.
  public struct Iterator: AsyncIteratorProtocol {
    private let inlet: AsyncInlet<P>
    init(_ inlet: AsyncInlet<P>) { self.inlet = inlet }
    /// The next value; `nil` after the last.
    public mutating func next() async throws -> P.Output? { try await inlet.next().get() }
  }
}

/// Hands one value at a time to the waiting task. Its mutable state is behind a lock.
final class AsyncInlet<P: Publisher> {
  private struct State {
    var waiting: [(Result<P.Output?, P.Failure>) -> Void] = []
    var end: Result<P.Output?, P.Failure>?
  }
  private let publisher: P
  private let state = Guarded(State())
  private var inlet: Inlet<P.Output, P.Failure>?
  private let canceller = Canceller()

  init(_ publisher: P) {
    self.publisher = publisher
    inlet = Inlet(
      onValue: { [weak self] in self?.take(.success($0)) ?? .none }, onEnd: { [weak self] in self?.end($0) })
    canceller.body.withLock {
      $0 = { [weak self] in
        self?.inlet?.cancel()
        self?.end(.finished)
      }
    }
    if let inlet { publisher.receive(subscriber: inlet) }
  }

  deinit { inlet?.cancel() }

  private func take(_ result: Result<P.Output?, P.Failure>) -> Subscribers.Demand {
    let waiter = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    waiter?(result)
    return .none
  }

  private func end(_ completion: Subscribers.Completion<P.Failure>) {
    let waiting = state.withLock { state in
      state.end = .success(nil)
      var all = state.waiting
      state.waiting = []
      if case .failure(let error) = completion {
        if all.isEmpty { state.end = .failure(error) } else { all.removeFirst()(.failure(error)) }
      }
      return all
    }
    for waiter in waiting { waiter(.success(nil)) }
  }

  func next() async -> Result<P.Output?, P.Failure> {
    let canceller = canceller
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = Answer<P>(continuation)
        let end = state.withLock { state -> Result<P.Output?, P.Failure>? in
          if let end = state.end {
            state.end = .success(nil)
            return end
          }
          state.waiting.append { answer.give($0) }
          return nil
        }
        if let end { return answer.give(end) }
        inlet?.request(.max(1))
      }.value
    } onCancel: {
      canceller.cancel()
    }
  }
}

/// Resumes the task that waits for a value. The result moves from the publisher's thread to that task and is
/// not used elsewhere.
private struct Answer<P: Publisher> {
  typealias Crossing = UncheckedSendable<Result<P.Output?, P.Failure>>

  private let continuation: CheckedContinuation<Crossing, Never>
  init(_ continuation: CheckedContinuation<Crossing, Never>) { self.continuation = continuation }
  func give(_ result: Result<P.Output?, P.Failure>) { continuation.resume(returning: Crossing(result)) }
}

/// A type-erased cancellation closure.
private struct Canceller: Sendable {
  let body = Guarded<() -> Void>({})
  func cancel() { body.withLock { $0 }() }
}
