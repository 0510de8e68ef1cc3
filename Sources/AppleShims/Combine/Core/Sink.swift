import NearbyConcurrency

extension Subscribers {
  /// A subscriber with unlimited demand that calls closures.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
    /// Called with each value.
    public var receiveValue: (Input) -> Void
    /// Called with the completion.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void
    private let state = Guarded<(upstream: (any Subscription)?, isOver: Bool)>((nil, false))

    /// Creates a sink from closures.
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      self.receiveCompletion = receiveCompletion
      self.receiveValue = receiveValue
    }

    /// Requests unlimited values.
    public func receive(subscription: any Subscription) {
      let isFirst = state.withLock { state in
        guard state.upstream == nil, !state.isOver else { return false }
        state.upstream = subscription
        return true
      }
      if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
    }

    /// Calls `receiveValue`.
    public func receive(_ value: Input) -> Demand {
      if !state.withLock({ $0.isOver }) { receiveValue(value) }
      return .none
    }

    /// Calls `receiveCompletion`.
    public func receive(completion: Completion<Failure>) {
      let wasOver = state.withLock { state in
        defer { state = (nil, true) }
        return state.isOver
      }
      if !wasOver { receiveCompletion(completion) }
    }

    /// Cancels the subscription.
    public func cancel() {
      let upstream = state.withLock { state in
        defer { state = (nil, true) }
        return state.upstream
      }
      upstream?.cancel()
    }
  }

  /// A subscriber that assigns each value to a property. It retains the object until the completion.
  public final class Assign<Root, Input>: Subscriber, Cancellable {
    /// The publisher must not fail.
    public typealias Failure = Never
    /// The object with the property; `nil` after completion or cancellation.
    public var object: Root? { target.withLock { $0 } }
    /// The property to assign to.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>
    private let target: Guarded<Root?>
    private let upstream = Guarded<(any Subscription)?>(nil)

    /// Creates a subscriber for a property.
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      target = Guarded(unchecked: object)
      self.keyPath = keyPath
    }

    /// Requests unlimited values.
    public func receive(subscription: any Subscription) {
      guard object != nil, upstream.withLock({ $0 == nil }) else { return subscription.cancel() }
      upstream.withLock { $0 = subscription }
      subscription.request(.unlimited)
    }

    /// Assigns the value.
    public func receive(_ value: Input) -> Demand {
      object?[keyPath: keyPath] = value
      return .none
    }

    /// Releases the object.
    public func receive(completion: Completion<Never>) { _ = letGo() }

    /// Cancels the subscription and releases the object.
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
  /// Calls closures with each value and with the completion, until the returned cancellable is released.
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
  /// Calls a closure with each value, until the returned cancellable is released.
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  /// Assigns each value to a property, until the returned cancellable is released.
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root)
    -> AnyCancellable
  {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath)
    subscribe(assign)
    return AnyCancellable(assign)
  }
}
