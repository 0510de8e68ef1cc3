// C-style names of the quaternion operations, and interpolation between rotations.

/// The quaternion r + ix·i + iy·j + iz·k.
@inlinable public func simd_quaternion(_ ix: Float, _ iy: Float, _ iz: Float, _ r: Float) -> simd_quatf {
  simd_quatf(ix: ix, iy: iy, iz: iz, r: r)
}

/// The quaternion of these four lanes, imaginary part first.
@inlinable public func simd_quaternion(_ xyzr: SIMD4<Float>) -> simd_quatf { simd_quatf(vector: xyzr) }

/// The rotation by `angle` radians about the unit vector `axis`, by the right-hand rule.
@inlinable public func simd_quaternion(_ angle: Float, _ axis: SIMD3<Float>) -> simd_quatf {
  simd_quatf(angle: angle, axis: axis)
}

/// The shortest rotation that takes the unit vector `from` to the unit vector `to`.
@inlinable public func simd_quaternion(_ from: SIMD3<Float>, _ to: SIMD3<Float>) -> simd_quatf {
  simd_quatf(from: from, to: to)
}

/// The rotation of a matrix whose columns are orthogonal unit vectors, right-handed.
@inlinable public func simd_quaternion(_ matrix: simd_float3x3) -> simd_quatf { simd_quatf(matrix) }

/// The rotation of a rigid transform; its translation is ignored.
@inlinable public func simd_quaternion(_ matrix: simd_float4x4) -> simd_quatf { simd_quatf(matrix) }

/// The real part.
@inlinable public func simd_real(_ q: simd_quatf) -> Float { q.real }

/// The imaginary part.
@inlinable public func simd_imag(_ q: simd_quatf) -> SIMD3<Float> { q.imag }

/// The angle of the rotation, 0...2π.
@inlinable public func simd_angle(_ q: simd_quatf) -> Float { q.angle }

/// The unit axis of the rotation; NaN for the identity.
@inlinable public func simd_axis(_ q: simd_quatf) -> SIMD3<Float> { q.axis }

/// `v` rotated by `q`, which must have length 1.
@inlinable public func simd_act(_ q: simd_quatf, _ v: SIMD3<Float>) -> SIMD3<Float> { q.act(v) }

/// The quaternion with the imaginary part negated.
@inlinable public func simd_conjugate(_ q: simd_quatf) -> simd_quatf { q.conjugate }

/// The quaternion that gives 1 when multiplied with `q`; NaN for zero.
@inlinable public func simd_inverse(_ q: simd_quatf) -> simd_quatf { q.inverse }

/// The quaternion of length 1 in the same direction; the identity for zero.
@inlinable public func simd_normalize(_ q: simd_quatf) -> simd_quatf { q.normalized }

/// The length of the quaternion as a four-dimensional vector.
@inlinable public func simd_length(_ q: simd_quatf) -> Float { q.length }

/// The dot product of the quaternions as four-dimensional vectors.
@inlinable public func simd_dot(_ p: simd_quatf, _ q: simd_quatf) -> Float { dot(p.vector, q.vector) }

/// All lanes negated: the same rotation.
@inlinable public func simd_negate(_ q: simd_quatf) -> simd_quatf { -q }

/// The sum, lane by lane.
@inlinable public func simd_add(_ p: simd_quatf, _ q: simd_quatf) -> simd_quatf { p + q }

/// The difference, lane by lane.
@inlinable public func simd_sub(_ p: simd_quatf, _ q: simd_quatf) -> simd_quatf { p - q }

/// The rotation by `q` and then by `p`.
@inlinable public func simd_mul(_ p: simd_quatf, _ q: simd_quatf) -> simd_quatf { p * q }

/// Each lane times `a`.
@inlinable public func simd_mul(_ q: simd_quatf, _ a: Float) -> simd_quatf { q * a }

/// Each lane times `a`.
@inlinable public func simd_mul(_ a: Float, _ q: simd_quatf) -> simd_quatf { a * q }

/// The rotation at `t` on the shorter arc from `q0` (`t` = 0) to `q1` (`t` = 1), at constant speed.
///
/// Both must have length 1. The result ends at `−q1`, the same rotation, if that is nearer.
@inlinable public func simd_slerp(_ q0: simd_quatf, _ q1: simd_quatf, _ t: Float) -> simd_quatf {
  slerpAlongArc(q0, simd_dot(q0, q1) >= 0 ? q1 : -q1, t)
}

/// The rotation at `t` on the longer arc from `q0` (`t` = 0) to `q1` (`t` = 1), at constant speed.
///
/// Both must have length 1. Between equal rotations the longer arc is not unique, and the result is undefined.
@inlinable public func simd_slerp_longest(_ q0: simd_quatf, _ q1: simd_quatf, _ t: Float) -> simd_quatf {
  slerpAlongArc(q0, simd_dot(q0, q1) >= 0 ? -q1 : q1, t)
}

/// Interpolates along the arc between two points of the unit sphere in four dimensions.
@inlinable
func slerpAlongArc(_ q0: simd_quatf, _ q1: simd_quatf, _ t: Float) -> simd_quatf {
  // By two lengths and not by the arc cosine, which loses half of the digits for small angles.
  let angle = 2 * atan2((q0 - q1).length, (q0 + q1).length)
  let s = 1 - t
  let scale = 1 / sineRatio(angle)
  let part0 = sineRatio(s * angle) * scale * s * q0
  let part1 = sineRatio(t * angle) * scale * t * q1
  return (part0 + part1).normalized
}

/// sin(x) / x, which is 1 at zero.
@inlinable
func sineRatio(_ x: Float) -> Float {
  x == 0 ? 1 : sin(x) / x
}
