// What only square matrices have: identity, determinant, inverse.

/// The identity matrix with two rows and columns.
@inlinable public var matrix_identity_float2x2: simd_float2x2 { simd_float2x2(1) }

/// The identity matrix with three rows and columns.
@inlinable public var matrix_identity_float3x3: simd_float3x3 { simd_float3x3(1) }

/// The identity matrix with four rows and columns.
@inlinable public var matrix_identity_float4x4: simd_float4x4 { simd_float4x4(1) }

extension simd_float2x2 {
  /// The determinant; zero if the matrix is singular.
  @inlinable public var determinant: Float {
    columns.0.x * columns.1.y - columns.0.y * columns.1.x
  }

  /// The inverse. If the matrix is singular, elements are NaN or infinite.
  @inlinable public var inverse: simd_float2x2 {
    let (a, b) = columns
    return (1 / determinant) * simd_float2x2(SIMD2(b.y, -a.y), SIMD2(-b.x, a.x))
  }
}

extension simd_float3x3 {
  /// The determinant; zero if the matrix is singular.
  @inlinable public var determinant: Float {
    dot(columns.0, cross(columns.1, columns.2))
  }

  /// The inverse. If the matrix is singular, elements are NaN or infinite.
  @inlinable public var inverse: simd_float3x3 {
    let (a, b, c) = columns
    let rows = simd_float3x3(cross(b, c), cross(c, a), cross(a, b))
    return (1 / dot(a, rows.columns.0)) * rows.transpose
  }
}

extension simd_float4x4 {
  /// The determinant; zero if the matrix is singular.
  @inlinable public var determinant: Float {
    let minors = Minors(of: self)
    return dot(minors.s, minors.v) + dot(minors.t, minors.u)
  }

  /// The inverse. If the matrix is singular, elements are NaN or infinite.
  @inlinable public var inverse: simd_float4x4 {
    let minors = Minors(of: self)
    let (a, b, c, d) = (minors.a, minors.b, minors.c, minors.d)
    let (s, t, u, v) = (minors.s, minors.t, minors.u, minors.v)
    let (c0, c1, c2, c3) = columns
    let scale = 1 / (dot(s, v) + dot(t, u))
    let row0 = SIMD4(cross(b, v) + c1.w * t, -dot(b, t))
    let row1 = SIMD4(cross(v, a) - c0.w * t, dot(a, t))
    let row2 = SIMD4(cross(d, u) + c3.w * s, -dot(d, s))
    let row3 = SIMD4(cross(u, c) - c2.w * s, dot(c, s))
    return simd_float4x4(scale * row0, scale * row1, scale * row2, scale * row3).transpose
  }

  /// The twelve 2×2 minors that determinant and inverse are made of: six of the first two columns (`s`, `u`)
  /// and six of the last two (`t`, `v`), by cross products of the columns' first three lanes `a` to `d`.
  @frozen @usableFromInline
  struct Minors {
    @usableFromInline let a, b, c, d: SIMD3<Float>
    @usableFromInline let s, t, u, v: SIMD3<Float>

    @inlinable
    init(of matrix: simd_float4x4) {
      let (c0, c1, c2, c3) = matrix.columns
      a = simd_make_float3(c0)
      b = simd_make_float3(c1)
      c = simd_make_float3(c2)
      d = simd_make_float3(c3)
      s = cross(a, b)
      t = cross(c, d)
      u = c1.w * a - c0.w * b
      v = c3.w * c - c2.w * d
    }
  }
}

/// The determinant; zero if the matrix is singular.
@inlinable public func simd_determinant(_ x: simd_float2x2) -> Float { x.determinant }

/// The inverse. If the matrix is singular, elements are NaN or infinite.
@inlinable public func simd_inverse(_ x: simd_float2x2) -> simd_float2x2 { x.inverse }

/// The determinant; zero if the matrix is singular.
@inlinable public func simd_determinant(_ x: simd_float3x3) -> Float { x.determinant }

/// The inverse. If the matrix is singular, elements are NaN or infinite.
@inlinable public func simd_inverse(_ x: simd_float3x3) -> simd_float3x3 { x.inverse }

/// The determinant; zero if the matrix is singular.
@inlinable public func simd_determinant(_ x: simd_float4x4) -> Float { x.determinant }

/// The inverse. If the matrix is singular, elements are NaN or infinite.
@inlinable public func simd_inverse(_ x: simd_float4x4) -> simd_float4x4 { x.inverse }
