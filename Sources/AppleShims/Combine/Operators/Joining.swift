import NearbyConcurrency

/// The result type of all operators with several upstream publishers. Apple has a separate type for each
/// operator; code that does not name them compiles unchanged.
extension Publishers {
  /// A publisher that starts a closure for each subscriber; the closure feeds the subscriber's outlet.
  public struct Joined<Output, Failure: Error>: Publisher {
    let start: (Joint<Output, Failure>) -> Void
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      let joint = Joint(AnySubscriber(subscriber))
      subscriber.receive(subscription: joint.outlet)
      start(joint)
    }
  }
}

/// One subscription to an operator with several upstream publishers: the subscriber's outlet and an inlet for
/// each upstream publisher.
final class Joint<Output, Failure: Error> {
  private final class Inlets {
    let all = Guarded<(cancel: [ObjectIdentifier: () -> Void], isOver: Bool)>(([:], false))
    func cancel() {
      let cancels = all.withLock { all in
        defer { all = ([:], true) }
        return all.cancel.values
      }
      cancels.forEach { $0() }
    }
  }

  let outlet: Outlet<AnySubscriber<Output, Failure>>
  private let inlets: Inlets
  /// Called whenever the subscriber requests values.
  private let listener: Guarded<((Subscribers.Demand) -> Void)?>

  init(_ down: AnySubscriber<Output, Failure>) {
    let inlets = Inlets()
    let listener = Guarded<((Subscribers.Demand) -> Void)?>(nil)
    self.inlets = inlets
    self.listener = listener
    outlet = Outlet(down, onRequest: { demand in listener.withLock { $0 }?(demand) }, onCancel: inlets.cancel)
  }

  func attach<P: Publisher>(
    _ publisher: P, demand: Subscribers.Demand = .unlimited,
    onValue: @escaping (P.Output) -> Subscribers.Demand,
    onEnd: @escaping (Subscribers.Completion<P.Failure>) -> Void
  ) -> Inlet<P.Output, P.Failure> {
    let inlet = Inlet(demand: demand, onValue: onValue, onEnd: onEnd)
    let isOver = inlets.all.withLock { all in
      if !all.isOver { all.cancel[ObjectIdentifier(inlet)] = { inlet.cancel() } }
      return all.isOver
    }
    if !isOver { publisher.receive(subscriber: inlet) }
    return inlet
  }

  func detach(_ inlet: AnyObject) { inlets.all.withLock { $0.cancel[ObjectIdentifier(inlet)] = nil } }

  func fail(_ completion: Subscribers.Completion<Failure>) {
    inlets.cancel()
    outlet.fail(completion)
  }

  func finish() { end(.finished) }

  /// Cancels all inlets and completes once the outlet's queue is empty.
  func end(_ completion: Subscribers.Completion<Failure>) {
    inlets.cancel()
    outlet.finish(completion)
  }
}

/// Counts the publishers that have not completed.
private final class Remaining {
  private let count: Guarded<Int>
  init(_ count: Int) { self.count = Guarded(count) }
  func add() { count.withLock { $0 += 1 } }
  /// - Returns: Whether this was the last one.
  func end() -> Bool {
    count.withLock { count in
      count -= 1
      return count == 0
    }
  }
}

extension Publishers.Joined {
  /// Emits the values of all publishers as they arrive; finishes when all have finished.
  static func merge(_ publishers: [AnyPublisher<Output, Failure>]) -> Self {
    Self { joint in
      guard !publishers.isEmpty else { return joint.finish() }
      let remaining = Remaining(publishers.count)
      for publisher in publishers {
        _ = joint.attach(publisher) { value in
          joint.outlet.give(value)
          return .none
        } onEnd: { completion in
          if case .failure = completion { return joint.fail(completion) }
          if remaining.end() { joint.finish() }
        }
      }
    }
  }

  static func combination(
    _ rule: any CombinationRule.Type, _ publishers: [AnyPublisher<Any, Failure>],
    _ make: @escaping ([Any]) -> Output
  ) -> Self { rule.isByPosition ? zip(publishers, make) : latest(publishers, make) }

  /// Once every publisher has emitted, emits the latest value of each whenever one changes.
  static func latest(
    _ publishers: [AnyPublisher<Any, Failure>], _ make: @escaping ([Any]) -> Output
  ) -> Self {
    Self { joint in
      let remaining = Remaining(publishers.count)
      let newest = Guarded([Any?](repeating: nil, count: publishers.count))
      for (index, publisher) in publishers.enumerated() {
        _ = joint.attach(publisher) { value in
          // Emit under the lock, so that combinations are emitted in order.
          newest.withLock { newest in
            newest[index] = .some(value)
            let all = newest.compactMap { $0 }
            if all.count == newest.count { joint.outlet.give(make(all)) }
          }
          return .none
        } onEnd: { completion in
          if case .failure = completion { return joint.fail(completion) }
          if remaining.end() || newest.withLock({ $0[index] == nil }) { joint.finish() }
        }
      }
    }
  }

