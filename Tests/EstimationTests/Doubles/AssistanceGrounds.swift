import NearbyEstimation
import NearbySimulator

/// The result of a simulated search, for tests.
struct SearchOutcome {
  var seed: UInt64
  /// Final horizontal error in metres; `nil` without a position.
  var error: Double?
  var last: AssistanceEstimate?
  /// Final height of the object above the device, in metres.
  var height = 0.0
  /// Horizontal error when the search first converged.
  var errorWhenSaid: Double?
  var isRight: Bool { (error ?? .infinity) < 0.3 }
  var isWrong: Bool { (errorWhenSaid ?? 0) > 0.5 }

  init(_ ground: SearchGround, seed: UInt64) {
    self.seed = seed
    var locator = ObjectLocator(
      AssistanceParameters(track: ground.drift.yawWalk > 0 ? .visualInertial : .surveyed))
    for step in ground.steps(seed: seed) {
      let reading = step.reading(arm: ground.arm)
      locator.update(reading)
      last = locator.estimate(at: reading.time, pose: reading.pose)
      height = step.trueTarget.z - step.trueAntenna.z
      error = last?.positionInWorld.map { level($0 - step.target) }
      if errorWhenSaid == nil, last?.isConverged == true { errorWhenSaid = error }
    }
  }
}

extension SearchGround {
  /// A room and a radio with the errors of recordings, and an object at the given distance and height, in a
  /// direction that the seed determines.
  static func room(
    _ motion: Motion, fate: Fate = .stays, distance: Double = 4, height: Double = 0.5,
    isDrifting: Bool = false,
    seed: UInt64
  ) -> SearchGround {
    var ground = SearchGround(motion: motion, fate: fate, isDrifting: isDrifting, seed: seed)
    let length = (ground.target.x * ground.target.x + ground.target.y * ground.target.y).squareRoot()
    ground.target *= distance / length
    ground.target.z = height
    ground.radio = RadioErrors()
    ground.radio.interval = 0.25
    ground.radio.blocked = 0.03
    ground.radio.blockedSeconds = 2
    ground.seconds = 45
    ground.extent = 2
    ground.speed = 1
    return ground
  }
}

extension SearchGround.Step {
  func reading(arm: SIMD3<Double>, angleSigma: Double = 0.07) -> AssistanceReading {
    AssistanceReading(
      time: .nanoseconds(Int64(seconds * 1e9)),
      pose: DevicePose(positionInWorld: position, worldFromDevice: orientation), antennaInDevice: arm,
      range: range,
      angles: angles.map {
        AssistanceAngles(
          azimuth: $0.x, elevation: $0.y, azimuthSigma: angleSigma, elevationSigma: angleSigma)
      })
  }
}
