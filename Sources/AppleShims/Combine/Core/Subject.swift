import NearbyConcurrency

/// A publisher that is given its values from outside.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Gives everybody a value.
  func send(_ value: Output)
  /// Ends.
  func send(completion: Subscribers.Completion<Failure>)
  /// Takes the subscription of a publisher that this one is attached to.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Gives everybody a signal.
  public func send() { send(()) }
}

/// Hands what comes from a publisher to a subject.
final class SubjectSubscriber<S: Subject>: Subscriber, Cancellable {
  typealias Input = S.Output
  typealias Failure = S.Failure
  private let state: Guarded<(subject: S?, upstream: (any Subscription)?)>

  init(_ subject: S) { state = Guarded(unchecked: (subject, nil)) }

  func receive(subscription: any Subscription) {
    let subject = state.withLock { state in
      state.upstream = subscription
      return state.subject
    }
    subject?.send(subscription: subscription)
  }

  func receive(_ input: S.Output) -> Subscribers.Demand {
    state.withLock { $0.subject }?.send(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<S.Failure>) {
    let subject = state.withLock { state in
      defer { state = (nil, nil) }
      return state.subject
    }
    subject?.send(completion: completion)
  }

  func cancel() {
    let upstream = state.withLock { state in
      defer { state = (nil, nil) }
      return state.upstream
    }
    upstream?.cancel()
  }
}