  /// Emits the first values of all publishers together, then the second ones, and so on; finishes when a
  /// finished publisher has no values left.
  static func zip(_ publishers: [AnyPublisher<Any, Failure>], _ make: @escaping ([Any]) -> Output) -> Self {
    Self { joint in
      let queues = Guarded((waiting: [[Any]](repeating: [], count: publishers.count), ended: Set<Int>()))
      let endIfOver = {
        if queues.withLock({ queues in queues.ended.contains { queues.waiting[$0].isEmpty } }) {
          joint.finish()
        }
      }
      for (index, publisher) in publishers.enumerated() {
        _ = joint.attach(publisher) { value in
          queues.withLock { queues in
            queues.waiting[index].append(value)
            guard queues.waiting.allSatisfy({ !$0.isEmpty }) else { return }
            joint.outlet.give(make(queues.waiting.indices.map { queues.waiting[$0].removeFirst() }))
          }
          endIfOver()
          return .none
        } onEnd: { completion in
          if case .failure = completion { return joint.fail(completion) }
          queues.withLock { _ = $0.ended.insert(index) }
          endIfOver()
        }
      }
    }
  }
}

extension Publisher {
  var untyped: AnyPublisher<Any, Failure> { map { $0 as Any }.eraseToAnyPublisher() }

  /// Restores the type that `untyped` erased.
  static func typed(_ value: Any) -> Output {
    guard let typed = value as? Output else {
      preconditionFailure("a value does not have the publisher's output type")
    }
    return typed
  }

  /// Emits this publisher's values, then those of the other.
  public func append<P: Publisher>(_ other: P) -> Publishers.Concatenate<Self, P>
  where P.Output == Output, P.Failure == Failure { Publishers.Concatenate(prefix: self, suffix: other) }

  func followed<P: Publisher>(by other: P) -> Publishers.Joined<Output, Failure>
  where P.Output == Output, P.Failure == Failure {
    let all = [eraseToAnyPublisher(), other.eraseToAnyPublisher()]
    return Publishers.Joined { joint in
      func start(_ index: Int) {
        _ = joint.attach(all[index]) { value in
          joint.outlet.give(value)
          return .none
        } onEnd: { completion in
          if case .finished = completion, index == 0 { start(1) } else { joint.end(completion) }
        }
      }
      start(0)
    }
  }
  /// Emits this publisher's values, then the given ones.
  public func append(
    _ elements: Output...
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
    append(Publishers.Sequence(sequence: elements))
  }
  /// Emits the other publisher's values, then those of this one.
  public func prepend<P: Publisher>(_ other: P) -> Publishers.Concatenate<P, Self>
  where P.Output == Output, P.Failure == Failure { other.append(self) }
  /// Emits the given values, then this publisher's.
  public func prepend(
    _ elements: Output...
  ) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Turns each value into a publisher and emits the values of at most `maxPublishers` of them at a time.
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  func flatMapped<P: Publisher>(
    maxPublishers: Subscribers.Demand, _ transform: @escaping (Output) -> P
  ) -> Publishers.Joined<P.Output, Failure> where P.Failure == Failure {
    Publishers.Joined { joint in
      // Starts at one for the upstream publisher itself.
      let remaining = Remaining(1)
      let above = Guarded<Inlet<Output, Failure>?>(nil)
      let inlet = joint.attach(self, demand: .none) { value in
        remaining.add()
        let inner = Guarded<AnyObject?>(nil)
        let made = joint.attach(transform(value)) { value in
          joint.outlet.give(value)
          return .none
        } onEnd: { completion in
          if case .failure = completion { return joint.fail(completion) }
          if let inner = inner.withLock({ $0 }) { joint.detach(inner) }
          if remaining.end() { return joint.finish() }
          if maxPublishers != .unlimited { above.withLock { $0 }?.request(.max(1)) }
        }
        inner.withLock { $0 = made }
        return .none
      } onEnd: { completion in
        if case .failure = completion { return joint.fail(completion) }
        if remaining.end() { joint.finish() }
      }
      above.withLock { $0 = inlet }
      inlet.request(maxPublishers)
    }
  }

  /// Continues with another publisher if this one fails.
  public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
  where P.Output == Output { Publishers.Catch(upstream: self, handler: handler) }

  func caught<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Joined<Output, P.Failure>
  where P.Output == Output {
    Publishers.Joined { joint in
      _ = joint.attach(self) { value in
        joint.outlet.give(value)
        return .none
      } onEnd: { completion in
        guard case .failure(let error) = completion else { return joint.finish() }
        _ = joint.attach(handler(error)) { value in
          joint.outlet.give(value)
          return .none
        } onEnd: { completion in
          joint.end(completion)
        }
      }
    }
  }

