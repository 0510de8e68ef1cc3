import NearbyMaths
import NearbySchedule

/// A phone's camera tracking: the poses it makes of the true ones, 60 a second, and how far they may be trusted.
///
/// Its frame has z up, its origin where tracking began, and its y axis where the back of the device looked
/// then. What it says at a time hangs on the seed, the motion and the surroundings only, not on who asks.
package struct CameraTracker: Sendable {
  /// A sixtieth of a second: chosen, the usual rate of a phone's camera.
  package static let frameInterval = Duration.nanoseconds(16_666_667)

  /// How far its poses may be trusted.
  package enum State: Hashable, Sendable {
    case initializing, excessiveMotion, insufficientFeatures, relocalizing, normal
  }

  /// What there is to see.
  package struct Surroundings: Equatable, Sendable {
    /// Lumens, 0 to 2000.
    package var light = 1000.0
    /// Nothing to hold on to: a blank wall, a covered lens.
    package var isFeatureless = false
    package init() {}
  }

  /// Time it takes to find its feet.
  private static let warmUp = Duration.milliseconds(500)
  /// Light under which nothing is seen, lumens.
  private static let leastLight = 100.0
  /// Turning that blurs every picture, radians a second.
  private static let fastestTurn = 6.0

  private var drift: TrackerDrift
  private let start: Duration
  private var lastFrame: Duration
  private var lastAttitude: Rotation
  private var isTurningFast = false
  private var isBlind = false
  /// When it last could not see.
  private var lastBlind: Duration?

  /// Begins at `time` where the body is.
  package init(seed: UInt64, at time: Duration, _ pose: Pose) {
    let ahead = Self.levelHeading(pose.worldFromDevice)
    // Turning the world to the left by its heading makes a direction the track's north.
    drift = TrackerDrift(seed: seed, startYaw: ahead)
    start = time
    lastFrame = time
    lastAttitude = pose.worldFromDevice
    _ = drift.track(pose, at: time)
  }

  /// Where the back looks, or the top where the back looks at floor or ceiling; clockwise from north.
  private static func levelHeading(_ worldFromDevice: Rotation) -> Double {
    let back = worldFromDevice * SIMD3(0, 0, -1)
    let top = worldFromDevice * SIMD3(0, back.z > 0 ? -1 : 1, 0)
    // The back counts as upright unless it is within 10° of straight up or down: sin² 10° = 0.03. Chosen.
    let ahead = back.x * back.x + back.y * back.y > 0.03 ? back : top
    return Maths.atan2(ahead.x, ahead.y)
  }

  /// Takes all frames up to `time`, the body being where `pose` says at each.
  package mutating func advance(
    to time: Duration, _ surroundings: Surroundings, pose: (Duration) -> Pose
  ) {
    while lastFrame + Self.frameInterval <= time {
      lastFrame += Self.frameInterval
      take(pose(lastFrame), surroundings)
    }
  }

  private mutating func take(_ pose: Pose, _ surroundings: Surroundings) {
    let turned = (lastAttitude.inverse * pose.worldFromDevice).quaternion.w
    let angle = 2 * Maths.acos(clamping: min(1, abs(turned)))
    isTurningFast = angle > Self.fastestTurn * Self.frameInterval.inSeconds
    lastAttitude = pose.worldFromDevice
    isBlind = surroundings.isFeatureless || surroundings.light < Self.leastLight
    if isBlind {
      lastBlind = lastFrame
      drift.miss(pose, at: lastFrame)
    } else {
      _ = drift.track(pose, at: lastFrame)
    }
  }

  /// What it makes of a pose at or shortly after its last frame.
  package func tracked(_ pose: Pose, at time: Duration) -> (pose: Pose, state: State) {
    (drift.peek(isBlind ? lastSeen(pose) : pose), state(at: time))
  }

  /// Blind, it knows how it is turned and stays where it was.
  private func lastSeen(_ pose: Pose) -> Pose {
    var seen = pose
    seen.positionInWorld = drift.lastPosition ?? pose.positionInWorld
    return seen
  }

  private func state(at time: Duration) -> State {
    if isBlind { return .insufficientFeatures }
    if time < start + Self.warmUp { return .initializing }
    if let lastBlind, time < lastBlind + Self.warmUp { return .relocalizing }
    return isTurningFast ? .excessiveMotion : .normal
  }
}
