// The C-style functions of one number; each gives what the vector function gives in one lane.

/// The absolute value.
@inlinable public func simd_abs<Scalar: FloatingPoint>(_ x: Scalar) -> Scalar {
  x.magnitude
}

/// The smaller of the two; a number is preferred to NaN.
@inlinable public func simd_min<Scalar: FloatingPoint>(_ x: Scalar, _ y: Scalar) -> Scalar {
  Scalar.minimum(x, y)
}

/// The larger of the two; a number is preferred to NaN.
@inlinable public func simd_max<Scalar: FloatingPoint>(_ x: Scalar, _ y: Scalar) -> Scalar {
  Scalar.maximum(x, y)
}

/// `x` clamped to `min...max`; NaN becomes `min`.
@inlinable public func simd_clamp<Scalar: FloatingPoint>(
  _ x: Scalar, _ min: Scalar, _ max: Scalar
) -> Scalar {
  simd_min(simd_max(x, min), max)
}

/// From `x` at `t` = 0 to `y` at `t` = 1; outside 0...1 it extrapolates linearly.
@inlinable public func simd_mix<Scalar: FloatingPoint>(_ x: Scalar, _ y: Scalar, _ t: Scalar) -> Scalar {
  x + t * (y - x)
}

/// −1, 0 or 1 by the sign of `x`; 0 for NaN.
@inlinable public func simd_sign<Scalar: FloatingPoint>(_ x: Scalar) -> Scalar {
  if x > 0 { return 1 }
  return x < 0 ? -1 : 0
}

/// 1 / x; infinity for zero.
@inlinable public func simd_recip<Scalar: FloatingPoint>(_ x: Scalar) -> Scalar {
  1 / x
}

/// 1 / √x; infinity for zero, NaN below.
@inlinable public func simd_rsqrt<Scalar: FloatingPoint>(_ x: Scalar) -> Scalar {
  1 / x.squareRoot()
}

/// The fraction by which `x` is above the integer at or below it: at least 0 and always less than 1.
@inlinable public func simd_fract<Scalar: FloatingPoint>(_ x: Scalar) -> Scalar {
  let difference = x - x.rounded(.down)
  return difference >= 1 ? Scalar(1).nextDown : difference
}

/// 0 where `x` is below `edge`, else 1. The edge comes first.
@inlinable public func simd_step<Scalar: FloatingPoint>(_ edge: Scalar, _ x: Scalar) -> Scalar {
  x < edge ? 0 : 1
}

/// 0 up to `edge0`, 1 from `edge1`, a smooth 3t² − 2t³ between. The edges come first.
@inlinable public func simd_smoothstep<Scalar: FloatingPoint>(
  _ edge0: Scalar, _ edge1: Scalar, _ x: Scalar
) -> Scalar {
  let t = simd_clamp((x - edge0) / (edge1 - edge0), 0, 1)
  return t * t * (3 - 2 * t)
}
