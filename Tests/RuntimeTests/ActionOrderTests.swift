import NearbyConcurrency
import NearbyRadioLinks
import NearbySimulator
import NearbyVirtualUWB
import Synchronization
import TestSupport
import Testing

@testable import NearbyDevice
@testable import NearbyDeviceMachine
@testable import NearbyLive
@testable import NearbySimulated

/// The effects of a list of actions, in the order in which a shell's surroundings saw them.
private final class EffectLog: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

/// Everything that a device delivers to.
private final class LoggingSink: SessionSink, CameraSink, AccessorySink {
  private let log: EffectLog

  init(_ log: EffectLog) { self.log = log }

  func received(_ event: SessionEvent, peer: DiscoveryIdentity?) {
    log.add("session \(event) \(peer.map { "with \($0.capabilities.rawValue)" } ?? "alone")")
  }
  func received(_ event: CameraEvent) { log.add("camera \(event)") }
  func received(_ output: AccessoryOutput) { log.add("accessory \(output)") }
}

/// The surroundings of a live device: a link and the stores of the user's answers.
private final class LoggingLink: UCILink {
  private let log: EffectLog

  init(_ log: EffectLog) { self.log = log }

  func start(
    onReceive: @escaping @Sendable ([UInt8]) -> Void, onClose: @escaping @Sendable (LinkError?) -> Void
  ) {}
  func send(_ octets: [UInt8]) throws(LinkError) { log.add("transmit \(octets)") }
  func pauseReading() {}
  func resumeReading() {}
  func close() {}
}

private struct LoggingPermissions: PermissionKeeper {
  let log: EffectLog
  let name: String

  func ask(_ completion: @escaping @Sendable (Permission) -> Void) { log.add("ask \(name)") }
  func store(_ permission: Permission) { log.add("store \(name) \(permission)") }
}

@Suite("The order of a machine's actions")
struct ActionOrderTests {
  /// The line that an action leaves in the log. Exhaustive, so that a new kind of action comes into this test.
  private static func line(_ action: DeviceMachine.Action, _ peer: DiscoveryIdentity) -> String {
    switch action {
    case .transmit(let octets): "transmit \(octets)"
    case .deliver(_, let event): "session \(event) with \(peer.capabilities.rawValue)"
    case .askPermission: "ask ranging"
    case .storePermission(let permission): "store ranging \(permission)"
    case .deliverCamera(_, let event): "camera \(event)"
    case .askCameraPermission: "ask camera"
    case .storeCameraPermission(let permission): "store camera \(permission)"
    case .accessory(let output): "accessory \(output)"
    }
  }

  /// Each kind of action before and after a delivery of each kind.
  private static func list(_ session: SessionID, _ user: CameraUser) -> [DeviceMachine.Action] {
    let deliveries: [DeviceMachine.Action] = [
      .deliver(session, .suspended), .deliverCamera(user, .interrupted), .accessory(.serve([1])),
      .deliver(session, .suspensionEnded), .accessory(.serve([2])),
      .deliverCamera(user, .interruptionEnded),
    ]
    let requests: [DeviceMachine.Action] = [
      .transmit([0x20, 0x02, 0, 0]), .askPermission, .storePermission(.allowed), .askCameraPermission,
      .storeCameraPermission(.denied),
    ]
    var list: [DeviceMachine.Action] = []
    for (index, request) in (requests + requests).enumerated() {
      list.append(request)
      list.append(deliveries[index % deliveries.count])
      if index.isMultiple(of: 3) { list.append(deliveries[(index + 1) % deliveries.count]) }
    }
    return list
  }

  private func expected(_ list: [DeviceMachine.Action], _ peer: DiscoveryIdentity) -> [String] {
    list.map { Self.line($0, peer) }
  }

  private func machine() -> DeviceMachine {
    DeviceMachine(hasRadio: true, permission: .notDetermined, usageDescription: "Test.")
  }

  private var peer: DiscoveryIdentity {
    var random = SeededGenerator(seed: 5)
    return DiscoveryIdentity(capabilities: .preciseDistance, using: &random)
  }

  @Test("A live device executes the list in its order", .ownThreads)
  func live() async {
    let log = EffectLog()
    let sink = LoggingSink(log)
    let driver = LiveDriver(
      machine: machine(), link: LoggingLink(log), permissions: LoggingPermissions(log: log, name: "ranging"),
      cameraPermissions: LoggingPermissions(log: log, name: "camera"))
    let session = driver.makeSession().id
    driver.attach(sink as any SessionSink, to: session)
    driver.attach(sink as any AccessorySink)
    let list = Self.list(session, driver.makeUser(sink))
    driver.post(.run(session, PeerConfiguration(peer: peer)))
    await turn(of: driver)
    _ = log.take()
    driver.enqueue { machine, _ in machine.actions = list }
    await turn(of: driver)
    #expect(log.take() == expected(list, peer))
  }

  private func turn(of driver: LiveDriver) async {
    await withCheckedContinuation { continuation in driver.later { continuation.resume() } }
  }

  @Test("A simulated device executes the list in its order")
  func simulated() {
    let log = EffectLog()
    let sink = LoggingSink(log)
    let pump = WorldPump(seed: 1, world: SimulatedWorld(seed: 1), drainsMainQueue: false)
    let (body, radio) = pump.withWorld { world, _ in
      let body = world.addBody(.standing([0, 0, 1]))
      return (body, world.addRadio(on: body))
    }
    let shell = pump.addDevice(
      name: "device", machine: machine(), chip: VirtualChipConfiguration(), radio: radio, body: body,
      answer: nil)
    let session = shell.makeSession().id
    shell.attach(sink as any SessionSink, to: session)
    shell.attach(sink as any AccessorySink)
    let list = Self.list(session, shell.makeUser(sink))
    shell.post(.run(session, PeerConfiguration(peer: peer)))
    pump.advance(by: .seconds(1))
    _ = log.take()
    pump.state.withLock { state in
      state.onExecution = { _, action in log.add(Self.line(action, self.peer)) }
      state.devices[shell.device].machine.actions = list
      state.settle(shell.device)
    }
    // Not a moment later: all of it happens at one time.
    pump.advance(by: .zero)
    #expect(log.take() == expected(list, peer))
  }
}
