/// How a body moves: its position at any time. Evaluation is at worst logarithmic in the number of points.
package enum Trajectory: Equatable, Sendable {
  /// Rests at a point, metres.
  case standing(SIMD3<Double>)
  /// Walks from waypoint to waypoint.
  case waypoints(WaypointPath)
  /// Replays a recorded or computed track, including its poses.
  case recorded(RecordedPath)

  /// Position and velocity at `seconds` of world time.
  package func motion(at seconds: Double) -> (position: SIMD3<Double>, velocity: SIMD3<Double>) {
    switch self {
    case .standing(let position): (position, .zero)
    case .waypoints(let path): path.motion(at: seconds)
    case .recorded(let path): path.motion(at: seconds)
    }
  }

  /// Greatest speed along the whole trajectory, metres a second.
  package var topSpeed: Double {
    switch self {
    case .standing: 0
    case .waypoints(let path): path.topSpeed
    case .recorded(let path): path.topSpeed
    }
  }
}

/// How a body is oriented while it follows its trajectory.
package enum Facing: Equatable, Sendable {
  case fixed(Rotation)
  /// The back faces the direction of motion; pitch and roll in radians as in `Rotation(heading:pitch:roll:)`.
  case alongMotion(pitch: Double, roll: Double)
  /// The back faces a point in the world, metres.
  case towards(SIMD3<Double>)
  /// The back faces another body.
  case tracking(BodyID)
  /// The attitude stored in the recorded path; upright and facing north on any other trajectory.
  case recorded
}

/// Identifies a body of a world by the order in which it was added.
package struct BodyID: Hashable, Comparable, Sendable {
  package var index: Int
  package init(index: Int) { self.index = index }
  package static func < (left: Self, right: Self) -> Bool { left.index < right.index }
}
