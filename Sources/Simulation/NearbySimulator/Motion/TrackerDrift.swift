import NearbySchedule

/// How a camera's motion tracking strays from the truth: scale, slow turning, random walk.
///
/// The tracked frame has z up, its origin where tracking began and a heading of its own, as visual-inertial
/// trackers have.
package struct TrackerDrift: Sendable {
  private var noise: NoiseStream
  private let scale: Double
  /// Radians a second.
  private let yawRate: Double
  private let startYaw: Double
  private var strayedYaw = 0.0
  private var position = SIMD3<Double>.zero
  private var last: (seconds: Double, pose: Pose)?

  /// A tracker with errors of its own: scale 1 %, yaw 0.02 °/s, each as standard deviation.
  ///
  /// - Parameter startYaw: Turns the world to the track's frame as it begins, radians about the vertical; drawn
  ///   at random when `nil`.
  package init(seed: UInt64, startYaw: Double? = nil) {
    noise = NoiseStream(seed: seed, 0x7261_636B)
    scale = 1 + 0.01 * noise.normal()
    yawRate = 0.02 * .pi / 180 * noise.normal()
    let drawn = noise.uniform() * 2 * .pi
    self.startYaw = startYaw ?? drawn
  }

  /// What the tracker makes of the next true pose, in its own frame. Times must not go back.
  package mutating func track(_ pose: Pose, at time: Duration) -> Pose {
    let seconds = time.inSeconds
    if let last {
      let step = max(0, seconds - last.seconds)
      let root = step.squareRoot()
      // Random walks: 0.1° and 4 mm in a second.
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

  /// As `track`, without remembering it, and straight from the last pose: between two poses of the track.
  package func peek(_ pose: Pose) -> Pose {
    let moved = last.map { pose.positionInWorld - $0.pose.positionInWorld } ?? .zero
    return Pose(
      positionInWorld: position + turn * (moved * scale), worldFromDevice: turn * pose.worldFromDevice,
      velocityInWorld: turn * pose.velocityInWorld)
  }

  /// Time passes without anything to see: the way that the body goes meanwhile is missing from the track.
  package mutating func miss(_ pose: Pose, at time: Duration) { last = (time.inSeconds, pose) }

  /// The true place at the last pose, metres.
  var lastPosition: SIMD3<Double>? { last?.pose.positionInWorld }

  private var turn: Rotation { Rotation(angle: startYaw + strayedYaw, axis: SIMD3(0, 0, 1)) }
}
