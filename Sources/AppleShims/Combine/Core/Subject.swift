import NearbyConcurrency

/// A publisher whose values are sent by its owner.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to all subscribers.
  func send(_ value: Output)
  /// Sends a completion to all subscribers.
  func send(completion: Subscribers.Completion<Failure>)
  /// Adds the subscription of an upstream publisher.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends an empty value to all subscribers.
  public func send() { send(()) }
}

/// Forwards an upstream publisher's values to a subject.
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
