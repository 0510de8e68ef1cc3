extension Maths {
  /// An angle normalized to −π to π.
  @inlinable package static func wrapped(_ angle: Double) -> Double {
    angle - 2 * .pi * (angle / (2 * .pi)).rounded()
  }
}

/// Metres per second, in vacuum; exact by the definition of the metre.
@inlinable package var speedOfLight: Double { 299_792_458.0 }

extension SIMD3<Double> {
  @inlinable package func dot(_ other: SIMD3<Double>) -> Double { (self * other).sum() }

  @inlinable package func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(
      y * other.z - z * other.y,
      z * other.x - x * other.z,
      x * other.y - y * other.x)
  }

  @inlinable package var length: Double { (self * self).sum().squareRoot() }

  /// The unit vector in the same direction; `fallback` if the vector is shorter than 1e-12 and so has no
  /// direction.
  @inlinable package func normalised(or fallback: SIMD3<Double>) -> SIMD3<Double> {
    let length = length
    return length > 1e-12 ? self / length : fallback
  }
}
