/// One place where the object may be.
package struct ObjectHypothesis: Equatable, Sendable {
  /// Layout of `PointRangeModel` for an object at rest, of `MovingRangeModel` for a moving one; the position
  /// comes first.
  package var state: SIMD8<Double>
  /// Covariance of the position, metres²: xx, xy, xz, yy, yz, zz.
  package var covariance = SIMD8<Double>.zero
  /// Shift from an antenna's stated place on the device to where it receives, metres, device frame; then the
  /// excess of the second antenna's bias over the first's, metres.
  var side = SIMD4<Float>.zero
  /// Share among all hypotheses, 0 to 1.
  package var weight = 0.0
  /// Standard deviation of a range, estimated from the residuals, metres.
  package var rangeSigma: Double
  /// Whether this hypothesis assumes a steadily moving object.
  package var isMoving = false
  /// Logarithm of how well it explains all constraints, with nuisance parameters integrated out (Laplace).
  var evidence = 0.0
  /// Number of refinements.
  var age = 0

  /// In metres, in the track's frame as it is now.
  package var position: SIMD3<Double> { SIMD3(state[0], state[1], state[2]) }
  /// In m/s; zero for an object at rest.
  package var velocity: SIMD3<Double> { isMoving ? SIMD3(state[4], state[5], state[6]) : .zero }
  var horizontalVariance: Double { covariance[0] + covariance[3] }

  /// Variance along a direction of the world, metres².
  func variance(along u: SIMD3<Double>) -> Double {
    let c = covariance
    return u.x * u.x * c[0] + u.y * u.y * c[3] + u.z * u.z * c[5]
      + 2 * (u.x * u.y * c[1] + u.x * u.z * c[2] + u.y * u.z * c[4])
  }
}
