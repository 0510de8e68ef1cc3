import Dispatch
import NearbyBluetooth
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import NearbySimulator
import Synchronization

/// One device of a simulated world: its sides, and a test's controls of it.
package struct SimulatedShell: DeviceShell {
  package let world: WorldPump
  /// The device's index in the world.
  package let device: Int

  /// The device that facades hold.
  package var handle: NearbyDevice { world.handle(device) }

  package var sessions: any SessionSide { self }
  package var accessory: any AccessorySide { self }
  package var camera: any CameraSide { self }
  package var app: any AppSide { self }
  package var bluetooth: any BluetoothSide { SimulatedBluetooth(world: world, device: device) }
  package var peers: any PeerSide { SimulatedPeers(world: world, device: device) }
  package var accessorySetup: (any AccessorySetupSide)? { SimulatedSetupSide(world: world, device: device) }
}

extension SimulatedShell: SessionSide, AccessorySide {
  package func post(_ command: DeviceMachine.Command) {
    world.state.withLock { $0.post(command, device: device) }
    guard let isInForeground = AppLife.change(by: command) else { return }
    let life = life
    later {
      guard life.set(isInForeground: isInForeground), life.isFollowed else { return }
      handle.perform(on: nil) { life.notifyFollower() }
    }
  }

  package func makeSession() -> (id: SessionID, identity: DiscoveryIdentity) {
    world.state.withLock { $0.makeSession(on: device) }
  }

  package func attach(_ sink: any SessionSink, to session: SessionID) {
    world.state.withLock { $0.devices[device].sinks.set(WeakSink(sink: sink), of: session) }
  }

  package func attach(_ sink: any AccessorySink) {
    let sink = WeakBox<any AccessorySink> { [weak sink] in sink }
    world.state.withLock { $0.accessorySinks[device] = sink }
  }

  package var capabilities: DeviceCapabilities {
    world.state.withLock { $0.devices[device].machine.capabilities }
  }

  package var permission: Permission { world.state.withLock { $0.devices[device].machine.permission } }
}

extension SimulatedShell: CameraSide {
  package func makeUser(_ sink: any CameraSink) -> CameraUser {
    world.state.withLock { $0.makeCameraUser(sink, device: device) }
  }

  package func release(_ user: CameraUser) {
    world.state.withLock { $0.releaseCamera(user, device: device) }
  }

  package func frame(of user: CameraUser) -> CameraFrame? {
    world.state.withLock { $0.cameraFrame(of: user, device: device) }
  }
}

extension SimulatedShell: AppSide {
  package var now: Duration { world.now }
  package var isVirtual: Bool { true }
  package var life: AppLife { world.life(of: device) }

  package func later(_ body: @escaping @Sendable () -> Void) {
    later(after: WorldState.commandLatency, body)
  }

  package func later(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    world.state.withLock { $0.schedule(ScheduledBlock(device: device, body: body), at: $0.now + delay) }
  }

  package func perform(on queue: DispatchQueue?, _ body: @escaping @Sendable () -> Void) {
    if let runner = world.runner { return runner.perform(as: device, on: queue, body) }
    QueueTurns.run(on: queue, body)
  }

  package func ask(_ question: PersonQuestion) {
    world.state.withLock { $0.ask(question, device: device) }
  }
}
