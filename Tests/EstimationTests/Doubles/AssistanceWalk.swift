import Foundation
import NearbyEstimation
import TestSupport

/// A simulated device that walks past an object and ranges with it.
struct AssistanceWalk {
  var target = SIMD3(4.0, 3.0, 0.5)
  var seconds = 60.0
  /// Seconds between ranges.
  var interval = 0.1
  var noise = 0.05
  var bias = 0.0
  var arm = SIMD3<Double>.zero
  /// Errors of the tracker: yaw drift in rad/s, and relative scale error.
  var yawRate = 0.0
  var scale = 0.0
  /// Added to the range, as a function of time.
  var disturbance: (Double) -> Double = { _ in 0 }
  /// The object's position as a function of time, if it is carried.
  var carried: ((Double) -> SIMD3<Double>)?
  /// The device's position as a function of time.
  var place: (Double) -> SIMD3<Double> = { _ in .zero }
  var turn: (Double) -> SIMD4<Double> = { _ in SIMD4(0, 0, 0, 1) }

  /// A shorter walk with half the ranges, for many seeds.
  static var brief: AssistanceWalk {
    var walk = AssistanceWalk()
    walk.interval = 0.2
    walk.seconds = 40
    return walk
  }

  struct Step {
    var reading: AssistanceReading
    /// The object in the tracker's frame.
    var targetInTrack: SIMD3<Double>
  }

  static func circle(radius: Double = 1.5, height: Double = 0.5) -> @Sendable (Double) -> SIMD3<Double> {
    { time in
      let angle = time / radius
      return SIMD3(
        radius * cos(angle), radius * sin(angle), height * cos(0.7 * angle))
    }
  }

  /// The steps of one seed.
  func steps(seed: UInt64) -> [Step] {
    var random = RangingRandom(seed: seed)
    var tracked = place(0)
    var before = place(0)
    var steps: [Step] = []
    for index in 0..<Int(seconds / interval) {
      let time = Double(index) * interval
      let truth = place(time)
      let yaw = yawRate * time
      tracked += Self.yawed((truth - before) / (1 + scale), by: yaw)
      before = truth
      let object = carried?(time) ?? target
      let real = DevicePose(positionInWorld: truth, worldFromDevice: turn(time))
      let across = object - real.inWorld(arm)
      let range = (across * across).sum().squareRoot() + bias + noise * random.normal() + disturbance(time)
      let pose = DevicePose(positionInWorld: tracked, worldFromDevice: turn(time))
      let reading = AssistanceReading(
        time: .nanoseconds(Int64(time * 1e9)), pose: pose, antennaInDevice: arm, range: range)
      steps.append(Step(reading: reading, targetInTrack: tracked + Self.yawed(object - truth, by: yaw)))
    }
    return steps
  }

  private static func yawed(_ v: SIMD3<Double>, by angle: Double) -> SIMD3<Double> {
    let (c, s) = (cos(angle), sin(angle))
    return SIMD3(c * v.x - s * v.y, s * v.x + c * v.y, v.z)
  }
}

extension ObjectLocator {
  /// Feeds all steps to the locator, and returns the estimate after each.
  mutating func run(_ steps: [AssistanceWalk.Step]) -> [AssistanceEstimate?] {
    steps.map { step in
      update(step.reading)
      return estimate(at: step.reading.time, pose: step.reading.pose, forwardInDevice: SIMD3(1, 0, 0))
    }
  }
}

/// Distance in the horizontal plane.
func level(_ v: SIMD3<Double>) -> Double { (v.x * v.x + v.y * v.y).squareRoot() }
