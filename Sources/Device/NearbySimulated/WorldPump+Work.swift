import NearbyDevice
import NearbyDeviceMachine
import Synchronization

/// What a step of the world left to do.
struct WorkLeft: Sendable {
  private var deliveries: ArraySlice<PendingAction> = []
  private var blocks: ArraySlice<ScheduledBlock> = []

  var isEmpty: Bool { deliveries.isEmpty && blocks.isEmpty }

  mutating func set(_ step: WorldState.Step) {
    switch step {
    case .deliver(let new): (deliveries, blocks) = (new[...], [])
    case .perform(let new): (deliveries, blocks) = ([], new[...])
    case .finished: (deliveries, blocks) = ([], [])
    }
  }

  enum Work: Sendable {
    case delivery(PendingAction)
    case block(ScheduledBlock)
  }

  mutating func popFirst() -> Work? {
    deliveries.popFirst().map { .delivery($0) } ?? blocks.popFirst().map { .block($0) }
  }
}

extension WorldPump: WorldEngine {
  package var nextEventTime: Duration? { state.withLock { $0.nextEventTime } }

  package func step(until end: Duration) -> Bool {
    let step = state.withLock { $0.step(until: end) }
    return left.withLock { left in
      left.set(step)
      return !left.isEmpty
    }
  }

  package func takeWork() -> WorldWork? {
    while let work = left.withLock({ $0.popFirst() }) {
      if let work = self.work(for: work) { return work }
    }
    return nil
  }

  package func device(_ index: Int) -> NearbyDevice? { handle(index) }

  private func work(for work: WorkLeft.Work) -> WorldWork? {
    switch work {
    case .delivery(let pending): delivery(pending)
    case .block(let block): self.work(for: block)
    }
  }

  func work(for block: ScheduledBlock) -> WorldWork {
    let device = block.device.map(handle)
    return WorldWork(device: block.device) { NearbyDevice.$current.withValue(device, operation: block.body) }
  }

  func delivery(_ pending: PendingAction) -> WorldWork? {
    // Most deliveries are a session's. The sink sets the current device itself when it calls its app; setting it here
    // too would double the cost of each round.
    if case .deliver(let id, let event) = pending.action {
      guard let sink = state.withLock({ $0.devices[pending.device].sinks.sink(of: id) }) else { return nil }
      return WorldWork(device: pending.device) { sink.received(event, peer: pending.peer) }
    }
    guard let delivery = state.withLock({ $0.delivery(for: pending) }) else { return nil }
    return work(for: ScheduledBlock(device: pending.device, body: delivery.perform))
  }
}
