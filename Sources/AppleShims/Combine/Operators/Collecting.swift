import NearbyConcurrency

extension Publishers {
  /// When `collect` emits the values collected so far.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// At a fixed interval.
    case byTime(Context, Context.SchedulerTimeType.Stride)
    /// At a fixed interval, or as soon as the given number of values is collected.
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

  /// When `buffer` requests values from upstream.
  public enum PrefetchStrategy: Sendable {
    /// Keep the buffer full.
    case keepFull
    /// Request values only on demand.
    case byRequest
  }

  /// What `buffer` does with a value when it is full.
  public enum BufferingStrategy<Failure: Error> {
    /// Drop the new value.
    case dropNewest
    /// Drop the oldest value.
    case dropOldest
    /// Fail with an error.
    case customError(() -> Failure)
  }
}

/// The values collected since the last emission.
private struct Batch<Value> {
  var values: [Value] = []
  var isOver = false

  mutating func take() -> [Value]? {
    defer { values = [] }
    return values.isEmpty ? nil : values
  }
}

extension Publisher {
  /// Emits values in arrays, one per interval, and the remaining ones on completion.
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

  /// Buffers up to `size` values that the subscriber has not requested yet. The upstream demand is unlimited,
  /// whichever `prefetch` strategy is given.
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

  /// Emits the time between consecutive values, by the scheduler's clock; the first interval starts at the
  /// subscription.
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

  /// Raises `SIGTRAP` when a closure returns true, to stop in a debugger.
  public func breakpoint(
    receiveSubscription: ((any Subscription) -> Bool)? = nil, receiveOutput: ((Output) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.HandleEvents<Self> {
    handleEvents(
      receiveSubscription: { if receiveSubscription?($0) == true { raise(SIGTRAP) } },
      receiveOutput: { if receiveOutput?($0) == true { raise(SIGTRAP) } },
      receiveCompletion: { if receiveCompletion?($0) == true { raise(SIGTRAP) } })
  }
  /// Raises `SIGTRAP` when the publisher fails, to stop in a debugger.
  public func breakpointOnError() -> Publishers.HandleEvents<Self> {
    breakpoint(receiveCompletion: { completion in
      if case .failure = completion { true } else { false }
    })
  }

  /// Emits values until another publisher emits one.
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
  /// Drops values until another publisher emits one.
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
  /// Emits the smallest value on completion.
  public func min() -> Same<Output> { extreme { $1 < $0 } }
  /// Emits the greatest value on completion.
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
