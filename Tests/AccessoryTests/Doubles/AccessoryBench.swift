import NearbyAccessoryProtocol
import NearbyDeviceMachine
import NearbyUCI
import TestSupport

/// Runs an accessory's machine with a simulated chip that accepts its requests, and records the machine's
/// output.
struct AccessoryBench {
  /// Events of the chip.
  enum ChipEvent: Equatable {
    case state(UInt32, UCISessionState, UCIReason)
    case failed(UInt32)
    case closed(UInt32)
  }

  static let address: UInt16 = 0xDA05
  var machine: AccessoryMachine
  private(set) var now = Duration.zero
  /// The sessions on the chip, open or opening.
  private(set) var onChip: Set<UInt32> = []
  /// The chip's events that have not been delivered yet, in order.
  private(set) var pending: [ChipEvent] = []
  private(set) var sent: [(phone: PhoneAtAccessory, message: AccessoryMessage)] = []
  private(set) var events: [AccessoryEvent] = []
  private(set) var requests: [UCISessionRequest] = []
  private(set) var served: [[UInt8]] = []
  /// Violated rules, as text.
  private(set) var faults: [String] = []
  /// Whether the chip answers immediately.
  var isPrompt = true
  /// Whether the chip rejects every session.
  var refusesSessions = false

  init(_ settings: AccessorySettings = AccessorySettings(), isUp: Bool = true) {
    machine = AccessoryMachine(settings: settings, address: Self.address)
    if isUp { chipUp() }
    takeAll()
  }

  static let phones = (1...3).map(PhoneAtAccessory.init(number:))

  static func shareable(
    _ id: UInt32 = 0x5108, _ change: (inout ShareableConfigurationData) -> Void = { _ in }
  )
    -> [UInt8]
  {
    var data = ShareableConfigurationData(
      version: .v1_1, sessionID: id, initialVector: [1, 2, 3, 4, 5, 6], phoneAddress: 0x7570)
    change(&data)
    return data.octets
  }

  mutating func takeAll() {
    sent = []
    events = []
    requests = []
    served = []
  }

  var refusals: [AccessoryRefusal] {
    events.compactMap { if case .refused(_, let refusal) = $0 { refusal } else { nil } }
  }
  var messages: [AccessoryMessage] { sent.map(\.message) }

  // MARK: Doing

  mutating func connect(_ phone: PhoneAtAccessory) { feed { $0.connected(phone, at: $1) } }
  mutating func disconnect(_ phone: PhoneAtAccessory) { feed { $0.disconnected(phone, at: $1) } }
  mutating func say(_ message: AccessoryMessage, _ phone: PhoneAtAccessory) { say(message.octets, phone) }
  mutating func say(_ octets: [UInt8], _ phone: PhoneAtAccessory) {
    feed { $0.received(octets, from: phone, at: $1) }
  }
  mutating func chipUp() {
    let capabilities = UCICapabilities(tlvs: [], dialect: .v2)
    feed { $0.chipReady(capabilities, at: $1) }
  }
  mutating func chipRecovers() {
    onChip = []
    pending = []
    feed { machine, _ in machine.chipRecovering() }
  }
  mutating func chipDies() {
    onChip = []
    pending = []
    feed { $0.chipGone(at: $1) }
  }
  mutating func round(_ id: UInt32, centimetres: UInt16 = 300, of address: UInt16 = 0x7570) {
    let measurement = UCITwoWayMeasurement(
      address: .short(address), status: .ok, distanceCentimetres: centimetres)
    feed { $0.measured(id, [measurement], at: $1) }
  }

  /// Advances time, and wakes the machine whenever it asked to be woken.
  mutating func pass(_ duration: Duration) {
    let end = now + duration
    while let wake = machine.nextWake, wake <= end {
      now = max(now, wake)
      feed { $0.timePassed(at: $1) }
      if machine.nextWake == wake { return faults.append("a wake-up had no effect") }
    }
    now = end
  }

  /// Delivers the chip's next event.
  mutating func chipSpeaks() {
    guard !pending.isEmpty else { return }
    switch pending.removeFirst() {
    case .state(let id, let state, let reason): feed { $0.sessionState(id, state, reason, at: $1) }
    case .failed(let id): feed { $0.sessionFailed(id, at: $1) }
    case .closed(let id): feed { $0.sessionClosed(id, at: $1) }
    }
  }

  /// Lets the chip end a session on its own.
  mutating func chipStops(_ id: UInt32, _ reason: UCIReason) {
    pending.append(.state(id, .idle, reason))
    performActions()
  }

  private mutating func feed(_ body: (inout AccessoryMachine, Duration) -> Void) {
    body(&machine, now)
    performActions()
  }

  private mutating func performActions() {
    for action in machine.takeActions() {
      switch action {
      case .send(let octets, let phone):
        guard let message = try? AccessoryMessage(octets) else { return faults.append("invalid message") }
        sent.append((phone, message))
      case .serve(let octets): served.append(octets)
      case .report(let event): events.append(event)
      case .open(let request): open(request)
      case .close(let id): close(id)
      }
    }
    while isPrompt, !pending.isEmpty { chipSpeaks() }
  }

  private mutating func open(_ request: UCISessionRequest) {
    requests.append(request)
    let id = request.sessionID
    guard !refusesSessions else { return pending.append(.failed(id)) }
    guard onChip.insert(id).inserted else { return pending.append(.failed(id)) }
    pending += [
      .state(id, .initialised, .byCommand), .state(id, .idle, .byCommand), .state(id, .active, .byCommand),
    ]
  }

  /// Drops the remaining events of a closed session, as the host does.
  private mutating func close(_ id: UInt32) {
    pending.removeAll {
      switch $0 {
      case .state(id, _, _): true
      case .state, .failed, .closed: false
      }
    }
    onChip.remove(id)
    pending.append(.closed(id))
  }
}
