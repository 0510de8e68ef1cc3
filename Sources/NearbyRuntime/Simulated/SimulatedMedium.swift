import Simulator
import VirtualUWB

/// The simulated world as the virtual chips know it.
package struct SimulatedMedium: RadioMedium, Sendable {
  package var world: SimulatedWorld
  /// Radio in the world by the chip's index on the air; −1 for a chip that has none.
  private var radios: [Int] = []

  package init(world: SimulatedWorld) { self.world = world }

  /// Gives a chip its radio in the world.
  package mutating func assign(_ chip: RadioID, to radio: Int) {
    while radios.count <= chip.index { radios.append(-1) }
    radios[chip.index] = radio
  }

  private func radio(_ chip: RadioID) -> Int {
    precondition(
      radios.indices.contains(chip.index) && radios[chip.index] >= 0, "chip \(chip) has no radio")
    return radios[chip.index]
  }

  // MARK: RadioMedium

  package mutating func cell(of chip: RadioID, at time: Duration) -> RadioCell {
    let cell = world.cell(ofRadio: radio(chip), at: time)
    return RadioCell(column: cell.column, row: cell.row)
  }

  package mutating func receivedPower(
    from sender: RadioID, to receiver: RadioID, channel: UInt8, at time: Duration
  ) -> Double? {
    world.receivedPower(from: radio(sender), to: radio(receiver), channel: channel, at: time)
  }

  package mutating func exchange(_ plan: ExchangePlan) -> ExchangeOutcome {
    let outcome = world.exchange(
      Exchange(
        initiator: radio(plan.initiator), responder: radio(plan.responder), channel: plan.channel,
        method: plan.method == .singleSided ? .singleSided : .doubleSided, start: plan.start,
        pollOffset: plan.pollOffset, responseOffset: plan.responseOffset,
        finalOffset: plan.finalOffset, reportOffset: plan.reportOffset,
        collided: Exchange.Frames(rawValue: plan.collided.rawValue),
        measuresAngleAtInitiator: plan.measuresAngleAtInitiator,
        measuresAngleAtResponder: plan.measuresAngleAtResponder))
    return ExchangeOutcome(
      received: ExchangeFrames(rawValue: outcome.received.rawValue), distance: outcome.distance,
      sigma: outcome.sigma, atInitiator: outcome.atInitiator.map(ReceiverView.init),
      atResponder: outcome.atResponder.map(ReceiverView.init))
  }

  package mutating func deliver(
    from sender: RadioID, to receiver: RadioID, channel: UInt8, at time: Duration
  ) -> Bool {
    world.deliver(from: radio(sender), to: radio(receiver), channel: channel, at: time)
  }
}

extension ReceiverView {
  fileprivate init(_ view: Exchange.View) {
    self.init(
      rssiDBm: view.rssi, looksNonLineOfSight: view.looksNonLineOfSight,
      angle: view.angle.map {
        AngleReading(
          azimuth: $0.azimuth, elevation: $0.elevation, azimuthSigma: $0.azimuthSigma,
          elevationSigma: $0.elevationSigma)
      })
  }
}
