import NearbyConcurrency

extension Subscribers {
  /// Takes everything, by closures.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
    /// Called with each value.
    public var receiveValue: (Input) -> Void
    /// Called with the end.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void
    private let state = Guarded<(upstream: (any Subscription)?, isOver: Bool)>((nil, false))

    /// Makes a sink of closures.
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      self.receiveCompletion = receiveCompletion
      self.receiveValue = receiveValue
    }

    /// Asks for everything.
    public func receive(subscription: any Subscription) {
      let isFirst = state.withLock { state in
        guard state.upstream == nil, !state.isOver else { return false }
        state.upstream = subscription
        return true
      }
      if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    /// Calls the closure.
    public func receive(_ value: Input) -> Demand {
      if !state.withLock({ $0.isOver }) { receiveValue(value) }
      return .none
    }

    /// Calls the closure.
    public func receive(completion: Completion<Failure>) {
      let wasOver = state.withLock { state in
        defer { state = (nil, true) }
        return state.isOver
      }
      if !wasOver { receiveCompletion(completion) }
    }

    /// Nothing comes any more.
    public func cancel() {
      let upstream = state.withLock { state in
        defer { state = (nil, true) }
        return state.upstream
      }
      upstream?.cancel()
    }
  }

  /// Writes each value to a property of an object, which it holds until the end.
  public final class Assign<Root, Input>: Subscriber, Cancellable {
    /// It cannot fail.
    public typealias Failure = Never
    /// Whose property it is; `nil` after the end.
    public var object: Root? { target.withLock { $0 } }
    /// Which property.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>
    private let target: Guarded<Root?>
    private let upstream = Guarded<(any Subscription)?>(nil)

    /// Makes one for a property.
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      target = Guarded(unchecked: object)
      self.keyPath = keyPath
    }

    /// Asks for everything.
    public func receive(subscription: any Subscription) {
      guard object != nil, upstream.withLock({ $0 == nil }) else { return subscription.cancel() }
      upstream.withLock { $0 = subscription }
      subscription.request(.unlimited)
    }

    /// Writes it.
    public func receive(_ value: Input) -> Demand {
      object?[keyPath: keyPath] = value
      return .none
    }

    /// Lets the object go.
    public func receive(completion: Completion<Never>) { _ = letGo() }

    /// Nothing is written any more.
    public func cancel() { letGo()?.cancel() }

    private func letGo() -> (any Subscription)? {
      target.withLock { $0 = nil }
      return upstream.withLock { upstream in
        defer { upstream = nil }
        return upstream
      }
    }
  }
}

extension Publisher {
  /// Calls closures with each value and with the end, for as long as the answer is held.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(
      receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Calls a closure with each value, for as long as the answer is held.
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  /// Writes each value to a property, for as long as the answer is held.
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root)
    -> AnyCancellable
  {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath)
    subscribe(assign)
    return AnyCancellable(assign)
  }
}
