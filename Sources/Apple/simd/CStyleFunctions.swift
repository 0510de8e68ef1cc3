// C-style names of the vector functions: the same results, with C's argument order.

/// The Euclidean length.
@inlinable public func simd_length<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint {
  length(x)
}

/// The square of the Euclidean length.
@inlinable public func simd_length_squared<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint {
  length_squared(x)
}

/// The sum of the absolute values.
@inlinable public func simd_norm_one<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint {
  norm_one(x)
}

/// The largest absolute value.
@inlinable public func simd_norm_inf<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint {
  norm_inf(x)
}

/// The sum of all lanes.
@inlinable public func simd_reduce_add<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint {
  reduce_add(x)
}

/// The smallest lane.
@inlinable public func simd_reduce_min<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint {
  reduce_min(x)
}

/// The largest lane.
@inlinable public func simd_reduce_max<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint {
  reduce_max(x)
}

/// The dot product.
@inlinable public func simd_dot<V: SIMD>(_ x: V, _ y: V) -> V.Scalar where V.Scalar: FloatingPoint {
  dot(x, y)
}

/// The distance between two points.
@inlinable public func simd_distance<V: SIMD>(_ x: V, _ y: V) -> V.Scalar where V.Scalar: FloatingPoint {
  distance(x, y)
}

/// The square of the distance between two points.
@inlinable public func simd_distance_squared<V: SIMD>(_ x: V, _ y: V) -> V.Scalar
where V.Scalar: FloatingPoint {
  distance_squared(x, y)
}

/// The vector of length 1 in the same direction; NaN for the zero vector.
@inlinable public func simd_normalize<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  normalize(x)
}

/// The absolute value of each lane.
@inlinable public func simd_abs<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  abs(x)
}

/// −1, 0 or 1 by the sign of each lane.
@inlinable public func simd_sign<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  sign(x)
}

/// 1 / x in each lane.
@inlinable public func simd_recip<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  recip(x)
}

/// 1 / √x in each lane.
@inlinable public func simd_rsqrt<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  rsqrt(x)
}

/// The fraction by which each lane is above the integer at or below it.
@inlinable public func simd_fract<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  fract(x)
}

/// The smaller of the two in each lane; a number is preferred to NaN.
@inlinable public func simd_min<V: SIMD>(_ x: V, _ y: V) -> V where V.Scalar: FloatingPoint {
  min(x, y)
}

/// The larger of the two in each lane; a number is preferred to NaN.
@inlinable public func simd_max<V: SIMD>(_ x: V, _ y: V) -> V where V.Scalar: FloatingPoint {
  max(x, y)
}

/// The part of `x` along `y`.
@inlinable public func simd_project<V: SIMD>(_ x: V, _ y: V) -> V where V.Scalar: FloatingPoint {
  project(x, y)
}

/// Each lane of `x` clamped to `min...max` of its lane.
@inlinable public func simd_clamp<V: SIMD>(_ x: V, _ min: V, _ max: V) -> V where V.Scalar: FloatingPoint {
  clamp(x, min: min, max: max)
}

/// From `x` at `t` = 0 to `y` at `t` = 1, lane by lane.
@inlinable public func simd_mix<V: SIMD>(_ x: V, _ y: V, _ t: V) -> V where V.Scalar: FloatingPoint {
  mix(x, y, t: t)
}

/// 0 where `x` is below `edge`, else 1. The edge comes first.
@inlinable public func simd_step<V: SIMD>(_ edge: V, _ x: V) -> V where V.Scalar: FloatingPoint {
  step(x, edge: edge)
}

/// 0 up to `edge0`, 1 from `edge1`, smooth between. The edges come first.
@inlinable public func simd_smoothstep<V: SIMD>(_ edge0: V, _ edge1: V, _ x: V) -> V
where V.Scalar: FloatingPoint {
  smoothstep(x, edge0: edge0, edge1: edge1)
}

/// `x` mirrored at the plane whose unit normal is `n`.
@inlinable public func simd_reflect<V: SIMD>(_ x: V, _ n: V) -> V where V.Scalar: FloatingPoint {
  reflect(x, n: n)
}

/// The direction of the ray `x` after refraction by a surface with normal `n`; zero on total reflection.
@inlinable public func simd_refract<V: SIMD>(_ x: V, _ n: V, _ eta: V.Scalar) -> V
where V.Scalar: FloatingPoint {
  refract(x, n: n, eta: eta)
}

/// Whether all lanes are equal; false if any is NaN.
@inlinable public func simd_equal<V: SIMD>(_ x: V, _ y: V) -> Bool where V.Scalar: FloatingPoint {
  x == y
}

/// The cross product.
@inlinable public func simd_cross<Scalar: FloatingPoint & SIMDScalar>(
  _ x: SIMD3<Scalar>, _ y: SIMD3<Scalar>
) -> SIMD3<Scalar> {
  cross(x, y)
}

/// The cross product of two vectors in the x-y plane.
@inlinable public func simd_cross<Scalar: FloatingPoint & SIMDScalar>(
  _ x: SIMD2<Scalar>, _ y: SIMD2<Scalar>
) -> SIMD3<Scalar> {
  cross(x, y)
}
