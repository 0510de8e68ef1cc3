import Foundation
import NearbyEstimation
import TestSupport
import Testing

private func angle(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
  acos(max(-1, min(1, (a * b).sum())))
}

private func direction(_ azimuth: Double, _ elevation: Double) -> SIMD3<Double> {
  SIMD3(sin(azimuth) * cos(elevation), sin(elevation), -cos(azimuth) * cos(elevation))
}

/// A true direction that wanders over the sphere according to the filter's model.
private struct DirectionWalk {
  var direction = SIMD3<Double>(0, 0, -1)
  private var axis = SIMD3<Double>(1, 0, 0)
  private var rates: (Double, Double)
  private var random: RangingRandom
  private let motion: RangeMotion

  init(motion: RangeMotion, seed: UInt64) {
    self.motion = motion
    random = RangingRandom(seed: seed)
    let sigma = motion.rateVariance.squareRoot()
    rates = (sigma * random.normal(), sigma * random.normal())
  }

  mutating func move(seconds: Double) {
    let step = seconds / 32
    let keep = exp(-step / motion.memory)
    let kick = (motion.rateVariance * (1 - keep * keep)).squareRoot()
    for _ in 0..<32 {
      rates = (rates.0 * keep + kick * random.normal(), rates.1 * keep + kick * random.normal())
      let (u, e) = (direction, axis)
      let second = SIMD3(u.y * e.z - u.z * e.y, u.z * e.x - u.x * e.z, u.x * e.y - u.y * e.x)
      direction += step * (rates.0 * axis + rates.1 * second)
      direction /= (direction * direction).sum().squareRoot()
      axis -= (axis * direction).sum() * direction
      axis /= (axis * axis).sum().squareRoot()
    }
  }

  mutating func measured(sigma: Double) -> (azimuth: Double, elevation: Double) {
    let azimuth = atan2(direction.x, -direction.z) + sigma * random.normal()
    let elevation = asin(direction.y) + sigma * random.normal()
    return (azimuth, max(-Double.pi / 2, min(Double.pi / 2, elevation)))
  }
}

@Suite("Direction filter")
struct DirectionFilterTests {
  @Test("Constant angles are estimated exactly", arguments: [-3.0, -1.2, 0, 0.4, 3.1], [-1.2, 0, 0.7])
  func frame(azimuth: Double, elevation: Double) throws {
    var filter = DirectionFilter()
    for index in 0..<8 {
      filter.update(
        azimuth: azimuth, elevation: elevation, azimuthSigma: 0.05, elevationSigma: 0.05,
        at: .milliseconds(100 * index))
    }
    let estimate = try #require(filter.predicted(at: .milliseconds(700)))
    #expect(angle(estimate.direction, direction(azimuth, elevation)) < 1e-6)
    #expect((estimate.azimuth - azimuth).magnitude < 1e-6)
    #expect((estimate.elevation - elevation).magnitude < 1e-6)
  }

  @Test("The mean NIS over 60 seeds is within its bounds", arguments: [0.05, 0.2], [0.03, 0.1])
  func nis(seconds: Double, sigma: Double) {
    var parameters = DirectionFilterParameters()
    parameters.knee = .infinity
    parameters.gateOfNoise = .infinity
    parameters.motion = RangeMotion(accelerationDensity: 0.1, memory: 0.5)
    var sum = 0.0
    var count = 0.0
    for seed in 0..<60 {
      var walk = DirectionWalk(motion: parameters.motion, seed: UInt64(seed))
      var filter = DirectionFilter(parameters: parameters)
      for index in 0..<80 {
        walk.move(seconds: seconds)
        let (azimuth, elevation) = walk.measured(sigma: sigma)
        filter.update(
          azimuth: azimuth, elevation: elevation, azimuthSigma: sigma, elevationSigma: sigma,
          at: .seconds(seconds * Double(index)))
        guard walk.direction.y.magnitude < 0.9 else { break }
        if index >= 10, let nis = filter.lastNIS {
          sum += nis
          count += 1
        }
      }
    }
    // χ² with 2 degrees of freedom has variance 4. The 0.1 allows for the noise's distortion near the poles.
    let bound = 3.09 * (4 / count).squareRoot() + 0.1
    #expect(count > 3000)
    #expect((sum / count - 2).magnitude < bound, "mean NIS \(sum / count)")
  }

