import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB

/// A medium whose results never change, so that the benchmark measures only the air's own work.
struct SteadyMedium: RadioMedium {
  mutating func cell(of radio: RadioID, at time: Duration) -> RadioCell { RadioCell(column: 0, row: 0) }

  mutating func receivedPower(
    from: RadioID, to: RadioID, channel: UInt8, at time: Duration
  ) -> Double? { -70 }

  mutating func exchange(_ plan: ExchangePlan) -> ExchangeOutcome {
    let angle = AngleReading(azimuth: 0.5, elevation: -0.2, azimuthSigma: 0.05, elevationSigma: 0.05)
    let view = ReceiverView(rssiDBm: -70, looksNonLineOfSight: false, angle: angle)
    return ExchangeOutcome(
      received: [.control, .poll, .response, .final, .report], distance: 3.21, sigma: 0.03,
      atInitiator: view, atResponder: view)
  }

  mutating func deliver(from: RadioID, to: RadioID, channel: UInt8, at time: Duration) -> Bool { true }
}

/// Two chips that range at 5 Hz, and their hosts. Nothing runs above the hosts.
struct ChipPair {
  static let interval = Duration.milliseconds(200)

  private(set) var air = VirtualAir(seed: 9)
  private var medium = SteadyMedium()
  private(set) var hosts = [UCIHost(), UCIHost()]
  private(set) var now = Duration.zero
  private var actions: [VirtualAir.Action] = []
  private var packet: [UInt8] = []

  init() {
    for _ in hosts { _ = air.addChip(VirtualChipConfiguration(), at: .zero) }
    for index in hosts.indices { perform(index, hosts[index].start(at: .zero)) }
    exchangePackets()
    for index in hosts.indices {
      perform(index, hosts[index].openSession(Self.request(isInitiator: index == 0), at: now))
      exchangePackets()
    }
    _ = carryOctets(for: .seconds(2))
  }

  private static func request(isInitiator: Bool) -> UCISessionRequest {
    UCISessionRequest(
      sessionID: 7,
      parameters: [
        .macAddressMode(.short), .numberOfControlees(1),
        .deviceType(isInitiator ? .controller : .controlee),
        .deviceRole(isInitiator ? .initiator : .responder),
        .multiNodeMode(.unicast), .rangingRoundUsage(.doubleSidedDeferred),
        .deviceAddress(.short(isInitiator ? 1 : 2)), .destinationAddresses([.short(isInitiator ? 2 : 1)]),
        .stsConfiguration(.provisioned), .sessionKey([UInt8](0..<16)), .scheduleMode(.timeScheduled),
        .slotDuration(rstu: 2400), .slotsPerRound(6), .rangingDuration(milliseconds: 200),
        .rangingRoundControl(0x03), .hoppingMode(1), .channel(.nine), .preambleCodeIndex(10),
        .angleRequest(.both), .resultReportConfiguration(0x0F), .rssiReporting(1),
        .notificationConfiguration(.always),
      ])
  }

  private mutating func perform(_ index: Int, _ hostActions: [UCIHost.Action]) {
    for case .send(let octets) in hostActions {
      air.received(octets, from: RadioID(index: index), at: now)
    }
  }

  private mutating func exchangePackets() {
    while true {
      let sent = air.takeActions()
      if sent.isEmpty { return }
      for case .send(let octets, let radio) in sent {
        perform(radio.index, hosts[radio.index].received(octets, at: now))
      }
    }
  }

  private mutating func carryOctets(for duration: Duration) -> Int {
    now += duration
    air.advance(to: now, medium: &medium)
    exchangePackets()
    return 0
  }

  /// Runs rounds of the air alone and discards the packets.
  mutating func runRounds(_ count: Int) -> UInt64 {
    var octets = 0
    for _ in 0..<count {
      now += Self.interval
      air.advance(to: now, medium: &medium)
      actions.removeAll(keepingCapacity: true)
      air.takeActions(into: &actions)
      for case .send(let packet, _) in actions { octets &+= packet.count &+ Int(packet[30]) }
    }
    precondition(octets > count * 100, "the pair stopped sending measurements")
    return UInt64(octets)
  }

  /// One SESSION_INFO_NTF as the initiator's chip sends it, including the header.
  mutating func notification() -> [UInt8] {
    _ = runRounds(2)
    guard case .send(let packet, _)? = actions.first else {
      preconditionFailure("the pair stopped sending measurements")
    }
    return packet
  }

  /// Passes the same packet to the initiator's host many times.
  mutating func receive(_ packet: [UInt8], times: Int) -> UInt64 {
    var heard: UInt64 = 0
    for _ in 0..<times {
      for case .report(.measured(let session, let info)) in hosts[0].received(packet, at: now) {
        heard &+= UInt64(session) &+ UInt64(info.sequence)
        if case .twoWay(let list, _) = info.measurements { heard &+= UInt64(list[0].distanceCentimetres) }
      }
    }
    precondition(heard > 0, "the host parsed no measurement")
    return heard
  }
}
