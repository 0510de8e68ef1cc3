import UCI
import VirtualUWB

/// Hears everything, for what a hostile host makes its chip send.
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

/// Feeds octets to a chip as a hostile host, with a second chip that listens to the same stream.
///
/// The first octet chooses the dialect and how the stream is cut; between the pieces time passes.
func fuzzController(_ octets: [UInt8]) {
  let choice = octets.first ?? 0
  var air = VirtualAir(seed: UInt64(choice))
  var medium = PerfectMedium()
  let configuration = VirtualChipConfiguration(
    dialect: choice & 1 == 0 ? .v1 : .v2, maximumSessions: 3, maximumMessageSize: 1024)
  let radios = [air.addChip(configuration, at: .zero), air.addChip(configuration, at: .zero)]
  let size = max(Int(choice >> 1), 1)
  var now = Duration.zero
  var place = 1
  while place < octets.count {
    let piece = Array(octets[place..<min(place + size, octets.count)])
    for radio in radios { air.received(piece, from: radio, at: now) }
    now += .milliseconds(7)
    passTime(&air, &medium, to: now)
    place += size
  }
  passTime(&air, &medium, to: now + .seconds(1))
}

/// Runs events one time after the other, at most a few hundred: a host may ask for a round every 12 ms.
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
