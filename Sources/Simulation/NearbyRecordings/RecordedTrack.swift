import NearbyEstimation

/// A recorded path as a function of time, with interpolated positions and orientations.
struct RecordedTrack {
  let poses: [RecordedPose]
  private var segment = 0

  init(_ poses: [RecordedPose]) { self.poses = poses }

  /// The pose at a time; times must not decrease. Outside the path, the nearest end applies. `nil` for an
  /// empty path.
  mutating func pose(at time: Duration) -> DevicePose? {
    guard let first = poses.first else { return nil }
    while segment + 2 < poses.count, poses[segment + 1].time < time { segment += 1 }
    guard segment + 1 < poses.count, time > first.time else { return Self.devicePose(first) }
    let (before, after) = (poses[segment], poses[segment + 1])
    let span = after.time - before.time
    let share = span > .zero ? min(1, max(0, (time - before.time) / span)) : 1
    let sameSide = (before.orientation * after.orientation).sum() < 0 ? -after.orientation : after.orientation
    var turn = before.orientation + share * (sameSide - before.orientation)
    let length = (turn * turn).sum().squareRoot()
    turn = length > 1e-9 ? turn / length : before.orientation
    return DevicePose(
      positionInWorld: before.position + share * (after.position - before.position), worldFromDevice: turn)
  }

  private static func devicePose(_ pose: RecordedPose) -> DevicePose {
    DevicePose(positionInWorld: pose.position, worldFromDevice: pose.orientation)
  }
}
