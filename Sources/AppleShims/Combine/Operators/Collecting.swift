import NearbyConcurrency

extension Publishers {
  /// When `collect` gives what it has.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// After each span of time.
    case byTime(Context, Context.SchedulerTimeType.Stride)
    /// After each span of time, or sooner once there are so many.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)

    fileprivate var context: Context {
      switch self {
      case .byTime(let context, _), .byTimeOrCount(let context, _, _): context
      }
    }
    fileprivate var span: Context.SchedulerTimeType.Stride {
      switch self {
      case .byTime(_, let span), .byTimeOrCount(_, let span, _): span
      }
    }
    fileprivate var count: Int {
      switch self {
      case .byTime: .max
      case .byTimeOrCount(_, _, let count): max(1, count)
      }
    }
  }

  /// Who asks for what `buffer` keeps.
  public enum PrefetchStrategy: Sendable {
    /// All that fits is asked for at once.
    case keepFull
    /// Only what the subscriber asks for.
    case byRequest
  }

  /// What becomes of a value that `buffer` has no room for.
  public enum BufferingStrategy<Failure: Error> {
    /// It is given up.
    case dropNewest
    /// The oldest is given up for it.
    case dropOldest
    /// The publisher fails.
    case customError(() -> Failure)
  }
}

/// A span of time in which values are collected.
private struct Batch<Value> {
  var values: [Value] = []
  var isOver = false

  mutating func take() -> [Value]? {
    defer { values = [] }
    return values.isEmpty ? nil : values
  }
}

extension Publisher {
  /// Values as arrays, those of a span of time each; the rest at the end.
  public func collect<S: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
  ) -> Publishers.Joined<[Output], Failure> {
    Publishers.Joined { joint in
      let batch = Guarded(Batch<Output>())
      let scheduler = strategy.context
      func wait() {
        scheduler.schedule(
          after: scheduler.now.advanced(by: strategy.span), tolerance: scheduler.minimumTolerance,
          options: options
        ) {
          guard !batch.withLock({ $0.isOver }), !joint.outlet.isOver else { return }
          if let values = batch.withLock({ $0.take() }) { joint.outlet.give(values) }
          wait()
        }
      }
      wait()
      _ = joint.attach(self) { value in
        let full = batch.withLock { batch -> [Output]? in
          batch.values.append(value)
          return batch.values.count >= strategy.count ? batch.take() : nil
        }
        if let full { joint.outlet.give(full) }
        return .none
      } onEnd: { completion in
        let rest = batch.withLock { batch -> [Output]? in
          batch.isOver = true
          return batch.take()
        }
        if case .failure = completion { return joint.fail(completion) }
        if let rest { joint.outlet.give(rest) }
        joint.finish()
      }
    }
  }

  /// Keeps so many values for a subscriber who has not asked for them yet. Everything is asked of the publisher above,
  /// whatever the strategy: the values wait here.
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy,
    whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Joined<Output, Failure> {
    Publishers.Joined { joint in
      _ = joint.attach(self) { value in
        guard joint.outlet.waitingCount >= size, !joint.outlet.hasDemand else {
          joint.outlet.give(value)
          return .none
        }
        switch whenFull {
        case .dropNewest: break
        case .dropOldest: joint.outlet.replaceOldest(with: value)
        case .customError(let error): joint.fail(.failure(error()))
        }
        return .none
      } onEnd: {
        joint.end($0)
      }
    }
  }

  /// The time between a value and the one before, by a scheduler's clock; the first counts from the subscription.
  public func measureInterval<S: Scheduler>(
    using scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Joined<S.SchedulerTimeType.Stride, Failure> {
    Publishers.Joined { joint in
      let last = Guarded(unchecked: scheduler.now)
      _ = joint.attach(self) { _ in
        let now = scheduler.now
        joint.outlet.give(
          last.withLock { last in
            defer { last = now }
            return last.distance(to: now)
          })
        return .none
      } onEnd: {
        joint.end($0)
      }
    }
  }

  /// Stops in a debugger where a closure says so.
  public func breakpoint(
    receiveSubscription: ((any Subscription) -> Bool)? = nil, receiveOutput: ((Output) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.HandleEvents<Self> {
    handleEvents(
      receiveSubscription: { if receiveSubscription?($0) == true { raise(SIGTRAP) } },
      receiveOutput: { if receiveOutput?($0) == true { raise(SIGTRAP) } },
      receiveCompletion: { if receiveCompletion?($0) == true { raise(SIGTRAP) } })
  }
  /// Stops in a debugger where the publisher fails.
  public func breakpointOnError() -> Publishers.HandleEvents<Self> {
    breakpoint(receiveCompletion: { completion in
      if case .failure = completion { true } else { false }
    })
  }

  /// Values until another publisher gives one, or ends.
  public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.Joined<Output, Failure> {
    Publishers.Joined { joint in
      _ = joint.attach(publisher) { _ in
        joint.finish()
        return .none
      } onEnd: { _ in
      }
      _ = joint.attach(self) { value in
        joint.outlet.give(value)
        return .none
      } onEnd: {
        joint.end($0)
      }
    }
  }
  /// Leaves out what comes before another publisher gives something.
  public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.Joined<Output, Failure>
  where P.Failure == Failure {
    Publishers.Joined { joint in
      let isOpen = Guarded(false)
      _ = joint.attach(publisher, demand: .max(1)) { _ in
        isOpen.withLock { $0 = true }
        return .none
      } onEnd: { completion in
        if case .failure = completion { joint.fail(completion) }
      }
      _ = joint.attach(self) { value in
        if isOpen.withLock({ $0 }) { joint.outlet.give(value) }
        return .none
      } onEnd: {
        joint.end($0)
      }
    }
  }
}

extension Publisher where Output: Comparable {
  /// The smallest value, at the end.
  public func min() -> Same<Output> { extreme { $1 < $0 } }
  /// The greatest value, at the end.
  public func max() -> Same<Output> { extreme { $1 >= $0 } }

  private func extreme(_ isBetter: @escaping (Output, Output) -> Bool) -> Same<Output> {
    same(
      nil as Output?,
      { best, value in
        if best.map({ isBetter($0, value) }) ?? true { best = value }
        return .skip
      }, end: { $0 })
  }
}
