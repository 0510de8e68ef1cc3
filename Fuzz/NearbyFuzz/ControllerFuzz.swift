import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB

/// A medium without losses, for what a hostile host makes its chip send.
private struct PerfectMedium: RadioMedium {
  mutating func cell(of radio: RadioID, at time: Duration) -> RadioCell { RadioCell(column: 0, row: 0) }
  mutating func receivedPower(
    from: RadioID, to: RadioID, channel: UInt8, at time: Duration
  ) -> Double? { -60 }
  mutating func exchange(_ plan: ExchangePlan) -> ExchangeOutcome {
    let all: ExchangeFrames = [.control, .poll, .response, .final, .report]
    let view = ReceiverView(rssiDBm: -60, looksNonLineOfSight: false)
    return ExchangeOutcome(
      received: all.subtracting(plan.collided), distance: 1, sigma: 0.1, atInitiator: view,
      atResponder: view)
  }
  mutating func deliver(from: RadioID, to: RadioID, channel: UInt8, at time: Duration) -> Bool { true }
}

/// Feeds octets to a chip as a hostile host, while an honest chip ranges with it for as long as it can.
///
/// The first octet selects the dialect, whether the session already runs, and the size of the pieces. Time
/// passes between pieces.
func fuzzController(_ octets: [UInt8]) {
  let choice = octets.first ?? 0
  var (air, hostile) = startedAirs[Int(choice & 3)]
  var medium = PerfectMedium()
  let size = max(Int(choice >> 2), 1)
  var now = Duration.zero
  var place = 1
  while place < octets.count {
    let piece = Array(octets[place..<min(place + size, octets.count)])
    air.received(piece, from: hostile, at: now)
    now += .milliseconds(7)
    passTime(&air, &medium, to: now)
    place += size
  }
  passTime(&air, &medium, to: now + .milliseconds(200))
}

/// Created once for each dialect, without and with a running session. Every input starts with a copy.
private let startedAirs: [(air: VirtualAir, hostile: RadioID)] = (0..<4).map { choice in
  var air = VirtualAir(seed: UInt64(choice))
  let configuration = VirtualChipConfiguration(
    dialect: [.v1, .v2, .v1, .pica][choice], maximumSessions: 3, maximumMessageSize: 1024)
  let hostile = air.addChip(configuration, at: .zero)
  let honest = air.addChip(VirtualChipConfiguration(dialect: .v1), at: .zero)
  range(&air, honest, isController: false)
  if choice & 2 != 0 { range(&air, hostile, isController: true) }
  return (air, hostile)
}

/// Configures and starts session 7 between address 1, the controller, and address 2.
private func range(_ air: inout VirtualAir, _ radio: RadioID, isController: Bool) {
  let role: UInt8 = isController ? 1 : 0
  let token = UCISessionToken(7)
  var octets: [UInt8] = []
  for command: UCICommand in [
    .sessionInit(sessionID: 7, type: .rangingWithInBandData),
    .setAppConfiguration(
      token,
      [
        UCITLV(id: 0x00, value: [role]), UCITLV(id: 0x11, value: [role]), UCITLV(id: 0x03, value: [0]),
        UCITLV(id: 0x22, value: [1]), UCITLV(id: 0x01, value: [2]), UCITLV(id: 0x06, value: [2 - role, 0]),
        UCITLV(id: 0x07, value: [1 + role, 0]), UCITLV(id: 0x1B, value: [6]),
        UCITLV(id: 0x09, value: [20, 0, 0, 0]),
      ]),
    .sessionStart(token),
  ] { UCIMessage.command(command).write(to: &octets, dialect: .v1) }
  air.received(octets, from: radio, at: .zero)
}

/// Runs events in order, but at most a few hundred, because a host may request a round every 12 ms.
private func passTime(_ air: inout VirtualAir, _ medium: inout PerfectMedium, to end: Duration) {
  var steps = 0
  while let next = air.nextEventTime, next <= end, steps < 500 {
    air.advance(to: next, medium: &medium)
    steps += 1
  }
  for case .send(let packet, _) in air.takeActions() {
    precondition(packet.count >= UCIPacketHeader.size, "a chip sent \(packet)")
  }
}
