// swift-format-ignore-file
// Uses every public name of our simd once, with exactly Apple's type.
import simd

enum EveryVectorName {
  static func aliases() {
    let _: (SIMD2<Float>.Type, SIMD3<Float>.Type, SIMD4<Float>.Type) = (simd_float2.self, simd_float3.self, simd_float4.self)
    let _: (SIMD2<Double>.Type, SIMD3<Double>.Type, SIMD4<Double>.Type) =
      (simd_double2.self, simd_double3.self, simd_double4.self)
    let _: SIMD3<Int32>.Type = simd_int3.self
    let _: (SIMD3<Float>.Type, SIMD3<Double>.Type) = (vector_float3.self, vector_double3.self)
    let _: (simd_float3x3.Type, simd_float4x4.Type) = (float3x3.self, float4x4.self)
    let _: (simd_float3x3.Type, simd_float4x4.Type) = (matrix_float3x3.self, matrix_float4x4.self)
    let _: (simd_float3x3, simd_float4x4) = (matrix_identity_float3x3, matrix_identity_float4x4)
  }
  @available(*, deprecated)
  static func oldAliases() {
    let _: (SIMD3<Float>.Type, SIMD4<Float>.Type) = (float3.self, float4.self)
  }

  static func matrix(_ m: simd_float4x4, _ q: simd_quatf) {
    typealias Column = SIMD4<Float>
    let _: WritableKeyPath<simd_float4x4, (Column, Column, Column, Column)> = \.columns
    let _: () -> simd_float4x4 = simd_float4x4.init
    let _: ((Column, Column, Column, Column)) -> simd_float4x4 = simd_float4x4.init(columns:)
    let _: (Float) -> simd_float4x4 = simd_float4x4.init(_:)
    let _: (Column) -> simd_float4x4 = simd_float4x4.init(diagonal:)
    let _: ([Column]) -> simd_float4x4 = simd_float4x4.init(_:)
    let _: ([Column]) -> simd_float4x4 = simd_float4x4.init(rows:)
    let _: (Column, Column, Column, Column) -> simd_float4x4 = simd_float4x4.init(_:_:_:_:)
    let _: (simd_quatf) -> simd_float4x4 = simd_float4x4.init(_:)
    let _: WritableKeyPath<simd_float4x4, Column> = \.[0]
    let _: WritableKeyPath<simd_float4x4, Float> = \.[0, 0]
    let _: KeyPath<simd_float4x4, float4x4> = \.transpose
    let _: KeyPath<simd_float4x4, simd_float4x4> = \.inverse
    let _: KeyPath<simd_float4x4, Float> = \.determinant
    let _: any Equatable & CustomDebugStringConvertible = m
    let _: simd_float4x4 = -(m + m - m)
    let _: (simd_float4x4, simd_float4x4, simd_float4x4) = (2 * m, m * 2, m * m)
    let _: (Column, Column) = (m * Column(), Column() * m)
    let _: (float3x4, float2x4) = (m * float3x4(), m * float2x4())
    var sum = m
    sum += m; sum -= m; sum *= 2; sum *= m
  }
  static func smallMatrix(_ m: simd_float3x3, _ d: simd_double3x3, _ e: simd_double4x4) {
    typealias Column = SIMD3<Float>
    let _: WritableKeyPath<simd_float3x3, (Column, Column, Column)> = \.columns
    let _: ((Column, Column, Column)) -> simd_float3x3 = simd_float3x3.init(columns:)
    let _: (Column) -> simd_float3x3 = simd_float3x3.init(diagonal:)
    let _: ([Column]) -> simd_float3x3 = simd_float3x3.init(rows:)
    let _: (Column, Column, Column) -> simd_float3x3 = simd_float3x3.init(_:_:_:)
    let _: (simd_quatf) -> simd_float3x3 = simd_float3x3.init(_:)
    let _: (simd_float3x3, simd_float3x3, Float) = (m.transpose, m.inverse, m.determinant)
    let _: (simd_double3x3, simd_double4x4, Double) = (d.inverse, e.transpose, e.determinant)
  }

  static func quaternion(_ q: simd_quatf, _ d: simd_quatd) {
    let _: WritableKeyPath<simd_quatf, SIMD4<Float>> = \.vector
    let _: () -> simd_quatf = simd_quatf.init
    let _: (SIMD4<Float>) -> simd_quatf = simd_quatf.init(vector:)
    let _: (Float, Float, Float, Float) -> simd_quatf = simd_quatf.init(ix:iy:iz:r:)
    let _: (Float, SIMD3<Float>) -> simd_quatf = simd_quatf.init(real:imag:)
    let _: (Float, SIMD3<Float>) -> simd_quatf = simd_quatf.init(angle:axis:)
    let _: (SIMD3<Float>, SIMD3<Float>) -> simd_quatf = simd_quatf.init(from:to:)
    let _: (simd_float3x3) -> simd_quatf = simd_quatf.init(_:)
    let _: (simd_float4x4) -> simd_quatf = simd_quatf.init(_:)
    let _: WritableKeyPath<simd_quatf, Float> = \.real
    let _: WritableKeyPath<simd_quatf, SIMD3<Float>> = \.imag
    let _: KeyPath<simd_quatf, Float> = \.angle
    let _: KeyPath<simd_quatf, SIMD3<Float>> = \.axis
    let _: KeyPath<simd_quatf, simd_quatf> = \.conjugate
    let _: KeyPath<simd_quatf, simd_quatf> = \.inverse
    let _: KeyPath<simd_quatf, simd_quatf> = \.normalized
    let _: KeyPath<simd_quatf, Float> = \.length
    let _: (SIMD3<Float>) -> SIMD3<Float> = q.act(_:)
    let _: any Equatable & CustomDebugStringConvertible = q
    let _: simd_quatf = -(q + q - q)
    let _: [simd_quatf] = [q * q, 2 * q, q * 2, q / q, q / 2]
    var product = q
    product += q; product -= q; product *= q; product *= 2; product /= 2; product /= q
    let _: (SIMD4<Double>, Double, SIMD3<Double>) = (d.vector, d.angle, d.act(SIMD3<Double>()))
  }

