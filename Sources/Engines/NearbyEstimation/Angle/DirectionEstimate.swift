import NearbyMaths

/// An estimated direction with its uncertainty.
package struct DirectionEstimate: Equatable, Sendable {
  /// Unit vector in the device's frame: x right, y up, z out of the screen.
  package var direction: SIMD3<Double>
  /// Root mean square of the standard deviations along both axes across the direction, radians, greater than
  /// 0.
  package var sigma: Double
  package init(direction: SIMD3<Double>, sigma: Double) {
    self.direction = direction
    self.sigma = sigma
  }

  /// In radians, positive to the right, 0 straight out of the back.
  package var azimuth: Double { Maths.atan2(direction.x, -direction.z) }
  /// In radians, positive up.
  package var elevation: Double {
    let level = direction.x * direction.x + direction.z * direction.z
    return Maths.atan2(direction.y, level.squareRoot())
  }
}
