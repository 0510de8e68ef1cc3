import NearbyEstimation
import NearbySimulator
import TestSupport
import Testing

@Suite("An object that walks")
struct AssistanceMovingTests {
  private struct Followed {
    var error = Double.infinity
    var velocityError = Double.infinity
    var sigma = 0.0
  }

  private func track(angleSigma: Double, seed: UInt64) -> Followed {
    var ground = SearchGround.room(.planar, fate: .walks, distance: 6, seed: seed)
    ground.velocity *= 0.6 / (ground.velocity * ground.velocity).sum().squareRoot()
    ground.radio.angleSigma = angleSigma
    ground.radio.outliers = 0.01
    ground.radio.blocked = 0
    ground.seconds = 33
    var locator = ObjectLocator(AssistanceParameters(track: .surveyed))
    var followed = Followed()
    for step in ground.steps(seed: seed) {
      let reading = step.reading(arm: ground.arm)
      locator.update(reading)
      guard let estimate = locator.estimate(at: reading.time, pose: reading.pose),
        let place = estimate.positionInWorld
      else { continue }
      followed.error = level(place - step.target)
      followed.velocityError = level(estimate.velocityInWorld - ground.velocity)
      followed.sigma = estimate.horizontalSigma
    }
    return followed
  }

  @Test("An object that walks is followed by ranges alone, with most seeds", arguments: [UInt64(700)])
  func ranges(first: UInt64) {
    let all = (first..<first + 5).map { track(angleSigma: 0, seed: $0) }
    #expect(all.count { $0.error < 1.5 } >= 3, "\(all)")
  }

  @Test("An object that walks is followed by ranges and angles", arguments: [UInt64(800)])
  func angles(first: UInt64) {
    let all = (first..<first + 5).map { track(angleSigma: 0.07, seed: $0) }
    #expect(all.count { $0.error < 1 && $0.velocityError < 0.3 } >= 4, "\(all)")
  }

  @Test("An object at rest has no estimated velocity", arguments: [UInt64](900..<903))
  func resting(seed: UInt64) {
    let outcome = SearchOutcome(.room(.dive, seed: seed), seed: seed)
    #expect(outcome.last?.velocityInWorld == .zero, "seed \(seed)")
  }
}
