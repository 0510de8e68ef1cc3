import NearbyEstimation
import TestSupport
import Testing

@Suite("Range track")
struct RangeTrackTests {
  private func predicted(_ distance: Double, _ rate: Double, _ seconds: Double) -> RangeTrack {
    var track = RangeTrack(distance: distance, rate: rate, distanceVariance: 0.1, rateVariance: 0.2)
    track.predict(over: seconds, motion: RangeMotion(accelerationDensity: 1, memory: 1.3))
    return track
  }

  @Test("The covariance is predicted with the Jacobian of the transition", arguments: [0.001, 0.1, 1, 4])
  func jacobian(seconds: Double) {
    let h = 1e-5
    let byDistance = (
      (predicted(5 + h, 0.7, seconds).distance - predicted(5 - h, 0.7, seconds).distance) / (2 * h),
      (predicted(5 + h, 0.7, seconds).rate - predicted(5 - h, 0.7, seconds).rate) / (2 * h)
    )
    let byRate = (
      (predicted(5, 0.7 + h, seconds).distance - predicted(5, 0.7 - h, seconds).distance) / (2 * h),
      (predicted(5, 0.7 + h, seconds).rate - predicted(5, 0.7 - h, seconds).rate) / (2 * h)
    )
    let quiet = RangeMotion(accelerationDensity: 1e-300, memory: 1.3)
    var track = RangeTrack(distance: 5, rate: 0.7, distanceVariance: 0.1, rateVariance: 0.2)
    track.predict(over: seconds, motion: quiet)
    let distanceVariance = byDistance.0 * byDistance.0 * 0.1 + byRate.0 * byRate.0 * 0.2
    let covariance = byDistance.0 * byDistance.1 * 0.1 + byRate.0 * byRate.1 * 0.2
    let rateVariance = byDistance.1 * byDistance.1 * 0.1 + byRate.1 * byRate.1 * 0.2
    #expect((track.distanceVariance - distanceVariance).magnitude < 1e-8)
    #expect((track.covariance - covariance).magnitude < 1e-8)
    #expect((track.rateVariance - rateVariance).magnitude < 1e-8)
  }

  @Test("Many short predictions add as much noise as one long one", arguments: [1e-4, 0.002, 0.1, 3, 60])
  func noise(seconds: Double) {
    let motion = RangeMotion(accelerationDensity: 0.8, memory: 1.1)
    var whole = RangeTrack(distance: 5, rate: 0.7, distanceVariance: 0.01, rateVariance: 0.2)
    var parts = whole
    whole.predict(over: seconds, motion: motion)
    for _ in 0..<64 { parts.predict(over: seconds / 64, motion: motion) }
    #expect((whole.distanceVariance / parts.distanceVariance - 1).magnitude < 1e-5)
    #expect((whole.covariance - parts.covariance).magnitude < 1e-5 * whole.distanceVariance.squareRoot())
    #expect((whole.rateVariance / parts.rateVariance - 1).magnitude < 1e-5)
    #expect((whole.distance - parts.distance).magnitude < 1e-9)
  }

  @Test("The mean NEES over 200 seeds is within its bounds", arguments: [0.01, 0.1, 0.4])
  func nees(seconds: Double) {
    let seeds = 200
    let motion = RangeMotion(accelerationDensity: 1, memory: 1)
    var sum = 0.0
    for seed in 0..<seeds {
      let walk = RangeWalk(count: 120, seconds: seconds, jitter: 0.5, sigma: 0.1, seed: UInt64(seed))
      var track = RangeTrack(
        distance: walk.steps[0].range, rate: 0, distanceVariance: 0.01,
        rateVariance: motion.rateVariance)
      for (before, step) in zip(walk.steps, walk.steps.dropFirst()) {
        track.predict(over: (step.time - before.time) / .seconds(1), motion: motion)
        track.fuse(residual: step.range - track.distance, variance: 0.01)
      }
      guard let last = walk.steps.last else { continue }
      let (d, r) = (last.truth - track.distance, last.rate - track.rate)
      let determinant =
        track.distanceVariance * track.rateVariance - track.covariance * track.covariance
      sum +=
        (d * d * track.rateVariance - 2 * d * r * track.covariance + r * r * track.distanceVariance)
        / determinant
    }
    // χ² with 400 degrees of freedom: 99.8 % within ±3.09 standard deviations.
    let mean = sum / Double(seeds)
    #expect((mean - 2).magnitude < 3.09 * 2 / Double(seeds).squareRoot(), "mean NEES \(mean)")
  }
}
