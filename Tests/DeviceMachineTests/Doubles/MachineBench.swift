import NearbyDeviceMachine
import NearbyEstimation
import NearbyUCI
import TestSupport
import Testing

/// Runs a device machine with a scripted chip, and records what the app receives.
struct MachineBench {
  var machine: DeviceMachine
  var chip: ScriptedChip
  private(set) var now = Duration.zero
  /// What the app has received since the last `takeEvents`: the session's number, then the event.
  private(set) var events: [String] = []
  /// The outputs of the device's accessory.
  private(set) var outputs: [AccessoryOutput] = []
  private(set) var questions = 0
  private(set) var stored: [Permission] = []
  /// How often the machine was woken.
  private(set) var wakes = 0
  private var generator = SeededGenerator(seed: 7)
  private var scratch: [DeviceMachine.Action] = []

  init(
    chip: ScriptedChip = ScriptedChip(), permission: Permission = .allowed, isUp: Bool = true,
    hasRadio: Bool = true, usageDescription: String? = "to test", settings: DeviceSettings = .init()
  ) {
    self.chip = chip
    machine = DeviceMachine(
      settings: settings, hasRadio: hasRadio, permission: permission, usageDescription: usageDescription)
    machine.start(at: .zero)
    guard isUp else { return }
    performActions()
    _ = self.chip.takeLog()
  }

  mutating func takeEvents() -> [String] {
    defer { events = [] }
    return events
  }

  // MARK: The app

  mutating func session() -> (id: SessionID, identity: DiscoveryIdentity) {
    machine.makeSession(using: &generator)
  }

  /// The token of a session on another device.
  mutating func peer(_ capabilities: DeviceCapabilities = .preciseDistance) -> DiscoveryIdentity {
    DiscoveryIdentity(capabilities: capabilities, using: &generator)
  }

  /// A session that runs with a peer, unless something prevents it.
  mutating func runningSession() -> (id: SessionID, configuration: PeerConfiguration) {
    let id = session().id
    let configuration = PeerConfiguration(peer: peer())
    handle(.run(id, configuration))
    return (id, configuration)
  }

  mutating func handle(_ command: DeviceMachine.Command) {
    machine.handle(command, at: now)
    performActions()
  }

  // MARK: The chip

  mutating func chipSays(_ octets: [UInt8]) {
    machine.received(octets, at: now)
    performActions()
  }

  /// A round of the newest session, `after` the last event.
  mutating func round(centimetres: UInt16?, after pause: Duration = .milliseconds(150)) {
    pass(pause)
    chipSays(chip.round(chip.newest ?? 0, centimetres: centimetres))
  }

  mutating func linkCloses() {
    machine.linkClosed(at: now)
    performActions()
  }

  // MARK: Time

  /// Advances time, and wakes the machine whenever it asked to be woken.
  mutating func pass(_ duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) {
    let end = now + duration
    while let wake = machine.nextWake, wake <= end {
      now = max(now, wake)
      machine.timePassed(at: now)
      performActions()
      wakes += 1
      if let next = machine.nextWake, next <= now {
        Issue.record("woken at \(now), it asks for \(next)", sourceLocation: sourceLocation)
        return
      }
    }
    now = end
  }

  /// Executes the machine's actions until there are no more.
  private mutating func performActions() {
    while true {
      machine.takeActions(into: &scratch)
      if scratch.isEmpty { return }
      for action in scratch {
        switch action {
        case .transmit(let octets):
          let answer = chip.received(octets)
          if !answer.isEmpty { machine.received(answer, at: now) }
        case .deliver(let id, let event): events.append("\(id.index) \(Self.name(event))")
        case .askPermission: questions += 1
        case .storePermission(let permission): stored.append(permission)
        case .deliverCamera(let user, let event): events.append("camera \(user.index) \(event)")
        case .askCameraPermission: questions += 1
        case .storeCameraPermission(let permission): stored.append(permission)
        case .accessory(let output): outputs.append(output)
        case .location: break
        }
      }
    }
  }

  private static func name(_ event: SessionEvent) -> String {
    switch event {
    case .updated(let estimate), .assisted(let estimate, _):
      estimate.distance.map { "at \(($0.distance * 100).rounded() / 100)" } ?? "nowhere"
    case .convergence(let missing, let isOfPeer):
      "\(isOfPeer ? "peer" : "session") lacks \(missing.names.joined(separator: " "))"
    case .removed(.timeout): "timeout"
    case .removed(.peerEnded): "peerEnded"
    case .suspended: "suspended"
    case .suspensionEnded: "suspensionEnded"
    case .startedRunning: "running"
    case .invalidated(let failure): "\(failure)"
    case .shareable(let octets): "shareable \(octets.count)"
    case .sounds(let peer): peer == nil ? "silent" : "sounds"
    case .anchorsHeard(let readings): "heard \(readings.count)"
    }
  }
}
