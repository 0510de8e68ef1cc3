import NearbyMaths
import NearbySchedule

/// A phone's camera tracking: turns true poses into tracked ones, 60 a second, and states how far to trust
/// them.
///
/// The tracked frame has z up, its origin where tracking began, and its y axis along the direction in which
/// the device's back pointed at that moment. A result depends only on the seed, the motion and the
/// surroundings, not on when or how often it is queried.
package struct CameraTracker: Sendable {
  /// A sixtieth of a second: chosen, the usual rate of a phone's camera.
  package static let frameInterval = Duration.nanoseconds(16_666_667)

  /// How far the poses can be trusted.
  package enum State: Hashable, Sendable {
    case initializing, excessiveMotion, insufficientFeatures, relocalizing, normal
  }

  /// What the camera has to work with.
  package struct Surroundings: Equatable, Sendable {
    /// Lumens, 0 to 2000.
    package var light = 1000.0
    /// Whether there is nothing to track: a blank wall, a covered lens.
    package var isFeatureless = false
    package init() {}
  }

  /// How long tracking takes to become stable after it starts or sees again.
  private static let warmUp = Duration.milliseconds(500)
  /// Below this light the camera sees nothing, lumens.
  private static let leastLight = 100.0
  /// Turning faster than this blurs every frame, radians a second.
  private static let fastestTurn = 6.0

  private var drift: TrackerDrift
  private let start: Duration
  private var lastFrame: Duration
  private var lastAttitude: Rotation
  private var isTurningFast = false
  private var isBlind = false
  /// Time of the last frame in which the camera could not see.
  private var lastBlind: Duration?

  /// Starts tracking at `time`, at the body's current pose.
  package init(seed: UInt64, at time: Duration, _ pose: Pose) {
    let ahead = Self.levelHeading(pose.worldFromDevice)
    // Rotating the world counterclockwise by this heading turns the direction ahead into the track's +y.
    drift = TrackerDrift(seed: seed, startYaw: ahead)
    start = time
    lastFrame = time
    lastAttitude = pose.worldFromDevice
    _ = drift.track(pose, at: time)
  }

  /// Heading of the device's back, or of its top if the back points at the floor or ceiling; radians
  /// clockwise from north.
  private static func levelHeading(_ worldFromDevice: Rotation) -> Double {
    let back = worldFromDevice * SIMD3(0, 0, -1)
    let top = worldFromDevice * SIMD3(0, back.z > 0 ? -1 : 1, 0)
    // The back counts as upright unless it is within 10° of straight up or down: sin² 10° = 0.03. Chosen.
    let ahead = back.x * back.x + back.y * back.y > 0.03 ? back : top
    return Maths.atan2(ahead.x, ahead.y)
  }

  /// Processes every frame up to `time`. `pose` gives the body's true pose at a frame's time.
  package mutating func advance(
    to time: Duration, _ surroundings: Surroundings, pose: (Duration) -> Pose
  ) {
    while lastFrame + Self.frameInterval <= time {
      lastFrame += Self.frameInterval
      processFrame(pose(lastFrame), surroundings)
    }
  }

  /// Processes one frame with the body at its true `pose`.
  private mutating func processFrame(_ pose: Pose, _ surroundings: Surroundings) {
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

  /// The tracked pose and state for a true pose at, or shortly after, the last frame.
  package func tracked(_ pose: Pose, at time: Duration) -> (pose: Pose, state: State) {
    (drift.peek(isBlind ? lastSeen(pose) : pose), state(at: time))
  }

  /// While blind, the tracker still knows the orientation but keeps the last position.
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
