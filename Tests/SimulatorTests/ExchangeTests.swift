import NearbyExchange
import NearbyMaths
import Testing

@testable import NearbySimulator

/// Two radios of one kind at fixed places.
func pair(
  _ characteristics: RadioCharacteristics, seed: UInt64 = 1, distance: Double = 5,
  angle: Double = 0
) -> SimulatedWorld {
  var world = SimulatedWorld(seed: seed)
  let first = world.addBody(.standing(SIMD3(0, 0, 1.2)), facing: .fixed(Rotation(heading: -angle)))
  let second = world.addBody(
    .standing(SIMD3(0, distance, 1.2)), facing: .fixed(Rotation(heading: .pi)))
  world.addRadio(on: first, characteristics)
  world.addRadio(on: second, characteristics)
  return world
}

/// A radio whose only errors are those that a test adds.
var ideal: RadioCharacteristics {
  var ideal = RadioCharacteristics()
  ideal.clockOffsetSigma = 0
  ideal.clockDrift = 0
  ideal.antennaDelaySigma = 0
  ideal.timestampSigma = 0
  ideal.multipathSigma = 0
  ideal.outlierChance = 0
  ideal.sensitivity = -140
  return ideal
}

@Suite("A two-way exchange")
struct ExchangeTests {
  @Test(
    "Perfect radios measure the true distance to within a clock tick",
    arguments: [0.5, 3, 20, 120], [TwoWayMethod.singleSided, .doubleSided])
  func perfectRadios(distance: Double, method: TwoWayMethod) throws {
    var world = pair(ideal, distance: distance)
    let outcome = world.exchange(ExchangePlan(initiator: 0, responder: 1, method: method, start: .zero))
    let measured = try #require(outcome.distance)
    #expect(abs(measured - distance) < 0.006)
  }

  @Test("Clock differences cause the expected error in single-sided ranging, and none in double-sided")
  func clockOffset() throws {
    var world = SimulatedWorld(seed: 3)
    for (place, ppm) in [(0.0, 5.0), (10.0, -5.0)] {
      var kind = ideal
      kind.clockOffset = ppm
      world.addRadio(on: world.addBody(.standing(SIMD3(0, place, 1))), kind)
    }
    let single = world.exchange(
      ExchangePlan(initiator: 0, responder: 1, method: .singleSided, start: .seconds(100)))
    let double = world.exchange(ExchangePlan(initiator: 0, responder: 1, start: .seconds(100)))
    // The initiator's clock is 10 ppm faster than the responder's: 2 ms × 10 ppm × c / 2.
    let expected = 10e-6 * 2e-3 * speedOfLight / 2
    #expect(abs(try #require(single.distance) - 10 - expected) < 0.01)
    #expect(abs(try #require(double.distance) - 10) < 0.01)
  }

  @Test("Counters that wrap during an exchange do not change the distance", arguments: 0..<200)
  func wrap(step: Int) throws {
    var world = pair(ideal, distance: 7)
    // A counter wraps every 17.2 s, so 200 starts at intervals of 87 ms span the wrap.
    let outcome = world.exchange(
      ExchangePlan(
        initiator: 0, responder: 1, start: .milliseconds(87 * step), pollOffset: .milliseconds(20),
        responseOffset: .milliseconds(60), finalOffset: .milliseconds(90)))
    #expect(abs(try #require(outcome.distance) - 7) < 0.006)
  }

  @Test("The same seed gives the same outcomes, another seed different ones")
  func seeds() {
    func run(_ seed: UInt64) -> [ExchangeOutcome] {
      var world = pair(.phone, seed: seed)
      return (0..<50).map { round in
        world.exchange(ExchangePlan(initiator: 0, responder: 1, start: .milliseconds(200 * round)))
      }
    }
    #expect(run(7) == run(7))
    #expect(run(7) != run(8))
  }

  @Test("A pair's outcomes do not depend on other devices or on the order of exchanges")
  func independence() {
    var alone = pair(.phone, seed: 5)
    var crowded = pair(.phone, seed: 5)
    for index in 0..<20 {
      let body = crowded.addBody(.standing(SIMD3(Double(index) + 3, 40, 1)))
      crowded.addRadio(on: body)
    }
    let rounds = (0..<30).map { ExchangePlan(initiator: 0, responder: 1, start: .milliseconds(200 * $0)) }
    let expected = rounds.map { alone.exchange($0) }
    for (plan, outcome) in zip(rounds, expected).reversed() {
      _ = crowded.exchange(ExchangePlan(initiator: 3, responder: 1, start: plan.start))
      #expect(crowded.exchange(plan) == outcome)
    }
  }

  static let collisionTable: [(lost: ExchangeFrames, received: ExchangeFrames)] = [
    (.control, []),
    (.poll, [.control]),
    (.response, [.control, .poll]),
    (.final, [.control, .poll, .response, .report]),
    (.report, [.control, .poll, .response, .final]),
  ]

  @Test("A collided frame prevents the frames that depend on it", arguments: collisionTable)
  func collisions(lost: ExchangeFrames, received: ExchangeFrames) {
    var world = pair(ideal)
    let outcome = world.exchange(
      ExchangePlan(initiator: 0, responder: 1, start: .zero, collided: lost))
    #expect(outcome.received == received)
    #expect((outcome.distance != nil) == received.contains(.final))
    #expect((outcome.atResponder != nil) == received.contains(.poll))
    #expect((outcome.atInitiator != nil) == received.contains(.response))
  }

  @Test("Frames become rarer with distance, and none arrives at 400 m")
  func reach() {
    func share(_ distance: Double) -> Double {
      var world = pair(.phone, distance: distance)
      let heard = (0..<200).count { round in
        world.deliver(from: 0, to: 1, channel: 9, at: .milliseconds(round))
      }
      return Double(heard) / 200
    }
    #expect(share(9) > 0.98)
    #expect(share(60) < 0.05)
    #expect(share(400) == 0)
    let middle = [20.0, 25, 30, 35, 40, 50].map(share)
    #expect(middle == middle.sorted(by: >))
  }

  @Test("An extra loss of 30 % loses 30 % of the frames")
  func extraLoss() {
    var world = pair(ideal)
    world.extraLoss = 0.3
    let heard = (0..<4000).count { world.deliver(from: 0, to: 1, channel: 9, at: .milliseconds($0)) }
    #expect(abs(Double(heard) / 4000 - 0.7) < 0.03)
  }

  @Test("A radio that is off, or a limited range, prevents exchanges")
  func silence() {
    var world = pair(ideal)
    world.setRadio(1, isOn: false)
    #expect(world.exchange(ExchangePlan(initiator: 0, responder: 1, start: .zero)) == .nothing)
    #expect(world.receivedPower(from: 0, to: 1, channel: 9, at: .zero) == nil)
    var short = ideal
    short.rangeLimit = 4.9
    var limited = pair(short)
    #expect(limited.exchange(ExchangePlan(initiator: 0, responder: 1, start: .zero)).received == [])
  }
}
