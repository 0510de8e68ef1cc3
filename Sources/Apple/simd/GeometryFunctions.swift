// Swift-style functions of whole vectors, generic over length and scalar as in CommonFunctions.swift.

/// The dot product.
@inlinable public func dot<V: SIMD>(_ x: V, _ y: V) -> V.Scalar where V.Scalar: FloatingPoint {
  (x * y).sum()
}

/// The cross product, right-handed: x × y = z.
@inlinable public func cross<Scalar: FloatingPoint & SIMDScalar>(
  _ x: SIMD3<Scalar>, _ y: SIMD3<Scalar>
) -> SIMD3<Scalar> {
  let x1 = SIMD3(x.y, x.z, x.x)
  let x2 = SIMD3(x.z, x.x, x.y)
  let y1 = SIMD3(y.y, y.z, y.x)
  let y2 = SIMD3(y.z, y.x, y.y)
  return x1 * y2 - x2 * y1
}

/// The cross product of two vectors in the x-y plane: only its z lane can differ from zero.
@inlinable public func cross<Scalar: FloatingPoint & SIMDScalar>(
  _ x: SIMD2<Scalar>, _ y: SIMD2<Scalar>
) -> SIMD3<Scalar> {
  SIMD3(0, 0, x.x * y.y - x.y * y.x)
}

/// The Euclidean length.
@inlinable public func length<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint {
  length_squared(x).squareRoot()
}

/// The square of the Euclidean length.
@inlinable public func length_squared<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint {
  dot(x, x)
}

/// The sum of the absolute values (taxicab norm).
@inlinable public func norm_one<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint {
  reduce_add(abs(x))
}

/// The largest absolute value (maximum norm).
@inlinable public func norm_inf<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint {
  reduce_max(abs(x))
}

/// The distance between two points, in their unit.
@inlinable public func distance<V: SIMD>(_ x: V, _ y: V) -> V.Scalar where V.Scalar: FloatingPoint {
  length(x - y)
}

/// The square of the distance between two points.
@inlinable public func distance_squared<V: SIMD>(_ x: V, _ y: V) -> V.Scalar
where V.Scalar: FloatingPoint {
  length_squared(x - y)
}

/// The vector of length 1 in the same direction; NaN in every lane for the zero vector.
@inlinable public func normalize<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  x * (1 / length(x))
}

/// The part of `x` along `y`; NaN if `y` is zero.
@inlinable public func project<V: SIMD>(_ x: V, _ y: V) -> V where V.Scalar: FloatingPoint {
  (dot(x, y) / length_squared(y)) * y
}

/// `x` mirrored at the plane whose unit normal is `n`.
@inlinable public func reflect<V: SIMD>(_ x: V, n: V) -> V where V.Scalar: FloatingPoint {
  x - (2 * dot(x, n)) * n
}

/// The direction of a ray with unit direction `x` after refraction by a surface; zero on total reflection.
///
/// `n` is the unit normal that faces the ray, `eta` the refraction index in front of the surface divided by the
/// one behind it.
@inlinable public func refract<V: SIMD>(_ x: V, n: V, eta: V.Scalar) -> V where V.Scalar: FloatingPoint {
  let cosine = dot(x, n)
  let k = 1 - eta * eta * (1 - cosine * cosine)
  guard k >= 0 else { return .zero }
  return eta * x - (eta * cosine + k.squareRoot()) * n
}
