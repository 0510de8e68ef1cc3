import NearbyEstimation
import TestSupport
import Testing

@Suite("The object's position in the AR world")
struct AssistanceTests {
  private static let seeds: [UInt64] = Array(1...3)

  @Test("A circling walk with bias and lever arm finds the object and converges", arguments: seeds)
  func finds(seed: UInt64) throws {
    var walk = AssistanceWalk.brief
    walk.place = AssistanceWalk.circle()
    walk.bias = 0.05
    walk.arm = SIMD3(0.1, -0.2, 0.05)
    let steps = walk.steps(seed: seed)
    var locator = ObjectLocator(AssistanceParameters(track: .surveyed))
    let estimates = locator.run(steps)
    let last = try #require(estimates.last ?? nil)
    let place = try #require(last.positionInWorld)
    #expect(level(place - walk.target) < 0.12, "seed \(seed): \(place)")
    #expect(abs(place.z - walk.target.z) < 0.4, "seed \(seed): \(place)")
    #expect(last.isConverged, "seed \(seed): \(last.reasons)")
    for (estimate, step) in zip(estimates, steps) {
      guard let estimate, estimate.isConverged, let place = estimate.positionInWorld else { continue }
      #expect(level(place - step.targetInTrack) < 0.5, "seed \(seed)")
    }
  }

  @Test("A straight line leaves two mirror images, and never converges", arguments: seeds)
  func straightLine(seed: UInt64) throws {
    var walk = AssistanceWalk.brief
    walk.place = { time in SIMD3(3 * Double.sawtooth(time / 12), 0, 0) }
    walk.target = SIMD3(1.5, 2.5, 0)
    var locator = ObjectLocator(AssistanceParameters(track: .surveyed))
    let estimates = locator.run(walk.steps(seed: seed))
    #expect(estimates.allSatisfy { $0?.isConverged != true }, "seed \(seed)")
    let sides = [1.0, -1.0].map { side in
      locator.hypotheses.filter { $0.position.y * side > 1 }.reduce(0) { $0 + $1.weight }
    }
    #expect(sides.allSatisfy { $0 > 0.05 }, "seed \(seed): \(sides)")
    #expect(estimates.last??.reasons.contains(.insufficientHorizontalSweep) == true)
  }

  @Test("After half an hour at rest a walk round the object still finds it, and a straight line does not")
  func longSearch() throws {
    var walk = AssistanceWalk.brief
    walk.interval = 0.5
    let rest = 1800.0
    walk.seconds = rest + 40
    let circle = AssistanceWalk.circle()
    walk.place = { time in circle(max(0, time - rest)) }
    var locator = ObjectLocator()
    let last = try #require(locator.run(walk.steps(seed: 1)).last ?? nil)
    #expect(last.isConverged, "\(last.reasons)")
    let place = try #require(last.positionInWorld)
    #expect(level(place - walk.target) < 0.3, "\(place)")
    walk.place = { time in SIMD3(3 * Double.sawtooth(max(0, time - rest) / 12), 0, 0) }
    locator = ObjectLocator()
    #expect(locator.run(walk.steps(seed: 1)).allSatisfy { $0?.isConverged != true })
  }

  @Test("On a level walk, reports that above and below can't be distinguished")
  func aboveOrBelow() throws {
    var walk = AssistanceWalk.brief
    walk.target = SIMD3(1.5, 1, 2)
    walk.place = AssistanceWalk.circle(radius: 2, height: 0)
    var locator = ObjectLocator(AssistanceParameters(track: .surveyed))
    #expect(locator.run(walk.steps(seed: 3)).last??.vertical == .aboveOrBelow)
    walk.place = AssistanceWalk.circle(radius: 2, height: 0.8)
    locator = ObjectLocator(AssistanceParameters(track: .surveyed))
    #expect(locator.run(walk.steps(seed: 3)).last??.vertical == .above)
  }

  @Test("A device at rest gets the advice to move; darkness and a weak signal are reported, too")
  func reasons() throws {
    var walk = AssistanceWalk.brief
    walk.seconds = 10
    var locator = ObjectLocator()
    let steps = walk.steps(seed: 1)
    _ = locator.run(steps)
    let last = try #require(steps.last)
    let estimate = try #require(
      locator.estimate(
        at: last.reading.time, pose: last.reading.pose,
        conditions: AssistanceConditions(isLightSufficient: false, isSignalSufficient: false)))
    #expect(estimate.reasons.contains(.insufficientMovement))
    #expect(estimate.reasons.contains(.insufficientLighting))
    #expect(estimate.reasons.contains(.insufficientSignalStrength))
    #expect(estimate.positionInWorld == nil)
  }
}

extension Double {
  /// A triangle wave between −1 and 1 with one period per unit of phase.
  static func sawtooth(_ phase: Double) -> Double {
    let part = phase - phase.rounded(.down)
    return part < 0.5 ? 4 * part - 1 : 3 - 4 * part
  }
}
