// Rotations made from angles, directions and matrices, and matrices made from them.

extension simd_quatf {
  /// The rotation by `angle` radians about the unit vector `axis`, by the right-hand rule.
  @inlinable public init(angle: Float, axis: SIMD3<Float>) {
    self.init(real: cos(angle / 2), imag: sin(angle / 2) * axis)
  }

  /// The shortest rotation that takes the unit vector `from` to the unit vector `to`.
  ///
  /// If they are exactly opposite, any perpendicular axis is possible, and one is chosen.
  @inlinable public init(from: SIMD3<Float>, to: SIMD3<Float>) {
    if dot(from, to) >= 0 {
      self.init(from: from, toWithinRightAngle: to)
      return
    }
    // The half-way vector loses digits as `from` and `to` become opposite. Two rotations by way of it
    // still end exactly at `to`, wherever rounding has put it.
    let sum = from + to
    // Within a few roundings of opposite the sum is noise, and any vector across `from` does.
    let isOpposite = simd.length(sum) <= 64 * Float.ulpOfOne
    let halfway = isOpposite ? simd_quatf.perpendicular(to: from) : normalize(sum)
    self =
      simd_quatf(from: halfway, toWithinRightAngle: to)
      * simd_quatf(from: from, toWithinRightAngle: halfway)
  }

  @inlinable
  init(from: SIMD3<Float>, toWithinRightAngle to: SIMD3<Float>) {
    let halfway = normalize(from + to)
    self.init(real: dot(from, halfway), imag: cross(from, halfway))
  }

  /// A unit vector at a right angle to `vector`.
  @inlinable
  static func perpendicular(to vector: SIMD3<Float>) -> SIMD3<Float> {
    let size = abs(vector)
    let other: SIMD3<Float> =
      if size.x <= size.y && size.x <= size.z {
        SIMD3(1, 0, 0)
      } else if size.y <= size.z {
        SIMD3(0, 1, 0)
      } else {
        SIMD3(0, 0, 1)
      }
    return normalize(cross(vector, other))
  }

  /// The rotation of a matrix whose columns are orthogonal unit vectors, right-handed.
  @inlinable public init(_ rotationMatrix: simd_float3x3) {
    // Shepperd's choice: divide by the largest of the four lanes, so that no digits are lost.
    let (c0, c1, c2) = rotationMatrix.columns
    let trace = c0.x + c1.y + c2.z
    if trace >= 0 {
      let r = 2 * (1 + trace).squareRoot()
      self.init(ix: (c1.z - c2.y) / r, iy: (c2.x - c0.z) / r, iz: (c0.y - c1.x) / r, r: r / 4)
    } else if c0.x >= c1.y && c0.x >= c2.z {
      let r = 2 * (1 - c1.y - c2.z + c0.x).squareRoot()
      self.init(ix: r / 4, iy: (c0.y + c1.x) / r, iz: (c0.z + c2.x) / r, r: (c1.z - c2.y) / r)
    } else if c1.y >= c2.z {
      let r = 2 * (1 - c0.x - c2.z + c1.y).squareRoot()
      self.init(ix: (c0.y + c1.x) / r, iy: r / 4, iz: (c1.z + c2.y) / r, r: (c2.x - c0.z) / r)
    } else {
      let r = 2 * (1 - c0.x - c1.y + c2.z).squareRoot()
      self.init(ix: (c0.z + c2.x) / r, iy: (c1.z + c2.y) / r, iz: r / 4, r: (c0.y - c1.x) / r)
    }
  }

  /// The rotation of a rigid transform; its translation is ignored.
  @inlinable public init(_ rotationMatrix: simd_float4x4) {
    let (c0, c1, c2, _) = rotationMatrix.columns
    self.init(simd_float3x3(simd_make_float3(c0), simd_make_float3(c1), simd_make_float3(c2)))
  }
}

extension simd_float3x3 {
  /// The rotation matrix of a unit quaternion.
  @inlinable public init(_ quaternion: simd_quatf) {
    self.init(
      quaternion.act(SIMD3(1, 0, 0)), quaternion.act(SIMD3(0, 1, 0)), quaternion.act(SIMD3(0, 0, 1)))
  }
}

extension simd_float4x4 {
  /// The transform that rotates by a unit quaternion and moves nothing.
  @inlinable public init(_ quaternion: simd_quatf) {
    let (c0, c1, c2) = simd_float3x3(quaternion).columns
    self.init(SIMD4(c0, 0), SIMD4(c1, 0), SIMD4(c2, 0), SIMD4(0, 0, 0, 1))
  }
}

/// The rotation matrix of a unit quaternion.
@inlinable public func simd_matrix3x3(_ q: simd_quatf) -> simd_float3x3 { simd_float3x3(q) }

/// The transform that rotates by a unit quaternion and moves nothing.
@inlinable public func simd_matrix4x4(_ q: simd_quatf) -> simd_float4x4 { simd_float4x4(q) }
