import Dispatch
import Foundation
import NearbyConcurrency
import NearbySimulator
import NearbyUCI
import NearbyVirtualUWB
import Synchronization

/// Runs a simulated world in virtual time: next event, chips, hosts, estimators, app, in that order.
///
/// Apps' calls come from any thread and take effect at the world's current time. `advance` is called by one
/// thread at a time; apps' code runs on their queues, and time waits for it.
package final class WorldPump: DeviceDriver {
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
  ) -> (handle: NearbyDevice, index: Int) {
    // Both lists grow inside one lock, or two threads that add devices at once would swap the handles' places.
    let index = state.withLock { state in
      let index = state.addDevice(
        named: name, machine, chip: chip, radio: radio, body: body, answer: answer)
      handles.withLock { $0.append(WeakHandle(name: name)) }
      return index
    }
    return (handle(index), index)
  }

  /// Reads or changes the physical world at its current time.
  package func withWorld<Result: Sendable>(
    _ body: @Sendable (inout SimulatedWorld, Duration) throws -> Result
  ) rethrows -> Result {
    try state.withLock { try body(&$0.medium.world, $0.now) }
  }

  /// Sessions that a device's chip has, whatever their state.
  package func chipSessionCount(device: Int) -> Int {
    state.withLock { $0.air.sessionCount(of: $0.devices[device].radio) }
  }

  /// Reads or changes one device's machine; what it then wants done is done with the next command.
  package func withMachine<Result: Sendable>(
    device: Int, _ body: @Sendable (inout DeviceMachine) throws -> Result
  ) rethrows -> Result {
    try state.withLock { try body(&$0.devices[device].machine) }
  }

  /// Ends the app of a device and starts it anew, at once: sessions made after the call are the new app's.
  package func relaunch(device: Int) {
    state.withLock {
      $0.handle(.relaunch, device: device)
      $0.endPeers(of: device)
      $0.endBluetooth(of: device)
    }
    endLocation(of: device)
    // Nothing of the app before is left to be told.
    _ = life(device: device).set(isInForeground: true)
  }

  /// How the user of a device answers from now on; `nil` leaves questions open.
  package func setAnswer(_ answer: Permission?, device: Int) {
    state.withLock { $0.devices[device].answer = answer }
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

  private func deliver(_ delivery: Delivery) {
    guard let sink = state.withLock({ $0.sink(for: delivery) }) else { return }
    func hand() { sink.received(delivery.event, peer: delivery.peer) }
    if drainsMainQueue { MainQueueTurn.take(for: handle(delivery.device), hand) } else { hand() }
  }

  private func perform(_ performance: Performance) {
    let device = performance.device.map(handle)
    let body = { NearbyDevice.$current.withValue(device, operation: performance.body) }
    if drainsMainQueue { MainQueueTurn.take(for: device, body) } else { body() }
  }

  /// The handle that facades have, or a new one where none is left.
  private func handle(_ device: Int) -> NearbyDevice {
    handles.withLock { handles in
      if let handle = handles[device].device { return handle }
      let handle = NearbyDevice(name: handles[device].name, driver: self, index: device)
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

  // MARK: DeviceDriver

  package func makeSession(device: Int) -> (id: SessionID, identity: DiscoveryIdentity) {
    state.withLock { $0.devices[device].makeSession() }
  }

  package func attach(_ sink: any SessionSink, to session: SessionID, device: Int) {
    state.withLock { $0.devices[device].sinks.set(WeakSink(sink: sink), of: session) }
  }

  package func attachAccessory(_ sink: any AccessorySink, device: Int) {
    let sink = WeakBox<any AccessorySink> { [weak sink] in sink }
    state.withLock { $0.accessorySinks[device] = sink }
  }

  package func post(_ command: DeviceMachine.Command, device: Int) {
    state.withLock { $0.post(command, device: device) }
    guard let isInForeground = AppLife.change(by: command) else { return }
    let life = life(device: device)
    later(device: device) { [self] in
      guard life.set(isInForeground: isInForeground) else { return }
      handle(device).perform(on: nil) { life.tell() }
    }
  }

  package func life(device: Int) -> AppLife {
    lives.withLock { lives in
      if let life = lives[device] { return life }
      let life = AppLife()
      lives[device] = life
      return life
    }
  }

  package func later(device: Int, _ body: @escaping @Sendable () -> Void) {
    state.withLock {
      $0.schedule(Performance(device: device, body: body), at: $0.now + WorldState.commandLatency)
    }
  }

  package func later(device: Int, after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.schedule(Performance(device: device, body: body), at: $0.now + delay) }
  }

  package func permission(device: Int) -> Permission {
    state.withLock { $0.devices[device].machine.permission }
  }

  package func makeCameraUser(_ sink: any CameraSink, device: Int) -> CameraUser {
    state.withLock { $0.makeCameraUser(sink, device: device) }
  }

  package func releaseCamera(_ user: CameraUser, device: Int) {
    state.withLock { $0.releaseCamera(user, device: device) }
  }

  package func cameraFrame(of user: CameraUser, device: Int) -> CameraFrame? {
    state.withLock { $0.cameraFrame(of: user, device: device) }
  }

  /// What a device's camera sees from now on.
  package func setCameraSurroundings(
    device: Int, _ change: @Sendable (inout CameraTracker.Surroundings) -> Void
  ) {
    state.withLock { $0.setCameraSurroundings(of: device, change) }
  }

  /// How the user of a device answers when an app asks for the camera; `nil` leaves questions open.
  package func setCameraAnswer(_ answer: Permission?, device: Int) {
    state.withLock { $0.cameras[device, default: SimulatedCamera()].answer = answer }
  }

  package func capabilities(device: Int) -> DeviceCapabilities {
    state.withLock { $0.devices[device].machine.capabilities }
  }

  package var isVirtual: Bool { true }

  package func perform(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
    QueueTurns.run(on: queue, body)
  }
}
