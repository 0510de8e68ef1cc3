/// One place where the object may be.
package struct ObjectHypothesis: Equatable, Sendable {
  /// Of an object at rest see `PointRangeModel`, of a moving one `MovingRangeModel`: the position comes first.
  package var state: SIMD8<Double>
  /// Of the position, metres²: xx, xy, xz, yy, yz, zz.
  package var covariance = SIMD8<Double>.zero
  /// From where antennas are said to be on the device to where they sense, metres, device frame; and by how much
  /// the second antenna's bias exceeds the first's, metres.
  var side = SIMD4<Float>.zero
  /// Share among all hypotheses, 0 to 1.
  package var weight = 0.0
  /// Standard deviation of a range as the residuals tell, metres.
  package var rangeSigma: Double
  /// Whether the object is taken to move steadily.
  package var isMoving = false
  /// Logarithm of how well it explains all constraints, nuisance parameters integrated out (Laplace).
  var evidence = 0.0
  /// Times it was refined.
  var age = 0

  /// Metres, in the track's frame as it is now.
  package var position: SIMD3<Double> { SIMD3(state[0], state[1], state[2]) }
  /// m/s; zero for an object at rest.
  package var velocity: SIMD3<Double> { isMoving ? SIMD3(state[4], state[5], state[6]) : .zero }
  var horizontalVariance: Double { covariance[0] + covariance[3] }

  /// Variance along a direction of the world, metres².
  func variance(along u: SIMD3<Double>) -> Double {
    let c = covariance
    return u.x * u.x * c[0] + u.y * u.y * c[3] + u.z * u.z * c[5]
      + 2 * (u.x * u.y * c[1] + u.x * u.z * c[2] + u.y * u.z * c[4])
  }
}
