import NearbyExchange
import NearbySchedule
import Testing

@testable import NearbySimulator

@Suite("What differs between places, and what lasts")
struct PlaceTests {
  /// Errors of a pair, one of which walks through a room at 1 m/s for `seconds`, ten ranges a second.
  private static func walk(
    _ kind: RadioCharacteristics, seed: UInt64, seconds: Int = 60
  ) -> [(error: Double, power: Double, distance: Double)] {
    var world = SimulatedWorld(seed: seed)
    let path = WaypointPath(
      [
        .init(SIMD3(0, 0, 1.2)), .init(SIMD3(6, 0.5, 1.2)), .init(SIMD3(5.5, 5, 1.2)),
        .init(SIMD3(0.4, 5.3, 1.2)),
      ], isLoop: true)
    let walker = world.addBody(.waypoints(path), facing: .alongMotion(pitch: 0, roll: 0))
    world.addRadio(on: walker, kind)
    world.addRadio(on: world.addBody(.standing(SIMD3(2, 8, 1.8))), kind)
    return (0..<seconds * 10).compactMap { round in
      let start = Duration.milliseconds(100 * round)
      let range = world.truth(from: 0, to: 1, at: start).range
      let outcome = world.exchange(ExchangePlan(initiator: 0, responder: 1, channel: 5, start: start))
      guard let distance = outcome.distance, let view = outcome.atInitiator else { return nil }
      return (distance - range, view.rssiDBm, range)
    }
  }

  private static let walks = (UInt64(1)...60).map { walk(.module, seed: $0) }

  @Test("Places differ: the spread of a module's moving errors varies by more than half from place to place")
  func places() {
    let spreads = ErrorFigures(Self.walks.map { ErrorFigures($0.map(\.error)).spread })
    #expect(spreads.quantile(0.9) > 1.5 * spreads.quantile(0.1), "\(spreads)")
    #expect(spreads.quantile(0.1) > 0.03, "\(spreads)")
    #expect(spreads.quantile(0.9) < 0.2, "\(spreads)")
  }

  @Test("Errors change on two scales: correlated by 0.5 to 0.9 over 0.1 m, and little over 2 m")
  func correlation() {
    func correlation(_ lag: Int) -> Double {
      var (product, square) = (0.0, 0.0)
      for walk in Self.walks {
        let errors = walk.map(\.error)
        let figures = ErrorFigures(errors)
        let clipped = errors.map { min(3 * figures.spread, max(-3 * figures.spread, $0 - figures.median)) }
        for (a, b) in zip(clipped, clipped.dropFirst(lag)) {
          product += a * b
          square += (a * a + b * b) / 2
        }
      }
      return product / square
    }
    // Walking at 1 m/s, ten ranges a second.
    #expect((0.5...0.9).contains(correlation(1)), "\(correlation(1))")
    #expect((0.25...0.6).contains(correlation(5)), "\(correlation(5))")
    #expect(abs(correlation(20)) < 0.25, "\(correlation(20))")
  }

  @Test("Most outliers come in bursts, a fair share is too short, and a few are off by more than 10 m")
  func outliers() {
    var (single, inBursts, short, far, count) = (0, 0, 0, 0, 0)
    for walk in Self.walks {
      let errors = walk.map(\.error)
      let median = ErrorFigures(errors).median
      let isOutlier = errors.map { abs($0 - median) > 0.5 }
      for (index, error) in errors.enumerated() where isOutlier[index] {
        count += 1
        let hasNeighbour =
          (index > 0 && isOutlier[index - 1]) || (index + 1 < errors.count && isOutlier[index + 1])
        if hasNeighbour { inBursts += 1 } else { single += 1 }
        if error < median { short += 1 }
        if abs(error) > 10 { far += 1 }
      }
    }
    let ranges = Self.walks.map(\.count).reduce(0, +)
    #expect((0.003...0.03).contains(Double(count) / Double(ranges)), "\(count) of \(ranges)")
    #expect(inBursts > single, "\(inBursts) in bursts, \(single) alone")
    #expect((0.15...0.7).contains(Double(short) / Double(count)), "\(short) of \(count) too short")
    #expect(far > 0)
  }

  @Test("Radios at rest have hardly any wild ranges")
  func wildAtRest() {
    let errors = ErrorModelTests.roomErrors(.module, seeds: 1...300, rounds: 20)
    let wild = errors.flatMap { place in
      let median = ErrorFigures(place).median
      return place.filter { abs($0 - median) > 4 }
    }
    #expect(wild.count < 8, "\(wild.count) of 6000")
  }

  @Test("Modules report less of a change in power than phones, and both vary along a path")
  func power() {
    func spread(_ walks: [[(error: Double, power: Double, distance: Double)]]) -> Double {
      ErrorFigures(walks.map { ErrorFigures($0.map(\.power)).spread }).median
    }
    let modules = spread(Self.walks)
    let phones = spread((UInt64(1)...20).map { Self.walk(.phone, seed: $0) })
    // Recorded: 2 to 5 dB for modules.
    #expect((1.5...5).contains(modules), "\(modules)")
    #expect((1...6).contains(phones), "\(phones)")
  }

  @Test("A person outdoors lengthens a path by centimetres, and in a room by decimetres")
  func people() {
    func median(_ echoLoss: Double, isBlocked: Bool) -> Double {
      let errors = (UInt64(1)...200).flatMap { seed -> [Double] in
        var world = pair(.module, seed: seed, distance: 10)
        world.echoLoss = echoLoss
        if isBlocked { world.setObstruction(.body) }
        return (0..<4).compactMap { round in
          world.exchange(
            ExchangePlan(initiator: 0, responder: 1, channel: 5, start: .milliseconds(100 * round))
          ).distance.map { $0 - 10 }
        }
      }
      return ErrorFigures(errors).median
    }
    let outdoors = median(15, isBlocked: true) - median(15, isBlocked: false)
    let indoors = median(8, isBlocked: true) - median(8, isBlocked: false)
    // Recorded: 0.06 m (hanyang_static).
    #expect((0.02...0.12).contains(outdoors), "\(outdoors)")
    #expect(indoors > 0.15, "\(indoors)")
  }

  @Test("A phone at rest varies by 0.3 to 0.6 degrees of azimuth")
  func azimuth() {
    let spreads = (UInt64(1)...40).map { seed -> Double in
      var world = pair(.phone, seed: seed, distance: 2, angle: 0.2)
      let angles = (0..<60).compactMap { round in
        world.exchange(ExchangePlan(initiator: 0, responder: 1, start: .milliseconds(150 * round)))
          .atInitiator?.angle.map { $0.azimuth * 180 / .pi }
      }
      return ErrorFigures(angles).spread
    }
    let median = ErrorFigures(spreads).median
    #expect((0.3...0.6).contains(median), "\(median)")
  }

  @Test("A radio without multipath and outliers has no error that depends on the place")
  func noErrors() throws {
    var kind = RadioCharacteristics.module
    kind.multipathSigma = 0
    kind.outlierChance = 0
    kind.timestampSigma = 0
    kind.antennaDelaySigma = 0
    kind.powerBias = 0
    kind.calibratedAntennaDelay = kind.antennaDelay
    for seed in UInt64(1)...20 {
      let errors = Self.walk(kind, seed: seed, seconds: 10)
      #expect(errors.count == 100)
      #expect(errors.allSatisfy { abs($0.error) < 0.05 })
    }
  }
}
