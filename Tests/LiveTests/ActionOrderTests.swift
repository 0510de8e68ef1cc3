import NearbyBeacons
import NearbyBluetooth
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

  func drain() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

/// Everything that a device delivers to.
private final class LoggingSink: SessionSink, CameraSink, AccessorySink, LocationSink {
  private let log: EffectLog

  init(_ log: EffectLog) { self.log = log }

  func received(_ event: SessionEvent, peer: DiscoveryIdentity?) {
    log.add("session \(event) \(peer.map { "with \($0.capabilities.rawValue)" } ?? "alone")")
  }
  func received(_ event: CameraEvent) { log.add("camera \(event)") }
  func received(_ output: AccessoryOutput) { log.add("accessory \(output)") }
  func received(_ event: LocationEvent) { log.add("location \(event)") }
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

private struct LoggingLocationKeeper: LocationKeeper {
  let log: EffectLog

  func store(_ stored: StoredLocation) { log.add("store regions") }
  func store(_ permission: LocationPermission) { log.add("store location \(permission.authorization)") }
  func ask(_ question: LocationQuestion, _ answer: @escaping @Sendable (LocationAnswer) -> Void) {
    log.add("ask location \(question)")
  }
  func notice(_ text: String) { log.add("notice \(text)") }
}

private struct LoggingBluetooth: BluetoothSide {
  let log: EffectLog

