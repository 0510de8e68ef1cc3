import Foundation
import NearbyEstimation
import NearbySimulator
import TestSupport
import Testing

/// Compares stated errors with actual errors over many seeds. Stated errors allow for correlation, so
/// the mean is below 1 where errors are white. No mean may exceed the stated bound.
@Suite("Stated errors compared with actual errors")
struct AssistanceConsistencyTests {
  private static let seeds = UInt64(1000)..<1007

  private struct Squares {
    /// Squared horizontal and vertical position errors and innovations, each divided by its stated variance.
    var horizontal: [Double] = []
    var vertical: [Double] = []
    var ranges: [Double] = []
    var azimuths: [Double] = []

    static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
  }

  private func squares(_ make: (UInt64) -> SearchGround) -> Squares {
    var squares = Squares()
    for seed in Self.seeds {
      let ground = make(seed)
      var locator = ObjectLocator(
        AssistanceParameters(track: ground.drift.yawWalk > 0 ? .visualInertial : .surveyed))
      var before: AssistanceEstimate?
      let steps = ground.steps(seed: seed)
      for (index, step) in steps.enumerated() {
        let reading = step.reading(arm: ground.arm)
        if index > steps.count / 2, let before, let place = before.positionInWorld {
          innovate(reading, from: place + before.velocityInWorld * ground.radio.interval, before, &squares)
        }
        locator.update(reading)
        before = locator.estimate(at: reading.time, pose: reading.pose)
      }
      guard let before, let place = before.positionInWorld, let truth = steps.last?.target else { continue }
      let away = level(place - truth)
      squares.horizontal.append(away * away / (before.horizontalSigma * before.horizontalSigma))
      let upright = place.z - truth.z
      squares.vertical.append(upright * upright / (before.verticalSigma * before.verticalSigma))
    }
    return squares
  }

  private func innovate(
    _ reading: AssistanceReading, from place: SIMD3<Double>, _ before: AssistanceEstimate,
    _ squares: inout Squares
  ) {
    let across = place - reading.pose.inWorld(reading.antennaInDevice)
    let distance = (across * across).sum().squareRoot()
    let u = across / distance
    let c = before.covariance
    let variance =
      u.x * u.x * c[0] + u.y * u.y * c[3] + u.z * u.z * c[5]
      + 2 * (u.x * u.y * c[1] + u.x * u.z * c[2] + u.y * u.z * c[4])
    let innovation = reading.range - distance
    squares.ranges.append(innovation * innovation / (variance + 0.07 * 0.07))
    guard let azimuth = reading.angles?.azimuth else { return }
    let d = reading.pose.inDevice(across)
    let flat = d.x * d.x + d.z * d.z
    let turn = remainder(azimuth - atan2(d.x, -d.z), 2 * .pi)
    let aside = before.horizontalSigma * before.horizontalSigma / 2 / flat
    squares.azimuths.append(turn * turn / (aside + 0.07 * 0.07 * (1 + d.y * d.y / flat)))
  }

  private func clean(_ motion: SearchGround.Motion, _ fate: SearchGround.Fate, _ seed: UInt64) -> SearchGround
  {
    var ground = SearchGround.room(motion, fate: fate, seed: seed)
    ground.radio.outliers = 0
    ground.radio.blocked = 0
    ground.radio.lateness = 0
    ground.seconds = 30
    return ground
  }

  @Test("NEES and NIS of ranges to an object at rest are within bounds")
  func pointRange() {
    let found = squares { clean(.dive, .stays, $0) }
    #expect((0.1...1.6).contains(Squares.mean(found.horizontal)), "\(Squares.mean(found.horizontal))")
    #expect((0.1...1.6).contains(Squares.mean(found.vertical)), "\(Squares.mean(found.vertical))")
    #expect((0.4...1.5).contains(Squares.mean(found.ranges)), "\(Squares.mean(found.ranges))")
  }

  @Test("NEES and NIS of ranges from a drifting track are within bounds")
  func drifting() {
    let found = squares { seed in
      var ground = clean(.dive, .stays, seed)
      let drift = SearchGround(motion: .dive, isDrifting: true, seed: seed).drift
      ground.drift = drift
      return ground
    }
    #expect((0.1...1.8).contains(Squares.mean(found.horizontal)), "\(Squares.mean(found.horizontal))")
    #expect((0.4...1.5).contains(Squares.mean(found.ranges)), "\(Squares.mean(found.ranges))")
  }

  @Test("NEES and NIS of ranges and angles are within bounds")
  func angles() {
    let found = squares { seed in
      var ground = clean(.planar, .stays, seed)
      ground.radio.angleSigma = 0.07
      return ground
    }
    #expect((0.1...1.6).contains(Squares.mean(found.horizontal)), "\(Squares.mean(found.horizontal))")
    #expect((0.4...1.5).contains(Squares.mean(found.ranges)), "\(Squares.mean(found.ranges))")
    #expect(found.azimuths.count > 30)
    #expect((0.5...1.3).contains(Squares.mean(found.azimuths)), "\(Squares.mean(found.azimuths))")
  }

  @Test("Median NEES and NIS of ranges to an object that walks are within bounds")
  func moving() {
    let found = squares { seed in
      var ground = clean(.planar, .walks, seed)
      ground.radio.angleSigma = 0.07
      ground.velocity *= 0.5 / (ground.velocity * ground.velocity).sum().squareRoot()
      return ground
    }
    let sorted = found.horizontal.sorted()
    // A few searches have not converged yet; the bounds apply to the others.
    #expect((0.02...2).contains(RangeScore.quantile(sorted, 0.5)), "\(sorted)")
    #expect(RangeScore.quantile(found.ranges.sorted(), 0.5) < 1, "\(Squares.mean(found.ranges))")
  }
}
