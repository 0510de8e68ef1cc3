import Foundation
import NearbyEstimation
import NearbySimulator

/// The result of one simulated search.
struct SearchScore {
  var motion: SearchGround.Motion
  /// Medians of the last five horizontal and 3D errors, in metres; infinite if no position was found.
  var final = Double.infinity
  var final3D = Double.infinity
  /// Horizontal error in metres when the search first converged.
  var errorWhenSaid: Double?
  var saidAt: Double?
  /// Of all ranges at which the search was converged, the share with an error over 0.5 m.
  var wrongTime = 0.0
  /// The final squared horizontal error divided by the stated variance.
  var normalised: Double?
  /// Horizontal standard deviation that the geometry allows with unbiased ranges, in metres.
  var bound = Double.infinity
  /// Seconds after which the error stayed under 0.3 m.
  var settledAt: Double?

  var isWellPosed: Bool { bound < 0.1 }
  var isRight: Bool { final < 0.3 }
  var isWrong: Bool { (errorWhenSaid ?? 0) > 0.5 }

  init(_ ground: SearchGround, seed: UInt64, parameters: AssistanceParameters) {
    motion = ground.motion
    let steps = ground.steps(seed: seed)
    var locator = ObjectLocator(parameters)
    var (said, wrong) = (0, 0)
    var latest: [(Double, Double)] = []
    for step in steps {
      let reading = step.reading(arm: ground.arm)
      locator.update(reading)
      let estimate = locator.estimate(
        at: reading.time, pose: reading.pose, forwardInDevice: SIMD3(1, 0, 0))
      guard let estimate, let place = estimate.positionInWorld else { continue }
      let away = place - step.target
      let square = away.x * away.x + away.y * away.y
      if estimate.isConverged {
        said += 1
        if square > 0.25 { wrong += 1 }
        if errorWhenSaid == nil { (errorWhenSaid, saidAt) = (square.squareRoot(), step.seconds) }
      }
      if square > 0.09 { settledAt = nil } else if settledAt == nil { settledAt = step.seconds }
      normalised = square / (estimate.horizontalSigma * estimate.horizontalSigma)
      latest.append((square.squareRoot(), (square + away.z * away.z).squareRoot()))
      if latest.count > 5 { latest.removeFirst() }
    }
    wrongTime = said == 0 ? 0 : Double(wrong) / Double(said)
    guard !latest.isEmpty else { return }
    final = RangeScore.median(latest.map(\.0))
    final3D = RangeScore.median(latest.map(\.1))
    bound = Self.bound(steps, isDrifting: ground.drift.yawWalk > 0)
  }

  /// Assumes ranges with σ = 0.12 m that are independent every 0.5 m, a bias of σ = 0.06 m and a height of σ
  /// = 1 m.
  private static func bound(_ steps: [SearchGround.Step], isDrifting: Bool) -> Double {
    var h = [[Double]](repeating: [0, 0, 0, 0], count: 4)
    (h[2][2], h[3][3]) = (1, 1 / 0.0036)
    guard let last = steps.last, var before = steps.first?.trueAntenna else { return .infinity }
    for step in steps {
      let moved = step.trueAntenna - before
      let way = (moved * moved).sum().squareRoot()
      guard way > 0.05 else { continue }
      before = step.trueAntenna
      let across = last.trueTarget - step.trueAntenna
      let distance = max(0.1, (across * across).sum().squareRoot())
      let gradient = [across.x / distance, across.y / distance, across.z / distance, 1]
      let drift = isDrifting ? pow(2e-3 * distance, 2) * (last.seconds - step.seconds) : 0
      let weight = min(1, way / 0.5) / (0.0144 + drift)
      for i in 0..<4 { for j in 0..<4 { h[i][j] += weight * gradient[i] * gradient[j] } }
    }
    guard let inverse = inverted(h) else { return .infinity }
    return (inverse[0][0] + inverse[1][1]).squareRoot()
  }

  private static func inverted(_ matrix: [[Double]]) -> [[Double]]? {
    var m = matrix
    for pivot in m.indices {
      let value = m[pivot][pivot]
      guard value > 1e-9 else { return nil }
      m[pivot][pivot] = 1
      m[pivot] = m[pivot].map { $0 / value }
      for row in m.indices where row != pivot {
        let factor = m[row][pivot]
        m[row][pivot] = 0
        for column in m.indices { m[row][column] -= factor * m[pivot][column] }
      }
    }
    return m
  }
}

extension SearchGround.Step {
  func reading(arm: SIMD3<Double>) -> AssistanceReading {
    AssistanceReading(
      time: .nanoseconds(Int64(seconds * 1e9)),
      pose: DevicePose(positionInWorld: position, worldFromDevice: orientation), antennaInDevice: arm,
      range: range,
      angles: angles.map {
        AssistanceAngles(azimuth: $0.x, elevation: $0.y, azimuthSigma: 0.07, elevationSigma: 0.07)
      })
  }
}
