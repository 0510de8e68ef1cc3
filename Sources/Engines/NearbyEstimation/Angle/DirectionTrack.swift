import NearbyMaths

/// A direction on the unit sphere, its rate, and their covariance: the core of `DirectionFilter`.
///
/// Errors live in the tangent plane at the direction, along two axes that move with it, so that nothing wraps
/// and no pole is special. The axes are treated as independent. Source: `Docs/range-filter.md`, section 7.
package struct DirectionTrack: Equatable, Sendable {
  /// Unit vector in the device frame.
  package private(set) var direction: SIMD3<Double>
  /// First tangent axis, a unit vector; the second is `direction × axis`.
  package private(set) var axis: SIMD3<Double>
  /// Angle (always 0 between calls), rate and covariance along each axis, in radians and radians per second.
  package private(set) var along: RangeTrack
  package private(set) var across: RangeTrack

  /// A measured direction with its noise.
  package struct Reading: Equatable, Sendable {
    package var direction: SIMD3<Double>
    /// Unit vectors along which azimuth and elevation grow, and the variances along them, rad².
    var rightward: SIMD3<Double>
    var upward: SIMD3<Double>
    var rightwardVariance: Double
    var upwardVariance: Double

    /// - Parameters: angles and standard deviations (greater than 0) in radians; `floor` is the smallest
    ///   standard deviation used.
    package init(
      azimuth: Double, elevation: Double, azimuthSigma: Double, elevationSigma: Double,
      floor: Double
    ) {
      let (sinA, cosA) = (Maths.sin(azimuth), Maths.cos(azimuth))
      let (sinE, cosE) = (Maths.sin(elevation), Maths.cos(elevation))
      direction = SIMD3(sinA * cosE, sinE, -cosA * cosE)
      rightward = SIMD3(cosA, 0, sinA)
      upward = SIMD3(-sinA * sinE, cosE, cosA * sinE)
      let across = max(azimuthSigma * cosE, floor)
      let up = max(elevationSigma, floor)
      rightwardVariance = across * across
      upwardVariance = up * up
    }

    /// Variance along a tangent axis, rad². Source: `Docs/range-filter.md`, equation 14.
    func variance(along axis: SIMD3<Double>) -> Double {
      let (right, up) = (dot(axis, rightward), dot(axis, upward))
      let share = right * right + up * up
      guard share > 1e-6 else { return max(rightwardVariance, upwardVariance) }
      return (right * right * rightwardVariance + up * up * upwardVariance) / share
    }
  }

  package init(_ sighting: Reading, rateVariance: Double) {
    direction = sighting.direction
    axis = sighting.rightward
    along = RangeTrack(
      distance: 0, rate: 0, distanceVariance: sighting.rightwardVariance,
      rateVariance: rateVariance)
    across = RangeTrack(
      distance: 0, rate: 0, distanceVariance: sighting.upwardVariance, rateVariance: rateVariance)
  }

  /// Root mean square of both axes' standard deviations, radians.
  package var sigma: Double {
    ((along.distanceVariance + across.distanceVariance) / 2).squareRoot()
  }

  /// Offset of another direction from this one along the two axes, radians. Source: `Docs/range-filter.md`,
  /// equation 13.
  package func offset(of other: SIMD3<Double>) -> (along: Double, across: Double) {
    let second = cross(direction, axis)
    let (x, y) = (dot(other, axis), dot(other, second))
    let sine = (x * x + y * y).squareRoot()
    let angle = Maths.atan2(sine, dot(other, direction))
    guard sine > 1e-9 else { return (angle, 0) }
    return (angle * x / sine, angle * y / sine)
  }

  /// Noise variance of a sighting along the two axes, rad².
  package func noise(of sighting: Reading) -> (along: Double, across: Double) {
    (sighting.variance(along: axis), sighting.variance(along: cross(direction, axis)))
  }

  package mutating func predict(over seconds: Double, motion: RangeMotion) {
    along.predict(over: seconds, motion: motion)
    across.predict(over: seconds, motion: motion)
    recentre()
  }

  package mutating func fuse(
    residual: (along: Double, across: Double), variance: (along: Double, across: Double)
  ) {
    along.fuse(residual: residual.along, variance: variance.along)
    across.fuse(residual: residual.across, variance: variance.across)
    recentre()
  }

  /// Moves the direction by the angles along its axes, and transports the axes with it without twist.
  ///
  /// Source: `Docs/range-filter.md`, equation 15.
  private mutating func recentre() {
    let second = cross(direction, axis)
    let step = along.distance * axis + across.distance * second
    along.distance = 0
    across.distance = 0
    let angle = dot(step, step).squareRoot()
    guard angle > 1e-12 else { return }
    let heading = step / angle
    let (sine, cosine) = (Maths.sin(angle), Maths.cos(angle))
    let moved = cosine * direction + sine * heading
    let ahead = dot(axis, heading)
    let carried = axis + ahead * ((cosine - 1) * heading - sine * direction)
    direction = moved / dot(moved, moved).squareRoot()
    let level = carried - dot(carried, direction) * direction
    axis = level / dot(level, level).squareRoot()
  }
}

func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { a.x * b.x + a.y * b.y + a.z * b.z }

func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
