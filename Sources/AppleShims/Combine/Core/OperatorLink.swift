import NearbyConcurrency

/// Connects an upstream publisher to a downstream subscriber; most operators are built on it.
///
/// Demand and cancellation pass upstream; values and the completion pass downstream. After a completion or
/// cancellation nothing is forwarded. `onValue` maps each value to a `Step`. The state is behind a lock,
/// which is never held while a closure or a subscriber runs.
final class OperatorLink<Input, InputFailure: Error, Down: Subscriber>: Subscriber, Subscription {
  enum Step {
    /// Pass a value to the subscriber.
    case value(Down.Input)
    /// Drop the value and request another in its place, because the subscriber may have asked for one.
    case skip
    /// Complete and cancel the upstream subscription.
    case end(Subscribers.Completion<Down.Failure>)
    /// Pass a final value, then finish.
    case last(Down.Input)
  }

  private struct State {
    var upstream: (any Subscription)?
    /// `nil` after the completion: a subscriber that retains its subscription would otherwise retain itself.
    var down: Down?
  }

  private let state: Guarded<State>
  private let onValue: (Input) -> Step
  private let onEnd:
    (Subscribers.Completion<InputFailure>) -> (Down.Input?, Subscribers.Completion<Down.Failure>)
  private let onCancel: () -> Void

  init(
    _ down: Down, onValue: @escaping (Input) -> Step,
    onEnd:
      @escaping (Subscribers.Completion<InputFailure>) -> (
        Down.Input?, Subscribers.Completion<Down.Failure>
      ),
    onCancel: @escaping () -> Void = {}
  ) {
    state = Guarded(unchecked: State(down: down))
    self.onValue = onValue
    self.onEnd = onEnd
    self.onCancel = onCancel
  }