  func makeUser(_ sink: any BluetoothSink, role: BluetoothRole) -> BluetoothUser { BluetoothUser(number: 1) }
  func release(_ user: BluetoothUser) {}
  func perform(_ command: BluetoothCommand, of user: BluetoothUser) { log.add("scan") }
  func update(
    _ attribute: AttributeID, _ value: [UInt8], centrals: [BluetoothPeer]?, of user: BluetoothUser
  ) -> Bool { false }
  func canWrite(to peer: BluetoothPeer, of user: BluetoothUser) -> Bool { false }
  var supportsSounding: Bool { false }
  var currentState: BluetoothState { .poweredOn }
  var currentAuthorization: BluetoothAuthorization { .allowedAlways }
  func peerState(_ peer: BluetoothPeer) -> BluetoothPeerState? { nil }
  func connectedPeers(with services: [BluetoothUUID]) -> [BluetoothPeer] { [] }
}

@Suite("Order of a device machine's actions")
struct ActionOrderTests {
  private static let uuid = BluetoothUUID(UInt16(0x1234))

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
    case .location(.notify(_, let event)): "location \(event)"
    case .location(.scan): "scan"
    case .location(.ask(let question)): "ask location \(question)"
    case .location(.storeRegions): "store regions"
    case .location(.storePermission(let permission)): "store location \(permission.authorization)"
    case .location(.notice(let text)): "notice \(text)"
    }
  }

  /// Each kind of action before and after a delivery of each kind.
  private static func list(
    _ session: SessionID, _ user: CameraUser, _ manager: LocationUser
  ) -> [DeviceMachine.Action] {
    let deliveries: [DeviceMachine.Action] = [
      .deliver(session, .suspended), .deliverCamera(user, .interrupted), .accessory(.serve([1])),
      .location(.notify(manager, .failed(.denied))), .deliver(session, .suspensionEnded),
      .location(.notify(manager, .failed(.locationUnknown))), .accessory(.serve([2])),
      .deliverCamera(user, .interruptionEnded),
    ]
    let requests: [DeviceMachine.Action] = [
      .transmit([0x20, 0x02, 0, 0]), .askPermission, .storePermission(.allowed), .askCameraPermission,
      .storeCameraPermission(.denied), .location(.scan), .location(.ask(.whenInUse)),
      .location(.storeRegions), .location(.storePermission(LocationPermission(.always))),
      .location(.notice("a notice")),
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

  @Test("A beacon is reported to the app in the same turn in which its advertisement arrives", .ownThreads)
  func beacon() async {
    let log = EffectLog()
    let sink = LoggingSink(log)
    let driver = LiveDriver(
      machine: machine(), link: nil, permissions: LoggingPermissions(log: log, name: "ranging"),
      bluetooth: { _ in LoggingBluetooth(log: log) })
    let region = MonitoredRegion(
      identifier: "hall", constraint: BeaconConstraint(uuid: Self.uuid))
    driver.location.perform { machine, _ in machine.permission = LocationPermission(.always) }
    let manager = driver.location.makeUser(sink, role: .manager)
    driver.location.perform { $0.startMonitoring(region, of: manager, at: $1) }
    driver.enqueue { $0.receivedForLocation(.state(.poweredOn), at: $1) }
    await turn(of: driver)
    _ = log.drain()
    let beacon = BeaconIdentity(uuid: Self.uuid, major: 1, minor: 2)
    driver.later {
      driver.feed { $0.receivedForLocation(.sighted(Self.sighting(of: beacon, at: $1)), at: $1) }
      log.add("end of turn")
    }
    await turn(of: driver)
    #expect(log.drain().map { $0.prefix(16) } == ["location entered", "location determi", "end of turn"])
  }

  private static func sighting(of beacon: BeaconIdentity, at time: Duration) -> BluetoothSighting {
    let octets = IBeacon(identity: beacon).manufacturerOctets
    var advertisement = Advertisement()
    advertisement.manufacturerData = [.init(company: IBeacon.company, octets: octets)]
    return BluetoothSighting(
      peer: BluetoothPeer(high: 1, low: 2), advertisement: advertisement, rssi: -60, time: time)
  }

  @Test("A live device executes actions in the order of the list", .ownThreads)
  func live() async {
    let log = EffectLog()
    let sink = LoggingSink(log)
    let driver = LiveDriver(
      machine: machine(), link: LoggingLink(log), permissions: LoggingPermissions(log: log, name: "ranging"),
      cameraPermissions: LoggingPermissions(log: log, name: "camera"),
      bluetooth: { _ in LoggingBluetooth(log: log) },
      location: {
        var setup = LocationSetup.inMemory
        setup.keeper = LoggingLocationKeeper(log: log)
        return setup
      })
    let session = driver.makeSession().id
    driver.attach(sink as any SessionSink, to: session)
    driver.attach(sink as any AccessorySink)
    // A scan that is on, so that `scan` shows.
    driver.location.perform { machine, _ in machine.permission = LocationPermission(.always) }
    let manager = driver.location.makeUser(sink, role: .manager)
    let constraint = BeaconConstraint(uuid: Self.uuid)
    driver.location.perform { $0.startRanging(constraint, of: manager, at: $1) }
    let list = Self.list(session, driver.makeUser(sink), manager)
    driver.post(.run(session, PeerConfiguration(peer: peer)))
    await turn(of: driver)
    _ = log.drain()
    driver.enqueue { machine, _ in machine.actions = list }
    await turn(of: driver)
    #expect(log.drain() == expected(list, peer))
  }

  private func turn(of driver: LiveDriver) async {
    await withCheckedContinuation { continuation in driver.later { continuation.resume() } }
  }

  @Test("A simulated device executes actions in the order of the list")
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
    shell.setLocationAnswer(nil)
    let manager = shell.location.makeUser(sink, role: .manager)
    let list = Self.list(session, shell.makeUser(sink), manager)
    shell.post(.run(session, PeerConfiguration(peer: peer)))
    pump.advance(by: .seconds(1))
    _ = log.drain()
    pump.state.withLock { state in
      state.onExecution = { _, action in log.add(Self.line(action, self.peer)) }
      state.devices[shell.device].machine.actions = list
      state.runUntilIdle(shell.device)
    }
    // Not a moment later: all of it happens at one time.
    pump.advance(by: .zero)
    #expect(log.drain() == expected(list, peer))
  }
}
