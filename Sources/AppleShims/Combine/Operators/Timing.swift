import NearbyConcurrency

extension Publishers {
  /// What the operators make that move values in time. Apple has a type for each; code that names none of them
  /// compiles the same.
  public struct Timed<Output, Failure: Error>: Publisher {
    let start: (AnySubscriber<Output, Failure>) -> Void
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      start(AnySubscriber(subscriber))
    }
  }
}

/// The value that waits in `debounce` or `throttle`, and the turns of waiting.
private struct Pending<Value> {
  var value: Value?
  var turn = 0
  var isWaiting = false
}

extension Publisher {
  /// Hands everything over to a scheduler; demand goes up as it comes.
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Timed<Output, Failure> {
    timed { scheduler.schedule(options: options, $0) }
  }

  /// Everything later by a time.
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Timed<Output, Failure> {
    timed { body in
      scheduler.schedule(
        after: scheduler.now.advanced(by: interval), tolerance: tolerance ?? scheduler.minimumTolerance,
        options: options, body)
    }
  }

  private func timed(_ later: @escaping (@escaping () -> Void) -> Void) -> Publishers.Timed<Output, Failure> {
    Publishers.Timed { down in receive(subscriber: Courier(down, later)) }
  }

  /// Subscribes, asks and calls off on a scheduler.
  public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Timed<Output, Failure> {
    Publishers.Timed { down in
      scheduler.schedule(options: options) { receive(subscriber: down) }
    }
  }

  /// An operator that takes everything from above and decides when to give it.
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

  /// A value once nothing newer has come for a time.
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
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

  /// The first or the newest value in each span of time. What comes after a pause comes at once.
  public func throttle<S: Scheduler>(
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

  /// Ends, or fails, where nothing comes for a time.
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

/// Hands values and the end over to a scheduler, in order. Demand and cancellation go up at once.
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
