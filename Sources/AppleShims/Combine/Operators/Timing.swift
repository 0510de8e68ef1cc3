import NearbyConcurrency

extension Publishers {
  /// The result type of the operators that move values to another time or thread. Apple has a separate type
  /// for each operator; code that does not name them compiles unchanged.
  public struct Timed<Output, Failure: Error>: Publisher {
    let start: (AnySubscriber<Output, Failure>) -> Void
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      start(AnySubscriber(subscriber))
    }
  }
}

/// The value that `debounce` or `throttle` holds back. `turn` counts values, so that an outdated timer is
/// recognized.
private struct Pending<Value> {
  var value: Value?
  var turn = 0
  var isWaiting = false
}

extension Publisher {
  /// Delivers values and the completion on a scheduler; demand passes upstream directly.
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, S> {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }

  func received<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions?
  ) -> Publishers.Timed<Output, Failure> {
    timed { scheduler.schedule(options: options, $0) }
  }

  /// Delays values and the completion by an interval.
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance,
      scheduler: scheduler, options: options)
  }

  func delayed<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride, scheduler: S,
    options: S.SchedulerOptions?
  ) -> Publishers.Timed<Output, Failure> {
    timed { body in
      scheduler.schedule(
        after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, body)
    }
  }

  private func timed(_ later: @escaping (@escaping () -> Void) -> Void) -> Publishers.Timed<Output, Failure> {
    Publishers.Timed { down in receive(subscriber: Courier(down, later)) }
  }

  /// Subscribes, requests values and cancels on a scheduler; values and the completion pass downstream
  /// directly.
  public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, S> {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }

  func subscribed<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions?
  ) -> Publishers.Timed<Output, Failure> {
    Publishers.Timed { down in
      let upstream = UpstreamCourier(down) { scheduler.schedule(options: options, $0) }
      scheduler.schedule(options: options) { receive(subscriber: upstream) }
    }
  }

  /// Creates an operator with unlimited demand that decides itself when to emit a value.
  private func held(
    _ onValue: @escaping (Output, Outlet<AnySubscriber<Output, Failure>>, Guarded<Pending<Output>>) -> Void,
    onEnd: @escaping (Outlet<AnySubscriber<Output, Failure>>, Guarded<Pending<Output>>) -> Void
  ) -> Publishers.Joined<Output, Failure> {
    Publishers.Joined { joint in
      let pending = Guarded(Pending<Output>())
      _ = joint.attach(self) { value in
        onValue(value, joint.outlet, pending)
        return .none
      } onEnd: { completion in
        if case .failure = completion { return joint.fail(completion) }
        onEnd(joint.outlet, pending)
        joint.finish()
      }
    }
  }

  /// Emits a value once no newer one has arrived for `dueTime`; a value still held back on completion is
  /// dropped.
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }

  func debounced<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions?
  ) -> Publishers.Joined<Output, Failure> {
    held { value, outlet, pending in
      let turn = pending.withLock { pending in
        pending.value = value
        pending.turn += 1
        return pending.turn
      }
      scheduler.schedule(
        after: scheduler.now.advanced(by: dueTime), tolerance: scheduler.minimumTolerance, options: options
      ) {
        let due = pending.withLock { pending -> Output? in
          guard pending.turn == turn else { return nil }
          defer { pending.value = nil }
          return pending.value
        }
        if let due { outlet.give(due) }
      }
    } onEnd: { _, _ in
    }
  }

  /// Emits the first or the latest value of each interval. A value after an idle interval is emitted
  /// immediately.
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }

  func throttled<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Joined<Output, Failure> {
    let end: @Sendable (Outlet<AnySubscriber<Output, Failure>>, Guarded<Pending<Output>>) -> Void = {
      outlet, pending in
      if let value = pending.withLock({ $0.value }) { outlet.give(value) }
    }
    return held(
      { value, outlet, pending in
        let isFirst = pending.withLock { pending in
          if pending.isWaiting {
            if latest || pending.value == nil { pending.value = value }
            return false
          }
          pending.isWaiting = true
          return true
        }
        guard isFirst else { return }
        outlet.give(value)
        func wait() {
          scheduler.schedule(after: scheduler.now.advanced(by: interval)) {
            let due = pending.withLock { pending -> Output? in
              defer { pending.value = nil }
              pending.isWaiting = pending.value != nil
              return pending.value
            }
            guard let due else { return }
            outlet.give(due)
            wait()
          }
        }
        wait()
      }, onEnd: end)
  }

  /// Finishes, or fails with `customError`, if no value arrives for an interval.
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Joined<Output, Failure> {
    Publishers.Joined { joint in
      let turn = Guarded(0)
      func wait() {
        let mine = turn.withLock { turn in
          turn += 1
          return turn
        }
        scheduler.schedule(
          after: scheduler.now.advanced(by: interval), tolerance: scheduler.minimumTolerance, options: options
        ) {
          guard turn.withLock({ $0 }) == mine else { return }
          if let error = customError?() { return joint.fail(.failure(error)) }
          joint.finish()
        }
      }
      wait()
      _ = joint.attach(self) { value in
        wait()
        joint.outlet.give(value)
        return .none
      } onEnd: { completion in
        turn.withLock { $0 += 1 }
        if case .failure = completion { return joint.fail(completion) }
        joint.finish()
      }
    }
  }
}

