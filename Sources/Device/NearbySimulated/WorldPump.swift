import Dispatch
import Foundation
import NearbyAirs
import NearbyDevice
import NearbyDeviceMachine
import NearbySimulator
import NearbyUCI
import NearbyVirtualUWB
import Synchronization

/// Runs a simulated world in virtual time: next event, chips, hosts, estimators, app, in that order.
///
/// Apps' calls come from any thread and take effect at the world's current time. `advance` is called by one
/// thread at a time; apps' code runs on their queues, and time waits for it.
package final class WorldPump: Sendable {
  let state: Mutex<WorldState>
  private let handles = Mutex<[WeakHandle]>([])
  private let lives = Mutex<[Int: AppLife]>([:])
  private let pumping = NSRecursiveLock()
  /// Whether blocks that apps send to the main queue run before time moves on; costs a turn a delegate call.
  private let drainsMainQueue: Bool

  package init(seed: UInt64, world: SimulatedWorld, drainsMainQueue: Bool = true) {
    state = Mutex(WorldState(seed: seed, world: world))
    self.drainsMainQueue = drainsMainQueue
  }

  package var now: Duration { state.withLock { $0.now } }

  // MARK: What is in the world

  /// Adds a device whose body and radio are in the world already.
  package func addDevice(
    name: String, machine: DeviceMachine, chip: VirtualChipConfiguration, radio: Int, body: BodyID,
    answer: Permission?
  ) -> SimulatedShell {
    // Both lists grow inside one lock, or two threads that add devices at once would swap the handles' places.
    let index = state.withLock { state in
      let index = state.addDevice(
        named: name, machine, chip: chip, radio: radio, body: body, answer: answer)
      handles.withLock { $0.append(WeakHandle(name: name)) }
      return index
    }
    return SimulatedShell(world: self, device: index)
  }

  /// Reads or changes the physical world at its current time.
  package func withWorld<Result: Sendable>(
    _ body: @Sendable (inout SimulatedWorld, Duration) throws -> Result
  ) rethrows -> Result {
    try state.withLock { try body(&$0.air.medium.world, $0.now) }
  }

  /// Calls `body` when the world's time comes there, before anything later happens.
  ///
  /// - Parameter device: Whose app's code it is, if anybody's.
  package func schedule(at time: Duration, device: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.schedule(Performance(device: device, body: body), at: time) }
  }

  // MARK: Time

  package func advance(by duration: Duration) { advance(to: now + duration) }

  /// Moves time to `end`, and everything that happens until then along with it.
  package func advance(to end: Duration) {
    pumping.lock()
    defer { pumping.unlock() }
    while true {
      switch state.withLock({ $0.step(until: end) }) {
      case .deliver(let deliveries): deliveries.forEach(deliver)
      case .perform(let performances): performances.forEach(perform)
      case .finished: return
      }
    }
  }

  private func deliver(_ pending: PendingAction) {
    guard let delivery = state.withLock({ $0.delivery(for: pending) }) else { return }
    switch delivery {
    case .session:
      // The sink makes the device the current one when it calls its app; doing it here too would double the cost
      // of every round.
      if drainsMainQueue {
        MainQueueTurn.take(for: handle(pending.device), delivery.perform)
      } else {
        delivery.perform()
      }
    case .camera, .accessory, .location: perform(Performance(device: pending.device, body: delivery.perform))
    }
  }

  private func perform(_ performance: Performance) {
    let device = performance.device.map(handle)
    let body = { NearbyDevice.$current.withValue(device, operation: performance.body) }
    if drainsMainQueue { MainQueueTurn.take(for: device, body) } else { body() }
  }

  /// The handle that facades have, or a new one where none is left.
  func handle(_ device: Int) -> NearbyDevice {
    handles.withLock { handles in
      if let handle = handles[device].device { return handle }
      let handle = NearbyDevice(
        name: handles[device].name, shell: SimulatedShell(world: self, device: device))
      handles[device].device = handle
      return handle
    }
  }

  func name(of device: Int) -> String { handles.withLock { $0[device].name } }

  /// A handle keeps its pump alive, so that the pump must not keep its handles.
  private struct WeakHandle: Sendable {
    let name: String
    weak var device: NearbyDevice?
  }

  func life(of device: Int) -> AppLife {
    lives.withLock { lives in
      if let life = lives[device] { return life }
      let life = AppLife()
      lives[device] = life
      return life
    }
  }
}
