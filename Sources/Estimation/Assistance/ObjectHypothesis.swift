/// One place where the object may be.
package struct ObjectHypothesis: Equatable, Sendable {
  /// `[x, y, z, bias, curve, yaw rate, scale, 0]`, see `PointRangeModel`.
  package var state: SIMD8<Double>
  /// Of the position, metres²: xx, xy, xz, yy, yz, zz.
  package var covariance = SIMD8<Double>.zero
  /// Share among all hypotheses, 0 to 1.
  package var weight = 0.0
  /// Standard deviation of a range as the residuals tell, metres.
  package var rangeSigma: Double
  /// Negative logarithm of its likelihood with all constraints.
  var cost = 0.0
  /// Times it was refined.
  var age = 0

  /// Metres, in the track's frame as it is now.
  package var position: SIMD3<Double> { SIMD3(state[0], state[1], state[2]) }
  var horizontalVariance: Double { covariance[0] + covariance[3] }
  var verticalVariance: Double { covariance[5] }
  /// Of the covariance, metres⁶.
  var determinant: Double {
    let c = covariance
    return c[0] * (c[3] * c[5] - c[4] * c[4]) - c[1] * (c[1] * c[5] - c[4] * c[2])
      + c[2] * (c[1] * c[4] - c[3] * c[2])
  }

  /// Variance along a direction of the world, metres².
  func variance(along u: SIMD3<Double>) -> Double {
    let c = covariance
    return u.x * u.x * c[0] + u.y * u.y * c[3] + u.z * u.z * c[5]
      + 2 * (u.x * u.y * c[1] + u.x * u.z * c[2] + u.y * u.z * c[4])
  }
}
