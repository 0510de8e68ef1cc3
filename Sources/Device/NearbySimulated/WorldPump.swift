import Dispatch
import Foundation
import NearbyAirs
import NearbyDevice
import NearbyDeviceMachine
import NearbySimulator
import NearbyUCI
import NearbyVirtualUWB
import Synchronization

/// Runs a simulated world in virtual time: the next event, then chips, hosts and estimators, then apps.
///
/// Apps may call from any thread; a call takes effect at the world's current time. `advance` is called by one
/// thread at a time. Apps' code runs on their queues, and time stands still until it returns.
package final class WorldPump: Sendable {
  let state: Mutex<WorldState>
  package let seed: UInt64
  private let handles = Mutex<[WeakHandle]>([])
  private let lives = Mutex<[Int: AppLife]>([:])
  private let pumping = NSRecursiveLock()
  /// What the last step left to do; taken one at a time.
  let left = Mutex(WorkLeft())
  /// Whether blocks that apps send to the main queue run before time moves on, where no runner does that; costs a turn
  /// of that queue per delegate call.
  private let drainsMainQueue: Bool
  /// Runs apps in the world's time; `nil` where their queues follow real time.
  private let appRunner = Mutex<(any AppRunner)?>(nil)

  /// - Parameter drainsMainQueue: For worlds without a runner of apps.
  package init(seed: UInt64, world: SimulatedWorld, drainsMainQueue: Bool = true) {
    state = Mutex(WorldState(seed: seed, world: world))
    self.seed = seed
    self.drainsMainQueue = drainsMainQueue
  }

  package var runner: (any AppRunner)? { appRunner.withLock { $0 } }

  /// Lets a runner run the apps from now on. Call before the first device is added.
  package func use(_ runner: any AppRunner) { appRunner.withLock { $0 = runner } }

  package var now: Duration { state.withLock { $0.now } }

  // MARK: Contents of the world

  /// Adds a device for a body and a radio that are already in the world.
  package func addDevice(
    name: String, machine: DeviceMachine, chip: VirtualChipConfiguration, radio: Int, body: BodyID,
    answer: Permission?
  ) -> SimulatedShell {
    // One lock for both lists: otherwise two threads that add devices at once could swap the handles' indices.
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

  /// Calls `body` at a time of the world, before any later event.
  ///
  /// - Parameter device: The device whose app the code belongs to, if any.
  package func schedule(at time: Duration, device: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.schedule(ScheduledBlock(device: device, body: body), at: time) }
  }

  // MARK: Time

  package func advance(by duration: Duration) { advance(to: now + duration) }

  /// Moves time to `end`, running every event until then.
  package func advance(to end: Duration) {
    if let runner { return runner.advance(to: end) }
    pumping.lock()
    defer { pumping.unlock() }
    while true {
      switch state.withLock({ $0.step(until: end) }) {
      case .deliver(let deliveries): for index in deliveries.indices { deliver(deliveries[index]) }
      case .perform(let blocks): for block in blocks { run(work(for: block)) }
      case .finished: return
      }
    }
  }

  /// Most deliveries are a session's, and their events are large: this one is not copied.
  private func deliver(_ pending: PendingAction) {
    guard case .deliver(let id, let event) = pending.action else {
      if let work = delivery(pending) { run(work) }
      return
    }
    guard let sink = state.withLock({ $0.devices[pending.device].sinks.sink(of: id) }) else { return }
    func receive() { sink.received(event, peer: pending.peer) }
    if drainsMainQueue { MainQueueTurn.run(for: handle(pending.device), receive) } else { receive() }
  }

  private func run(_ work: WorldWork) {
    guard drainsMainQueue else { return work.body() }
    MainQueueTurn.run(for: work.device.map(handle), work.body)
  }

  /// The handle that facades hold, or a new one if all have been released.
  func handle(_ device: Int) -> NearbyDevice {
    handles.withLock { handles in
      if let handle = handles[device].device { return handle }
      let handle = NearbyDevice(
        name: handles[device].name, shell: SimulatedShell(world: self, device: device))
      handles[device].device = handle
      return handle
    }
  }

  package func name(of device: Int) -> String { handles.withLock { $0[device].name } }

  /// Weak because a handle keeps its pump alive.
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
