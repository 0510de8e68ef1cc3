import Foundation
import NearbyPosition
import NearbySchedule
import Testing

@Suite("Positions from ranges of which some are blocked")
struct BlockedRangeTests {
  /// A tag that circles among eight anchors, of which some are behind an obstacle for four seconds at a time. The
  /// probability is as good as the model's in rooms that it has not seen: it is wrong in one of eight ranges.
  private func walk(seed: UInt64) -> [(measurement: PositionMeasurement, truth: SIMD3<Double>)] {
    var tag = SimulatedTag(seed: seed)
    tag.wild = 0
    tag.rate = 50
    var random = SplitMix64(keys: seed, 7)
    var excesses = [Double](repeating: 0, count: 8)
    return (0..<3000).map { number in
      if number % 200 == 0 {
        for anchor in excesses.indices {
          excesses[anchor] = random.uniform() < 0.3 ? 0.2 + random.uniform() : 0
        }
      }
      var measurement = tag.range()
      guard case .range(let anchor) = measurement.kind else { return (measurement, .zero) }
      let excess = excesses[anchor - 100]
      measurement.metres += excess
      let isRight = random.uniform() > 0.125
      let isBlocked = (excess > 0) == isRight
      measurement.blockedProbability = isBlocked ? 0.8 + 0.2 * random.uniform() : 0.3 * random.uniform()
      return (measurement, tag.position(at: tag.time))
    }
  }

  /// Mean error, and the share of axis errors within 2.5 stated sigmas.
  private func errors(seed: UInt64, knows: Bool) throws -> (mean: Double, within: Double) {
    var solver = try PositionSolver(anchors: SimulatedTag.anchors)
    var (sum, within, count) = (0.0, 0.0, 0.0)
    for (original, truth) in walk(seed: seed) {
      var measurement = original
      if !knows { measurement.blockedProbability = nil }
      solver.add(measurement)
      let estimate = solver.estimate()
      guard measurement.time > 5, let position = estimate.position else { continue }
      let error = position - truth
      sum += (error * error).sum().squareRoot()
      for axis in 0..<3 where error[axis].magnitude <= 2.5 * estimate.positionSigma[axis] {
        within += 1.0 / 3
      }
      count += 1
    }
    return (sum / count, within / count)
  }

  @Test(
    "They are at least a tenth better with the probability, and within 2.5 stated sigmas in 95 of 100 cases")
  func better() throws {
    var (without, with, within) = (0.0, 0.0, 0.0)
    for seed in 0..<8 as Range<UInt64> {
      without += try errors(seed: seed, knows: false).mean
      let known = try errors(seed: seed, knows: true)
      with += known.mean
      within += known.within / 8
    }
    #expect(with < 0.9 * without, "\(with / 8) m, without \(without / 8) m")
    #expect(within > 0.95)
  }

  @Test(
    "A probability of 0 is a range in sight; one that is not a number says nothing; others count as 0 or 1")
  func odd() throws {
    let steps = walk(seed: 3).prefix(600)
    func positions(_ probability: Double?) throws -> [SIMD3<Double>?] {
      var solver = try PositionSolver(anchors: SimulatedTag.anchors)
      return steps.map { step in
        var measurement = step.measurement
        measurement.blockedProbability = probability
        solver.add(measurement)
        return solver.estimate().position
      }
    }
    let plain = try positions(nil)
    #expect(try positions(0) == plain && positions(.nan) == plain && positions(-3) == plain)
    #expect(try positions(.infinity) == positions(1))
    #expect(try positions(1) != plain)
  }
}
