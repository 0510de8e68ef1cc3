// Swift-style functions that work lane by lane, and the reductions. One generic definition serves
// every vector length, for `Float` and `Double`; optimised builds specialise it where it is called.

/// The absolute value of each lane.
@inlinable public func abs<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  x.replacing(with: V.zero - x, where: x .<= 0)
}

/// The smaller of the two in each lane; a number is preferred to NaN.
@inlinable public func min<V: SIMD>(_ x: V, _ y: V) -> V where V.Scalar: FloatingPoint {
  y.replacing(with: x, where: (x .<= y) .| (y .!= y))
}

/// The smaller of each lane and one scalar; a number is preferred to NaN.
@inlinable public func min<V: SIMD>(_ vector: V, _ scalar: V.Scalar) -> V where V.Scalar: FloatingPoint {
  min(vector, V(repeating: scalar))
}

/// The larger of the two in each lane; a number is preferred to NaN.
@inlinable public func max<V: SIMD>(_ x: V, _ y: V) -> V where V.Scalar: FloatingPoint {
  y.replacing(with: x, where: (x .>= y) .| (y .!= y))
}

/// The larger of each lane and one scalar; a number is preferred to NaN.
@inlinable public func max<V: SIMD>(_ vector: V, _ scalar: V.Scalar) -> V where V.Scalar: FloatingPoint {
  max(vector, V(repeating: scalar))
}

/// Each lane of `x` clamped to `min...max` of its lane; NaN becomes `min`.
@inlinable public func clamp<V: SIMD>(_ x: V, min lower: V, max upper: V) -> V
where V.Scalar: FloatingPoint {
  min(max(x, lower), upper)
}

/// Each lane of `x` clamped to `min...max`; NaN becomes `min`.
@inlinable public func clamp<V: SIMD>(_ x: V, min lower: V.Scalar, max upper: V.Scalar) -> V
where V.Scalar: FloatingPoint {
  clamp(x, min: V(repeating: lower), max: V(repeating: upper))
}

/// From `x` at `t` = 0 to `y` at `t` = 1, each lane with its own `t`; outside 0...1 it extrapolates linearly.
@inlinable public func mix<V: SIMD>(_ x: V, _ y: V, t: V) -> V where V.Scalar: FloatingPoint {
  x + t * (y - x)
}

/// From `x` at `t` = 0 to `y` at `t` = 1; outside 0...1 it extrapolates linearly.
@inlinable public func mix<V: SIMD>(_ x: V, _ y: V, t: V.Scalar) -> V where V.Scalar: FloatingPoint {
  x + t * (y - x)
}

/// −1, 0 or 1 by the sign of each lane; 0 for NaN.
@inlinable public func sign<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  V.zero.replacing(with: -1, where: x .< 0).replacing(with: 1, where: x .> 0)
}

/// 1 / x in each lane; infinity for zero.
@inlinable public func recip<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  1 / x
}

/// 1 / √x in each lane; infinity for zero, NaN below.
@inlinable public func rsqrt<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  1 / x.squareRoot()
}

/// The fraction by which each lane is above the integer at or below it: at least 0 and always less than 1.
@inlinable public func fract<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  // A tiny negative number is so close to its integer's successor that the difference rounds to 1.
  let difference = x - floor(x)
  return difference.replacing(with: V.Scalar(1).nextDown, where: difference .>= 1)
}

/// The largest integer at or below each lane.
@inlinable public func floor<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  x.rounded(.down)
}

/// The smallest integer at or above each lane.
@inlinable public func ceil<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  x.rounded(.up)
}

/// Each lane without its fraction, rounded towards zero.
@inlinable public func trunc<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
  x.rounded(.towardZero)
}

/// 0 where `x` is below `edge`, else 1. The C-style `simd_step` takes the edge first.
@inlinable public func step<V: SIMD>(_ x: V, edge: V) -> V where V.Scalar: FloatingPoint {
  V(repeating: 1).replacing(with: 0, where: x .< edge)
}

/// 0 up to `edge0`, 1 from `edge1`, a smooth 3t² − 2t³ between. The C-style function takes the edges first.
@inlinable public func smoothstep<V: SIMD>(_ x: V, edge0: V, edge1: V) -> V
where V.Scalar: FloatingPoint {
  let t = clamp((x - edge0) / (edge1 - edge0), min: 0, max: 1)
  return t * t * (3 - 2 * t)
}

/// The sum of all lanes.
@inlinable public func reduce_add<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint {
  x.sum()
}

/// The smallest lane.
@inlinable public func reduce_min<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint {
  x.min()
}

/// The largest lane.
@inlinable public func reduce_max<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint {
  x.max()
}
