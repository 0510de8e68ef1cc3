import NearbySchedule

/// How camera tracking deviates from the truth: a scale error, a slow rotation and a random walk.
///
/// Like that of visual-inertial trackers, the tracked frame has z up, its origin where tracking began and an
/// arbitrary heading.
package struct TrackerDrift: Sendable {
  private var noise: NoiseStream
  private let scale: Double
  /// Radians a second.
  private let yawRate: Double
  private let startYaw: Double
  private var strayedYaw = 0.0
  private var position = SIMD3<Double>.zero
  private var last: (seconds: Double, pose: Pose)?

  /// Draws the tracker's errors: scale 1 % and yaw rate 0.02 °/s, each as a standard deviation.
  ///
  /// - Parameter startYaw: Initial rotation from the world to the track's frame, radians about the vertical;
  ///   drawn at random if `nil`.
  package init(seed: UInt64, startYaw: Double? = nil) {
    noise = NoiseStream(seed: seed, 0x7261_636B)
    scale = 1 + 0.01 * noise.normal()
    yawRate = 0.02 * .pi / 180 * noise.normal()
    let drawn = noise.uniform() * 2 * .pi
    self.startYaw = startYaw ?? drawn
  }

  /// Returns the next true pose as tracked, in the track's frame. Times must not decrease.
  package mutating func track(_ pose: Pose, at time: Duration) -> Pose {
    let seconds = time.inSeconds
    if let last {
      let step = max(0, seconds - last.seconds)
      let root = step.squareRoot()
      // Random walks: 0.1° and 4 mm after one second.
      strayedYaw += yawRate * step + 0.1 * .pi / 180 * root * noise.normal()
      let jitter = SIMD3(noise.normal(), noise.normal(), noise.normal()) * (0.004 * root)
      let moved = pose.positionInWorld - last.pose.positionInWorld
      position += turn * (moved * scale) + jitter
    }
    last = (seconds, pose)
    return Pose(
      positionInWorld: position, worldFromDevice: turn * pose.worldFromDevice,
      velocityInWorld: turn * pose.velocityInWorld)
  }

  /// Like `track(_:at:)` for a pose between two frames: extrapolates from the last pose without updating the
  /// state.
  package func peek(_ pose: Pose) -> Pose {
    let moved = last.map { pose.positionInWorld - $0.pose.positionInWorld } ?? .zero
    return Pose(
      positionInWorld: position + turn * (moved * scale), worldFromDevice: turn * pose.worldFromDevice,
      velocityInWorld: turn * pose.velocityInWorld)
  }

  /// Advances past a frame in which the camera saw nothing. The motion since the last pose is lost from the
  /// track.
  package mutating func miss(_ pose: Pose, at time: Duration) { last = (time.inSeconds, pose) }

  /// True position at the last pose, metres.
  var lastPosition: SIMD3<Double>? { last?.pose.positionInWorld }

  private var turn: Rotation { Rotation(angle: startYaw + strayedYaw, axis: SIMD3(0, 0, 1)) }
}