/// Forwards values and the completion by way of a scheduler, in order. Demand and cancellation pass upstream
/// directly.
private final class Courier<Down: Subscriber>: Subscriber, Subscription {
  typealias Input = Down.Input
  typealias Failure = Down.Failure
  private struct State {
    var upstream: (any Subscription)?
    var isOver = false
  }

  private let down: Down
  private let later: (@escaping () -> Void) -> Void
  private let state = Guarded(State())

  init(_ down: Down, _ later: @escaping (@escaping () -> Void) -> Void) {
    self.down = down
    self.later = later
  }

  func receive(subscription: any Subscription) {
    state.withLock { $0.upstream = subscription }
    down.receive(subscription: self)
  }

  func receive(_ input: Down.Input) -> Subscribers.Demand {
    guard isRunning else { return .none }
    later { [self] in
      guard isRunning else { return }
      let more = down.receive(input)
      if more > .none { state.withLock { $0.upstream }?.request(more) }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Down.Failure>) {
    guard isRunning else { return }
    later { [self] in
      let wasOver = state.withLock { state in
        defer { state = State(upstream: nil, isOver: true) }
        return state.isOver
      }
      if !wasOver { down.receive(completion: completion) }
    }
  }

  func request(_ demand: Subscribers.Demand) { state.withLock { $0.upstream }?.request(demand) }

  func cancel() {
    let upstream = state.withLock { state in
      defer { state = State(upstream: nil, isOver: true) }
      return state.upstream
    }
    upstream?.cancel()
  }

  private var isRunning: Bool { state.withLock { !$0.isOver } }
}

/// Forwards demand and cancellation by way of a scheduler, in order. Values and the completion pass downstream
/// directly.
private final class UpstreamCourier<Down: Subscriber>: Subscriber, Subscription {
  private struct State {
    var upstream: (any Subscription)?
    /// `nil` after the completion or cancellation.
    var down: Down?
  }

  private let later: (@escaping () -> Void) -> Void
  private let state: Guarded<State>

  init(_ down: Down, _ later: @escaping (@escaping () -> Void) -> Void) {
    self.later = later
    state = Guarded(unchecked: State(down: down))
  }

  func receive(subscription: any Subscription) {
    let down = state.withLock { state -> Down? in
      guard state.upstream == nil, state.down != nil else { return nil }
      state.upstream = subscription
      return state.down
    }
    guard let down else { return subscription.cancel() }
    down.receive(subscription: self)
  }

  func receive(_ input: Down.Input) -> Subscribers.Demand {
    state.withLock { $0.down }?.receive(input) ?? .none
  }

  func receive(completion: Subscribers.Completion<Down.Failure>) {
    finish().down?.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    later { [self] in state.withLock { $0.upstream }?.request(demand) }
  }

  func cancel() {
    guard let upstream = finish().upstream else { return }
    later { upstream.cancel() }
  }

  /// Clears the state and returns the previous one.
  private func finish() -> State {
    state.withLock { state in
      defer { state = State() }
      return state
    }
  }
}
