import NearbyExchange
import NearbyVirtualUWB

/// A medium controlled by the test: radios on a line, and frames that arrive unless the test excludes them.
struct ScriptedMedium: RadioMedium {
  /// Metres along a line, by radio; 0 if absent.
  var positions: [Int: Double] = [:]
  var cellSize = 100.0
  /// Frames that do not arrive, in every exchange.
  var lost: ExchangeFrames = []
  /// Distance to report instead of the true one.
  var distance: Double?
  var hasDistance = true
  var angleAtInitiator: AngleReading? = AngleReading(
    azimuth: 0.5, elevation: -0.25, azimuthSigma: 0, elevationSigma: 10 * Double.pi / 180)
  var angleAtResponder: AngleReading? = AngleReading(
    azimuth: -0.5, elevation: 0.25, azimuthSigma: 10 * Double.pi / 180, elevationSigma: 0)
  var rssi = -60.5
  var looksNonLineOfSight = false
  /// Results of `deliver`, in order; after those, `true`.
  var deliveries: [Bool] = []
  /// dBm at 0 m. It falls by 1 dB per metre.
  var power = -40.0
  private(set) var plans: [ExchangePlan] = []
  private(set) var delivered: [(from: Int, to: Int)] = []
  private(set) var cellCalls = 0
  private(set) var powerCalls = 0

  private func position(_ radio: RadioID) -> Double { positions[radio.index] ?? 0 }

  mutating func cell(of radio: RadioID, at time: Duration) -> RadioCell {
    cellCalls += 1
    return RadioCell(column: Int32(position(radio) / cellSize), row: 0)
  }

  mutating func receivedPower(
    from: RadioID, to: RadioID, channel: UInt8, at time: Duration
  ) -> Double? {
    powerCalls += 1
    let level = power - abs(position(from) - position(to))
    return level < -140 ? nil : level
  }

  mutating func exchange(_ plan: ExchangePlan) -> ExchangeOutcome {
    plans.append(plan)
    let all: ExchangeFrames = [.control, .poll, .response, .final, .report]
    let received = all.subtracting(lost).subtracting(plan.collided)
    let isWhole = received.isSuperset(of: [.poll, .response, .final])
    let truth = abs(position(plan.initiator) - position(plan.responder))
    return ExchangeOutcome(
      received: received, distance: isWhole && hasDistance ? distance ?? truth : nil, sigma: 0.05,
      atInitiator: view(plan.measuresAngleAtInitiator ? angleAtInitiator : nil),
      atResponder: view(plan.measuresAngleAtResponder ? angleAtResponder : nil))
  }

  private func view(_ angle: AngleReading?) -> ReceiverView {
    ReceiverView(rssiDBm: rssi, looksNonLineOfSight: looksNonLineOfSight, angle: angle)
  }

  mutating func deliver(from: RadioID, to: RadioID, channel: UInt8, at time: Duration) -> Bool {
    delivered.append((from.index, to.index))
    return deliveries.isEmpty ? true : deliveries.removeFirst()
  }
}