  /// Resubscribes after a failure, at most `retries` times.
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }

  func retried(_ retries: Int) -> Publishers.Joined<Output, Failure> {
    Publishers.Joined { joint in
      func start(_ left: Int) {
        _ = joint.attach(self) { value in
          joint.outlet.give(value)
          return .none
        } onEnd: { completion in
          if case .failure = completion, left > 0 { start(left - 1) } else { joint.end(completion) }
        }
      }
      start(retries)
    }
  }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Emits the values of the most recently emitted publisher.
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }

  func switchedToLatest() -> Publishers.Joined<Output.Output, Failure> {
    Publishers.Joined { joint in
      let state = Guarded<(inner: Inlet<Output.Output, Failure>?, turn: Int, isOver: Bool)>((nil, 0, false))
      _ = joint.attach(self) { publisher in
        let (old, turn) = state.withLock { state in
          state.turn += 1
          defer { state.inner = nil }
          return (state.inner, state.turn)
        }
        old?.cancel()
        let inner = joint.attach(publisher) { value in
          if state.withLock({ $0.turn == turn }) { joint.outlet.give(value) }
          return .none
        } onEnd: { completion in
          if case .failure = completion { return joint.fail(completion) }
          let isLast = state.withLock { state in
            guard state.turn == turn else { return false }
            state.turn += 1
            state.inner = nil
            return state.isOver
          }
          if isLast { joint.finish() }
        }
        state.withLock { if $0.turn == turn { $0.inner = inner } }
        return .none
      } onEnd: { completion in
        if case .failure = completion { return joint.fail(completion) }
        let isLast = state.withLock { state in
          state.isOver = true
          return state.inner == nil
        }
        if isLast { joint.finish() }
      }
    }
  }
}

extension ConnectablePublisher {
  /// Connects on the first subscription and disconnects when no subscription is left.
  public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}

extension Publishers {
  /// Connects on the first subscription and disconnects when no subscription is left.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    /// The upstream publisher's type of values.
    public typealias Output = Upstream.Output
    /// The upstream publisher's type of errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    private let state = Guarded<(count: Int, connection: (any Cancellable)?)>((0, nil))

    /// Creates a publisher.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      let isCounted = Guarded(true)
      let leave = { [state] in
        guard
          isCounted.withLock({ isCounted in
            defer { isCounted = false }
            return isCounted
          })
        else { return }
        let connection = state.withLock { state -> (any Cancellable)? in
          state.count -= 1
          guard state.count == 0 else { return nil }
          defer { state.connection = nil }
          return state.connection
        }
        connection?.cancel()
      }
      upstream.receive(
        subscriber: OperatorLink<Output, Failure, S>(
          subscriber, onValue: { .value($0) },
          onEnd: { completion in
            leave()
            return (nil, completion)
          }, onCancel: leave))
      let isFirst = state.withLock { state in
        state.count += 1
        return state.count == 1
      }
      if isFirst {
        let connection = upstream.connect()
        state.withLock { $0.connection = connection }
      }
    }
  }

  /// Shares one upstream subscription between all subscribers of a subject.
  public final class Multicast<Upstream: Publisher, S: Subject>: ConnectablePublisher
  where Upstream.Output == S.Output, Upstream.Failure == S.Failure {
    /// The upstream publisher's type of values.
    public typealias Output = Upstream.Output
    /// The upstream publisher's type of errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    private let subject: S

    init(upstream: Upstream, subject: S) {
      self.upstream = upstream
      self.subject = subject
    }
    /// Adds a subscriber.
    public func receive<T>(subscriber: T) where T: Subscriber, Output == T.Input, Failure == T.Failure {
      subject.receive(subscriber: subscriber)
    }
    /// Subscribes the subject to the upstream publisher.
    public func connect() -> any Cancellable { upstream.subscribe(subject) }
  }
}

extension Publishers {
  /// Shares one subscription between all subscribers.
  public final class Share<Upstream: Publisher>: Publisher, Equatable {
    /// The upstream publisher's type of values.
    public typealias Output = Upstream.Output
    /// The upstream publisher's type of errors.
    public typealias Failure = Upstream.Failure
    /// The upstream publisher.
    public let upstream: Upstream
    private let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

    /// Creates a publisher.
    public init(upstream: Upstream) {
      self.upstream = upstream
      shared = upstream.multicast(subject: PassthroughSubject()).autoconnect()
    }
    /// Adds a subscriber.
    public func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
      shared.receive(subscriber: subscriber)
    }
    /// Whether both are the same object.
    public static func == (left: Share, right: Share) -> Bool { left === right }
  }
}

extension Publisher {
  /// Shares one subscription between all subscribers of a subject, once connected.
  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure { Publishers.Multicast(upstream: self, subject: subject) }

  /// Shares one subscription between all subscribers.
  public func share() -> Publishers.Share<Self> { Publishers.Share(upstream: self) }

  /// Shares one subscription between all subscribers, once `connect()` is called.
  public func makeConnectable() -> Publishers.Multicast<Self, PassthroughSubject<Output, Failure>> {
    multicast(subject: PassthroughSubject())
  }
}
