import NearbyEstimation
import TestSupport
import Testing

@Suite("Peer estimator")
struct PeerEstimatorTests {
  private func ranged(_ count: Int) -> PeerEstimator {
    var estimator = PeerEstimator()
    var random = RangingRandom(seed: 9)
    for index in 0..<count {
      estimator.update(
        PeerReading(
          time: .milliseconds(200 * index), range: 3 + 0.1 * random.normal(), rangeSigma: 0.1,
          angle: PeerAngle(
            azimuth: 0.3 + 0.05 * random.normal(), elevation: 0.1 + 0.05 * random.normal(),
            azimuthSigma: 0.05, elevationSigma: 0.05)))
    }
    return estimator
  }

  @Test("Gives no estimate before two readings, then distance and direction")
  func starts() {
    #expect(PeerEstimator().estimate(at: .seconds(1)) == PeerEstimate(distance: nil, direction: nil))
    #expect(ranged(1).estimate(at: .zero) == PeerEstimate(distance: nil, direction: nil))
    let estimate = ranged(2).estimate(at: .milliseconds(200))
    #expect(estimate.distance != nil)
    #expect(estimate.direction != nil)
  }

  @Test("Bridges a short gap; in a longer one the direction ends first, then the distance")
  func gap() {
    let estimator = ranged(25)
    func told(_ seconds: Double) -> [Bool] {
      let estimate = estimator.estimate(at: .seconds(4.8 + seconds))
      return [estimate.distance != nil, estimate.direction != nil]
    }
    #expect(told(0) == [true, true])
    #expect(told(0.3) == [true, true])
    #expect(told(1.2) == [true, false])
    #expect(told(4) == [false, false])
  }

  @Test("Keeps the distance when readings have no more angles, as outside the field of view")
  func withoutAngles() {
    var estimator = ranged(25)
    for index in 25..<40 {
      estimator.update(PeerReading(time: .milliseconds(200 * index), range: 3))
    }
    let estimate = estimator.estimate(at: .milliseconds(200 * 39))
    #expect(estimate.distance.map { ($0.distance - 3).magnitude < 0.1 } == true)
    #expect(estimate.direction == nil)
  }
}
