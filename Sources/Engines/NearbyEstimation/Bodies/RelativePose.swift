import NearbyMaths

/// Where one body is and how it is turned, as seen from another.
///
/// Both bodies have axes of their own: x forward, y to the left, z up. "In the base" means along the base's
/// axes, from its origin.
package struct RelativePose: Equatable, Sendable {
  /// Origin of the target in the base, metres. If the antennas cannot tell above from below, the height is the
  /// mean of both and its variance contains both.
  package var positionInBase: SIMD3<Double>
  /// Turns vectors along the target's axes into vectors along the base's; unit quaternion x, y, z, w.
  package var baseFromTarget: SIMD4<Double>
  /// Covariance of the position along the base's axes, metres², then of a small turn about them, rad². Each
  /// row holds six values: x, y, z, about x, about y, about z.
  package var covariance: [[Double]]
  /// Distance between both origins, metres, and its standard deviation. It is not the length of
  /// `positionInBase` where the height is a mean.
  package var distance: Double
  package var distanceSigma: Double
  /// Number of ranges that agree with the pose within three standard deviations, and of all that were used.
  package var agreeing: Int
  package var used: Int
  /// Whether the target may as well be at the opposite height, which flat arrays cannot tell apart.
  package var isHeightAmbiguous: Bool

  /// Direction to the target in the base's level plane, radians from x towards y, −π to π.
  package var azimuth: Double { Maths.atan2(positionInBase.y, positionInBase.x) }

  /// Standard deviations of the place along the base's x and y axes, metres.
  package var levelSigmas: SIMD2<Double> {
    SIMD2(max(covariance[0][0], 0).squareRoot(), max(covariance[1][1], 0).squareRoot())
  }

  /// Standard deviation of `azimuth` in radians, at most π/√3, which is that of an unknown direction.
  package var azimuthSigma: Double {
    let (x, y) = (positionInBase.x, positionInBase.y)
    let square = max(x * x + y * y, 1e-6)
    let variance =
      (y * y * covariance[0][0] - 2 * x * y * covariance[0][1] + x * x * covariance[1][1]) / square / square
    return min(max(variance, 0).squareRoot(), .pi / 3.0.squareRoot())
  }

  /// Direction of the target's x axis in the base's level plane, radians from x towards y, −π to π.
  package var yaw: Double {
    let q = baseFromTarget
    return Maths.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z))
  }

  /// Standard deviation of `yaw` in radians, at most π/√3.
  package var yawSigma: Double { min(max(covariance[5][5], 0).squareRoot(), .pi / 3.0.squareRoot()) }
}
