import NearbyConcurrency

/// Forwards values to those subscribers that have requested some.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  private let outlets = Outlets<Output, Failure>()

  /// Creates a subject.
  public init() {}

  deinit { outlets.cancelUpstream() }

  /// Adds the subscription of an upstream publisher.
  public func send(subscription: any Subscription) { outlets.keep(subscription) }

  /// Sends a value to every subscriber with demand; others miss it.
  public func send(_ input: Output) {
    for outlet in outlets.all { outlet.offer(input) }
  }

  /// Completes all subscriptions.
  public func send(completion: Subscribers.Completion<Failure>) {
    for outlet in outlets.end(completion) { outlet.finish(completion) }
  }

  /// Adds a subscriber. After the subject has completed, a new subscriber receives only the completion.
  public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
    outlets.add(subscriber, waiting: nil)
  }
}

/// A subject with a current value, which new subscribers receive first.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  private let outlets = Outlets<Output, Failure>()
  private let current: Guarded<Output>

  /// Creates a subject with an initial value.
  public init(_ value: Output) { current = Guarded(unchecked: value) }

  deinit { outlets.cancelUpstream() }

  /// The current value; setting it sends it.
  public var value: Output {
    get { current.withLock { $0 } }
    set { send(newValue) }
  }

  /// Adds the subscription of an upstream publisher.
  public func send(subscription: any Subscription) { outlets.keep(subscription) }

  /// Stores the value and sends it to all subscribers; those without demand receive the latest value later.
  public func send(_ input: Output) {
    guard !outlets.isOver else { return }
    current.withLock { $0 = input }
    for outlet in outlets.all { outlet.hold(input) }
  }

  /// Completes all subscriptions.
  public func send(completion: Subscribers.Completion<Failure>) {
    for outlet in outlets.end(completion) { outlet.finish(completion) }
  }

  /// Adds a subscriber. After the subject has completed, a new subscriber receives only the completion.
  public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
    outlets.add(subscriber, waiting: { [current] in current.withLock { $0 } })
  }
}

/// The subscribers of a subject.
final class Outlets<Output, Failure: Error>: Sendable {
  private struct State {
    var all: [SubjectOutlet<Output, Failure>] = []
    var upstream: [any Subscription] = []
    var end: Subscribers.Completion<Failure>?
  }

  private let state = Guarded(State())

  var all: [SubjectOutlet<Output, Failure>] { state.withLock { $0.all } }
  var isOver: Bool { state.withLock { $0.end != nil } }

  func keep(_ subscription: any Subscription) {
    state.withLock { $0.upstream.append(subscription) }
    subscription.request(.unlimited)
  }

  func cancelUpstream() {
    for subscription in state.withLock({ $0.upstream }) { subscription.cancel() }
  }

  func end(_ completion: Subscribers.Completion<Failure>) -> [SubjectOutlet<Output, Failure>] {
    state.withLock { state in
      guard state.end == nil else { return [] }
      state.end = completion
      state.upstream = []
      defer { state.all = [] }
      return state.all
    }
  }

  /// - Parameter waiting: Provides the first value for the new subscriber.
  func add<S: Subscriber>(_ subscriber: S, waiting: (() -> Output)?)
  where S.Input == Output, S.Failure == Failure {
    let outlet = SubjectOutlet(AnySubscriber(subscriber)) { [weak self] gone in
      self?.state.withLock { $0.all.removeAll { $0 === gone } }
    }
    let end = state.withLock { state in
      if state.end == nil {
        outlet.wait(waiting?())
        state.all.append(outlet)
      }
      return state.end
    }
    if let end {
      subscriber.receive(subscription: Subscriptions.empty)
      return subscriber.receive(completion: end)
    }
    subscriber.receive(subscription: outlet)
  }
}

/// One subscription to a subject.
final class SubjectOutlet<Output, Failure: Error>: Subscription {
  private struct State {
    var down: AnySubscriber<Output, Failure>?
    var demand = Subscribers.Demand.none
    var waiting: Output?
  }

  private let state: Guarded<State>
  private let onCancel: (SubjectOutlet) -> Void

  init(_ down: AnySubscriber<Output, Failure>, onCancel: @escaping (SubjectOutlet) -> Void) {
    state = Guarded(unchecked: State(down: down))
    self.onCancel = onCancel
  }

  func wait(_ value: Output?) { state.withLock { $0.waiting = value } }

  /// Delivers the value, or drops it if there is no demand.
  func offer(_ value: Output) {
    let down = state.withLock { state -> AnySubscriber<Output, Failure>? in
      guard state.demand > .none else { return nil }
      state.demand -= 1
      return state.down
    }
    guard let down else { return }
    take(down.receive(value))
  }

  /// Delivers the value, or keeps it until there is demand.
  func hold(_ value: Output) {
    state.withLock { $0.waiting = value }
    giveWaiting()
  }

  func finish(_ completion: Subscribers.Completion<Failure>) {
    let down = state.withLock { state in
      defer { state.down = nil }
      return state.down
    }
    down?.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "a subscriber requested no values; the demand must be above 0")
    take(demand)
    giveWaiting()
  }

  func cancel() {
    state.withLock { $0.down = nil }
    onCancel(self)
  }

  private func take(_ demand: Subscribers.Demand) { state.withLock { $0.demand += demand } }

  private func giveWaiting() {
    let gift = state.withLock { state -> (AnySubscriber<Output, Failure>, Output)? in
      guard state.demand > .none, let value = state.waiting, let down = state.down else { return nil }
      state.demand -= 1
      state.waiting = nil
      return (down, value)
    }
    guard let (down, value) = gift else { return }
    take(down.receive(value))
  }
}

// As in Apple's module: subjects have their own lock.
extension PassthroughSubject: Sendable where Output: Sendable {}
extension CurrentValueSubject: Sendable where Output: Sendable {}