  @Test("The stated sigma matches the errors over 60 seeds", arguments: [0.05, 0.2])
  func nees(seconds: Double) {
    var squares = 0.0
    var count = 0.0
    for seed in 0..<60 {
      var walk = DirectionWalk(motion: DirectionFilterParameters().motion, seed: UInt64(seed))
      var filter = DirectionFilter()
      for index in 0..<60 {
        walk.move(seconds: seconds)
        let (azimuth, elevation) = walk.measured(sigma: 0.08)
        let estimate = filter.update(
          azimuth: azimuth, elevation: elevation, azimuthSigma: 0.08, elevationSigma: 0.08,
          at: .seconds(seconds * Double(index)))
        guard walk.direction.y.magnitude < 0.9 else { break }
        guard index >= 10, let estimate else { continue }
        let error = angle(estimate.direction, walk.direction)
        squares += error * error / (2 * estimate.sigma * estimate.sigma)
        count += 1
      }
    }
    let ratio = (squares / count).squareRoot()
    #expect(ratio > 0.8, "error over sigma \(ratio) of \(count)")
    #expect(ratio < 1.25, "error over sigma \(ratio) of \(count)")
  }

  /// Runs a filter over angles every 0.1 s. Returns the error after each, if there is an estimate.
  private func errors(
    _ azimuths: [Double], bad: [Int: Double] = [:], truth: ((Int) -> Double)? = nil
  ) -> [Double] {
    var filter = DirectionFilter()
    return azimuths.indices.compactMap { index in
      let estimate = filter.update(
        azimuth: azimuths[index] + bad[index, default: 0], elevation: 0.1, azimuthSigma: 0.05,
        elevationSigma: 0.05, at: .milliseconds(100 * index))
      return estimate.map { angle($0.direction, direction(truth?(index) ?? azimuths[index], 0.1)) }
    }
  }

  @Test("A direction that passes behind the device is followed without a jump")
  func wraps() {
    let azimuths = (0..<40).map { index in
      let azimuth = 2.5 + 0.04 * Double(index)
      return azimuth > Double.pi ? azimuth - 2 * Double.pi : azimuth
    }
    let found = errors(azimuths)
    #expect(found.count == 39)
    #expect(found.dropFirst(8).allSatisfy { $0 < 0.05 })
  }

  @Test("A direction that passes over the pole is followed without a jump")
  func pole() {
    var filter = DirectionFilter()
    for index in 0..<60 {
      let tilt = 0.8 + 0.03 * Double(index)
      let isOver = tilt > Double.pi / 2
      let estimate = filter.update(
        azimuth: isOver ? Double.pi : 0, elevation: isOver ? Double.pi - tilt : tilt,
        azimuthSigma: 0.05, elevationSigma: 0.05, at: .milliseconds(100 * index))
      guard index > 8, let estimate else { continue }
      #expect(angle(estimate.direction, direction(0, tilt)) < 0.05, "\(index)")
    }
  }

  @Test("A single bad angle does not show in the estimate", arguments: [-2.5, -0.8, 0.8, 1.6, 3.1])
  func oneOutlier(by radians: Double) {
    let found = errors(Array(repeating: 0.3, count: 30), bad: [15: radians])
    #expect(found.max().map { $0 < 0.1 } == true, "\(String(describing: found.max()))")
  }

  @Test("A wrong first angle is overcome")
  func startsPastOutlier() {
    let found = errors(Array(repeating: 0.3, count: 20), bad: [0: 2])
    #expect(found.count >= 17)
    #expect(found.dropFirst().allSatisfy { $0 < 0.1 })
  }

  @Test("A lasting jump is followed within half a second")
  func reacquires() {
    let found = errors((0..<40).map { $0 < 20 ? 0 : 1.2 })
    #expect(found.dropFirst(25).allSatisfy { $0 < 0.1 })
  }

  @Test("The lag behind a device that turns at 1 rad/s is under 0.1 s")
  func lag() {
    let found = errors((0..<60).map { 0.1 * Double($0) - 3 })
    #expect(found.dropFirst(15).allSatisfy { $0 < 0.1 }, "\(found.suffix(5))")
  }

  @Test("Impossible angles and sigmas are ignored, and estimates stay finite")
  func impossible() {
    var filter = DirectionFilter()
    for value in [Double.nan, .infinity, -.infinity] {
      filter.update(azimuth: value, elevation: 0, azimuthSigma: 0.1, elevationSigma: 0.1, at: .zero)
      filter.update(azimuth: 0, elevation: value, azimuthSigma: 0.1, elevationSigma: 0.1, at: .zero)
    }
    #expect(filter.predicted(at: .zero) == nil)
    for index in 0..<10 {
      filter.update(
        azimuth: 0.2, elevation: 0, azimuthSigma: [.nan, -1, 0, .infinity, 1e300][index % 5],
        elevationSigma: -.infinity, at: .milliseconds(100 * index))
    }
    filter.update(
      azimuth: 2, elevation: 0, azimuthSigma: 0.1, elevationSigma: 0.1, at: .seconds(-1))
    filter.update(
      azimuth: .greatestFiniteMagnitude, elevation: 0, azimuthSigma: 0.1, elevationSigma: 0.1,
      at: .seconds(1))
    let estimate = filter.predicted(at: .seconds(1))
    #expect(estimate.map { $0.sigma.isFinite && $0.azimuth.isFinite } == true)
  }
}
