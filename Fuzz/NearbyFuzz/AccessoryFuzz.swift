import NearbyAccessoryProtocol
import NearbyDeviceMachine
import NearbyUCI

/// Parses octets as an accessory's configuration data. Accepted data must be written as it was read.
func fuzzAccessoryConfiguration(_ octets: [UInt8]) {
  guard let data = try? AccessoryConfigurationData(octets) else { return }
  precondition(octets.starts(with: data.octets), "configuration data is written differently than it was read")
  // A phone must be able to make a session from any data that it could parse.
  guard let target = try? AccessoryTarget(octets: octets) else {
    preconditionFailure("no target can be made of data that was parsed")
  }
  var random = FuzzRandom(state: 5)
  var machine = DeviceMachine(hasRadio: true, permission: .allowed, usageDescription: "to fuzz")
  let id = machine.makeSession(using: &random).id
  machine.start(at: .zero)
  machine.handle(.run(id, PeerConfiguration(accessory: target)), at: .zero)
  machine.handle(.release(id), at: .zero)
}

/// Parses octets as shareable configuration data. Accepted data must be written as it was read.
func fuzzShareableConfiguration(_ octets: [UInt8]) {
  guard let data = try? ShareableConfigurationData(octets) else { return }
  precondition(octets.starts(with: data.octets), "shareable data is written differently than it was read")
  let round = UInt64(data.slotsPerRound) * UInt64(data.slotDurationRSTU)
  precondition(round <= UInt64(data.intervalMilliseconds) * 1200, "a round does not fit into its interval")
}

/// Sends octets to an accessory, as messages, time and lost connections. Whatever they are, no session may be
/// left on the chip when the phones are gone, and the next honest phone must be served.
func fuzzAccessoryMachine(_ octets: [UInt8]) {
  if let message = try? AccessoryMessage(octets) {
    precondition(
      (try? AccessoryMessage(message.octets)) == message, "a message changes when it is written and read back"
    )
  }
  var phones = AccessoryFuzzChip()
  phones.up()
  var rest = octets[...]
  while let first = rest.popFirst() {
    let phone = PhoneAtAccessory(number: Int(first) % 3)
    switch first >> 5 {
    case 0: phones.feed { $0.disconnected(phone, at: $1) }
    case 1: phones.speak()
    case 2: phones.now += .milliseconds(Int64(first) * 100)
    case _:
      phones.feed { $0.connected(phone, at: $1) }
      let length = min(Int(first & 31) * 2, rest.count)
      let message = Array(rest.prefix(length))
      rest = rest.dropFirst(length)
      phones.feed { $0.received(message, from: phone, at: $1) }
    }
  }
  phones.end()
}

/// A chip that carries out an accessory's requests and answers one event at a time.
struct AccessoryFuzzChip {
  var machine = AccessoryMachine(settings: AccessorySettings(), address: 0xDA05)
  var now = Duration.zero
  private var sessions: Set<UInt32> = []
  private var pending: [(id: UInt32, event: String)] = []

  mutating func up() { feed { $0.chipReady(nil, at: $1) } }

  mutating func feed(_ body: (inout AccessoryMachine, Duration) -> Void) {
    body(&machine, now)
    for action in machine.takeActions() {
      switch action {
      case .open(let request):
        let isNew = sessions.insert(request.sessionID).inserted
        pending.append((request.sessionID, isNew ? "active" : "failed"))
      case .close(let id):
        sessions.remove(id)
        pending.removeAll { $0.id == id && $0.event != "failed" }
        pending.append((id, "closed"))
      case .send, .serve, .report: break
      }
    }
  }

  mutating func speak() {
    guard !pending.isEmpty else { return }
    let (id, event) = pending.removeFirst()
    switch event {
    case "active": feed { $0.sessionState(id, .active, .byCommand, at: $1) }
    case "failed": feed { $0.sessionFailed(id, at: $1) }
    case _: feed { $0.sessionClosed(id, at: $1) }
    }
  }

  mutating func end() {
    for number in 0..<3 { feed { $0.disconnected(PhoneAtAccessory(number: number), at: $1) } }
    while !pending.isEmpty { speak() }
    precondition(sessions.isEmpty, "sessions are left on the chip: \(sessions)")
    let honest = PhoneAtAccessory(number: 9)
    let data = ShareableConfigurationData(
      version: .v1_0, sessionID: 1, initialVector: [0, 0, 0, 0, 0, 0], phoneAddress: 1)
    feed { $0.connected(honest, at: $1) }
    feed { $0.received([0x0A], from: honest, at: $1) }
    feed { $0.received([0x0B] + data.octets, from: honest, at: $1) }
    precondition(sessions == [1], "the next honest phone was not served")
  }
}
