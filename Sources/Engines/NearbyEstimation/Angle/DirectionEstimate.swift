import NearbyMaths

/// A direction and how sure the estimator is of it.
package struct DirectionEstimate: Equatable, Sendable {
  /// Unit vector in the device's frame: x right, y up, z out of the screen.
  package var direction: SIMD3<Double>
  /// Standard deviation in each of the two ways across it, radians (root mean square of the two), > 0.
  package var sigma: Double
  package init(direction: SIMD3<Double>, sigma: Double) {
    self.direction = direction
    self.sigma = sigma
  }

  /// Radians, positive to the right, 0 straight out of the back.
  package var azimuth: Double { Maths.atan2(direction.x, -direction.z) }
  /// Radians, positive up.
  package var elevation: Double {
    let level = direction.x * direction.x + direction.z * direction.z
    return Maths.atan2(direction.y, level.squareRoot())
  }
}