  func receive(subscription: any Subscription) {
    let down = state.withLock { state -> Down? in
      guard state.upstream == nil else { return nil }
      if state.down != nil { state.upstream = subscription }
      return state.down
    }
    guard let down else { return subscription.cancel() }
    down.receive(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard let down = state.withLock({ $0.down }) else { return .none }
    switch onValue(input) {
    case .value(let value): return down.receive(value)
    case .skip: return .max(1)
    case .end(let completion):
      finish().upstream?.cancel()
      down.receive(completion: completion)
    case .last(let value):
      finish().upstream?.cancel()
      _ = down.receive(value)
      down.receive(completion: .finished)
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<InputFailure>) {
    guard let down = finish().down else { return }
    let (value, completion) = onEnd(completion)
    if let value { _ = down.receive(value) }
    down.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) { state.withLock { $0.upstream }?.request(demand) }

  func cancel() {
    finish().upstream?.cancel()
    onCancel()
  }

  /// Clears the state and returns the previous one.
  private func finish() -> State {
    state.withLock { state in
      defer { state = State() }
      return state
    }
  }
}

extension OperatorLink where InputFailure == Down.Failure {
  /// Creates a link that forwards the completion unchanged.
  convenience init(_ down: Down, onValue: @escaping (Input) -> Step) {
    self.init(down, onValue: onValue, onEnd: { (nil, $0) })
  }
}

/// A subscription that queues values until the subscriber requests them.
///
/// Used by operators whose output does not correspond one to one to their input. Values are delivered in
/// order, by one thread at a time.
final class Outlet<Down: Subscriber>: Subscription {
  private struct State {
    var waiting: [Down.Input] = []
    var end: Subscribers.Completion<Down.Failure>?
    var demand = Subscribers.Demand.none
    var isGiving = false
    /// `nil` after the completion: a subscriber that retains its subscription would otherwise retain itself.
    var down: Down?
    var isOver: Bool { down == nil }
  }

  private let state: Guarded<State>
  private let onRequest: (Subscribers.Demand) -> Void
  private let onCancel: () -> Void
  /// Maximum number of queued values; beyond it the oldest is dropped.
  private let limit: Int

  init(
    _ down: Down, limit: Int = .max, onRequest: @escaping (Subscribers.Demand) -> Void = { _ in },
    onCancel: @escaping () -> Void = {}
  ) {
    state = Guarded(unchecked: State(down: down))
    self.limit = limit
    self.onRequest = onRequest
    self.onCancel = onCancel
  }

  var isOver: Bool { state.withLock { $0.isOver || $0.end != nil } }
  var waitingCount: Int { state.withLock { $0.waiting.count } }
  var hasDemand: Bool { state.withLock { $0.demand > .none && !$0.isOver } }

  /// Queues a value in place of the oldest one.
  func replaceOldest(with value: Down.Input) {
    state.withLock { state in
      guard !state.isOver, state.end == nil else { return }
      if !state.waiting.isEmpty { state.waiting.removeFirst() }
      state.waiting.append(value)
    }
    drain()
  }

  func give(_ value: Down.Input) {
    state.withLock { state in
      guard !state.isOver, state.end == nil else { return }
      state.waiting.append(value)
      if state.waiting.count > limit { state.waiting.removeFirst() }
    }
    drain()
  }

  /// Completes once the queue is empty.
  func finish(_ completion: Subscribers.Completion<Down.Failure>) {
    state.withLock { state in
      if !state.isOver, state.end == nil { state.end = completion }
    }
    drain()
  }

  /// Completes at once and drops the queued values.
  func fail(_ completion: Subscribers.Completion<Down.Failure>) {
    state.withLock { state in
      guard !state.isOver, state.end == nil else { return }
      state.waiting = []
      state.end = completion
    }
    drain()
  }

  func request(_ demand: Subscribers.Demand) {
    state.withLock { if !$0.isOver { $0.demand += demand } }
    onRequest(demand)
    drain()
  }

  func cancel() {
    let before = state.withLock { state in
      defer {
        state.down = nil
        state.waiting = []
      }
      return state
    }
    if !before.isOver { onCancel() }
  }

  private enum Gift {
    case value(Down.Input)
    case end(Subscribers.Completion<Down.Failure>)
  }

  private func drain() {
    guard start() else { return }
    while let (gift, down) = next() {
      switch gift {
      case .value(let value):
        let more = down.receive(value)
        state.withLock { if !$0.isOver { $0.demand += more } }
      case .end(let completion): down.receive(completion: completion)
      }
    }
  }

  private func start() -> Bool {
    state.withLock { state in
      guard !state.isGiving else { return false }
      state.isGiving = true
      return true
    }
  }

  private func next() -> (Gift, Down)? {
    state.withLock { state in
      guard let down = state.down else {
        state.isGiving = false
        return nil
      }
      if !state.waiting.isEmpty {
        guard state.demand > .none else {
          state.isGiving = false
          return nil
        }
        state.demand -= 1
        return (.value(state.waiting.removeFirst()), down)
      }
      guard let end = state.end else {
        state.isGiving = false
        return nil
      }
      state.down = nil
      return (.end(end), down)
    }
  }
}

/// A subscriber made of closures, for operators with several upstream publishers.
final class Inlet<Input, Failure: Error>: Subscriber {
  private struct State {
    var subscription: (any Subscription)?
    var isOver = false
    /// Demand requested before the subscription arrived.
    var early = Subscribers.Demand.none
  }

  private let state = Guarded(State())
  private let onValue: (Input) -> Subscribers.Demand
  private let onEnd: (Subscribers.Completion<Failure>) -> Void

  init(
    demand: Subscribers.Demand = .none, onValue: @escaping (Input) -> Subscribers.Demand,
    onEnd: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.onValue = onValue
    self.onEnd = onEnd
    state.withLock { $0.early = demand }
  }

  func receive(subscription: any Subscription) {
    let early = state.withLock { state -> Subscribers.Demand? in
      guard !state.isOver, state.subscription == nil else { return nil }
      state.subscription = subscription
      return state.early
    }
    guard let early else { return subscription.cancel() }
    if early > .none { subscription.request(early) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    state.withLock { $0.isOver } ? .none : onValue(input)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let wasOver = state.withLock { state in
      defer {
        state.isOver = true
        state.subscription = nil
      }
      return state.isOver
    }
    if !wasOver { onEnd(completion) }
  }

  func request(_ demand: Subscribers.Demand) {
    let subscription = state.withLock { state -> (any Subscription)? in
      if state.subscription == nil { state.early += demand }
      return state.subscription
    }
    subscription?.request(demand)
  }

  func cancel() {
    let subscription = state.withLock { state in
      state.isOver = true
      defer { state.subscription = nil }
      return state.subscription
    }
    subscription?.cancel()
  }
}