  /// The functions for vectors of 2, 3 and 4 elements, of Float and of Double.
  static func common<V: SIMD>(_ x: V, _ s: V.Scalar) where V.Scalar: BinaryFloatingPoint {
    let _: (V) -> V = abs(_:)
    let _: (V, V) -> V = min(_:_:)
    let _: (V, V) -> V = max(_:_:)
    let _: (V, V, V) -> V = clamp(_:min:max:)
    let _: (V, V, V) -> V = mix(_:_:t:)
    let _: (V, V, V.Scalar) -> V = mix(_:_:t:)
    let _: [(V) -> V] = [sign(_:), recip(_:), rsqrt(_:), fract(_:), floor(_:), ceil(_:), trunc(_:), normalize(_:)]
    let _: (V, V) -> V = step(_:edge:)
    let _: (V, V, V) -> V = smoothstep(_:edge0:edge1:)
    let _: (V, V) -> V.Scalar = dot(_:_:)
    let _: [(V) -> V.Scalar] = [
      length(_:), length_squared(_:), norm_one(_:), norm_inf(_:), reduce_add(_:), reduce_min(_:), reduce_max(_:),
    ]
    let _: (V, V) -> V.Scalar = distance(_:_:)
    let _: (V, V) -> V.Scalar = distance_squared(_:_:)
    let _: (V, V) -> V = project(_:_:)
    let _: (V, V) -> V = reflect(_:n:)
    let _: (V, V, V.Scalar) -> V = refract(_:n:eta:)
  }
  static func all() {
    common(SIMD2<Float>(), 0); common(SIMD3<Float>(), 0); common(SIMD4<Float>(), 0)
    common(SIMD2<Double>(), 0); common(SIMD3<Double>(), 0); common(SIMD4<Double>(), 0)
  }

  static func functions(_ v: SIMD3<Float>, _ w: SIMD3<Double>) {
    let _: (SIMD3<Float>, SIMD3<Float>) -> SIMD3<Float> = cross(_:_:)
    let _: [(SIMD3<Float>) -> SIMD3<Float>] = [
      sin(_:), cos(_:), tan(_:), asin(_:), acos(_:), atan(_:), exp(_:), log(_:),
    ]
    let _: (SIMD3<Float>, SIMD3<Float>) -> SIMD3<Float> = atan2(_:_:)
    let _: (SIMD3<Double>, SIMD3<Double>) -> SIMD3<Double> = pow(_:_:)
    // simd re-exports the C library's scalar functions.
    let _: (Float, Double) = (asin(Float(0.5)), atan2(1.0, 2.0))
  }

  static func cStyle(_ v: SIMD3<Float>, _ v4: SIMD4<Float>, _ m: simd_float4x4, _ q: simd_quatf) {
    let _: SIMD2<Float> = simd_make_float2(1, 2)
    let _: SIMD3<Float> = simd_make_float3(1, 2, 3)
    let _: SIMD3<Float> = simd_make_float3(v4)
    let _: SIMD4<Float> = simd_make_float4(v, 1)
    let _: [Float] = [
      simd_length(v), simd_length_squared(v), simd_distance(v, v), simd_distance_squared(v, v), simd_dot(v, v),
      simd_determinant(m), simd_angle(q), simd_reduce_add(v),
    ]
    let _: [SIMD3<Float>] = [
      simd_normalize(v), simd_cross(v, v), simd_axis(q), simd_act(q, v), simd_mix(v, v, v), simd_clamp(v, v, v),
      simd_abs(v), simd_min(v, v), simd_max(v, v),
    ]
    let _: simd_float4x4 = simd_mul(m, m)
    let _: SIMD4<Float> = simd_mul(m, v4)
    let _: simd_quatf = simd_mul(q, q)
    let _: simd_float4x4 = matrix_multiply(m, m)
    let _: [simd_float4x4] = [
      simd_transpose(m), simd_inverse(m), simd_matrix(v4, v4, v4, v4), simd_matrix_from_rows(v4, v4, v4, v4),
      simd_diagonal_matrix(v4), simd_matrix4x4(q),
    ]
    let _: simd_float3x3 = simd_matrix3x3(q)
    let _: [simd_quatf] = [
      simd_quaternion(1, v), simd_quaternion(v, v), simd_quaternion(m), simd_quaternion(v4), simd_quaternion(0, 0, 0, 1),
      simd_slerp(q, q, 0.5), simd_slerp_longest(q, q, 0.5), simd_conjugate(q), simd_inverse(q), simd_normalize(q),
    ]
    let _: [Bool] = [simd_equal(m, m), simd_equal(v, v), simd_almost_equal_elements(m, m, 1e-6)]
  }
}
