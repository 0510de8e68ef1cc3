import NearbyDeviceMachine
import NearbyUCI

/// Feeds octets to a device as a malicious chip, while a session opens or runs. Requests of the app and time
/// come in between. The first octet selects the phase and the size of the pieces.
func fuzzDevice(_ octets: [UInt8]) {
  guard let first = octets.first else { return }
  var (machine, id, peer) = startedDevices[Int(first & 3)]
  var now = Duration.zero
  var rest = octets.dropFirst()
  while !rest.isEmpty {
    let chunk = rest.prefix(1 + Int(first >> 3))
    machine.received(Array(chunk), at: now)
    rest = rest.dropFirst(chunk.count)
    act(&machine, id, peer, Int(rest.first ?? 0), at: now)
    now += .milliseconds(40)
    passTime(&machine, to: now)
  }
  machine.handle(.release(id), at: now)
  passTime(&machine, to: now + .seconds(400))
  precondition(machine.nextWake == nil, "a device without sessions has a wake-up scheduled")
}

/// Created once for each phase. Every input starts with a copy.
private let startedDevices: [(machine: DeviceMachine, id: SessionID, peer: DiscoveryIdentity)] =
  (0..<4).map { phase in
    var random = FuzzRandom(state: 5)
    var machine = DeviceMachine(hasRadio: true, permission: .allowed, usageDescription: "to fuzz")
    let peer = DiscoveryIdentity(capabilities: .preciseDistance, using: &random)
    let id = machine.makeSession(using: &random).id
    machine.start(at: .zero)
    machine.handle(.run(id, PeerConfiguration(peer: peer)), at: .zero)
    if phase & 1 != 0 { open(&machine, isRunning: phase & 2 != 0) }
    return (machine, id, peer)
  }

private func act(
  _ machine: inout DeviceMachine, _ id: SessionID, _ peer: DiscoveryIdentity, _ choice: Int, at now: Duration
) {
  switch choice >> 4 {
  case 0: machine.handle(.run(id, PeerConfiguration(peer: peer)), at: now)
  case 1: machine.handle(.pause(id), at: now)
  case 2: machine.handle(.enterBackground, at: now)
  case 3: machine.handle(.enterForeground, at: now)
  case 4 where choice == 0x4F: machine.handle(.invalidate(id), at: now)
  default: break
  }
}

/// Wakes the machine as often as it asks. The number of wake-ups must be limited.
private func passTime(_ machine: inout DeviceMachine, to end: Duration) {
  var steps = 0
  while let wake = machine.nextWake, wake <= end {
    machine.timePassed(at: wake)
    steps += 1
    precondition(steps < 10_000, "time does not advance")
  }
  var actions: [DeviceMachine.Action] = []
  machine.takeActions(into: &actions)
}

private func open(_ machine: inout DeviceMachine, isRunning: Bool) {
  let version = UCIVersion(major: 2, minor: 0)
  let token = UCISessionToken(1)
  var said: [UCIMessage] = [
    .response(.deviceReset(.ok)), .notification(.deviceStatus(.ready)),
    .response(.deviceInfo(.ok, UCIDeviceInfo(uci: version, mac: version, phy: version, test: version))),
    .response(.capabilities(.ok, [])),
  ]
  if isRunning {
    said += [
      .response(.sessionInit(.ok, handle: token)),
      .notification(.sessionStatus(token, .initialised, .byCommand)),
      .response(.setAppConfiguration(.ok, [])), .notification(.sessionStatus(token, .idle, .byCommand)),
      .response(.sessionStart(.ok)), .notification(.sessionStatus(token, .active, .byCommand)),
    ]
  }
  for message in said {
    var octets: [UInt8] = []
    message.write(to: &octets, dialect: .v2)
    machine.received(octets, at: .zero)
  }
}
