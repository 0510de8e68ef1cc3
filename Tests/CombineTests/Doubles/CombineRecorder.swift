import Combine

/// Records what a publisher sends, with the demand that the test sets.
final class CombineRecorder<Input, Failure: Error>: Subscriber {
  private(set) var history: [String] = []
  private var subscription: (any Subscription)?
  /// The demand on subscription.
  var initial: Subscribers.Demand
  /// The demand after each value.
  var answer: (Input) -> Subscribers.Demand = { _ in .none }

  init(_ initial: Subscribers.Demand = .unlimited) { self.initial = initial }

  func receive(subscription: any Subscription) {
    history.append("subscribed")
    self.subscription = subscription
    if initial > .none { subscription.request(initial) }
  }
  func receive(_ input: Input) -> Subscribers.Demand {
    history.append("\(input)")
    return answer(input)
  }
  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: history.append("finished")
    case .failure(let error): history.append("failed \(error)")
    }
  }
  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }
  func cancel() { subscription?.cancel() }
}

/// A publisher that records demand, and sends the test's values whether requested or not.
final class CombineSource<Output>: Publisher {
  typealias Failure = Trouble
  private(set) var history: [String] = []
  private var down: AnySubscriber<Output, Trouble>?

  func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Trouble {
    down = AnySubscriber(subscriber)
    subscriber.receive(subscription: Tie(source: self))
  }
  @discardableResult
  func send(_ value: Output) -> Subscribers.Demand { down?.receive(value) ?? .none }
  func finish() { down?.receive(completion: .finished) }
  func fail() { down?.receive(completion: .failure(Trouble())) }

  private struct Tie: Subscription {
    let source: CombineSource
    let combineIdentifier = CombineIdentifier()
    func request(_ demand: Subscribers.Demand) { source.history.append("\(demand)") }
    func cancel() { source.history.append("cancel") }
  }
}

struct Trouble: Error, Equatable, CustomStringConvertible {
  var description: String { "trouble" }
}

extension Publisher {
  /// Everything that a subscriber with unlimited demand receives.
  var recorded: [String] {
    let recorder = CombineRecorder<Output, Failure>()
    receive(subscriber: recorder)
    return recorder.history
  }
}
