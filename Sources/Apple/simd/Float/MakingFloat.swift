// `simd_make_…`: vectors put together from parts, cut short, or filled up with zeros.

/// The vector with these lanes, in order.
@inlinable public func simd_make_float2(_ x: Float, _ y: Float) -> SIMD2<Float> {
  SIMD2(x, y)
}

/// `x`, followed by zeros.
@inlinable public func simd_make_float2(_ x: Float) -> SIMD2<Float> {
  SIMD2(x, 0)
}

/// The same vector.
@inlinable public func simd_make_float2(_ vector: SIMD2<Float>) -> SIMD2<Float> {
  vector
}

/// The first 2 lanes; the others are dropped.
@inlinable public func simd_make_float2(_ vector: SIMD3<Float>) -> SIMD2<Float> {
  SIMD2(vector.x, vector.y)
}

/// The first 2 lanes; the others are dropped.
@inlinable public func simd_make_float2(_ vector: SIMD4<Float>) -> SIMD2<Float> {
  SIMD2(vector.x, vector.y)
}

/// The vector with these lanes, in order.
@inlinable public func simd_make_float3(_ x: Float, _ y: Float, _ z: Float) -> SIMD3<Float> {
  SIMD3(x, y, z)
}

/// The vector with these lanes, in order.
@inlinable public func simd_make_float3(_ x: Float, _ yz: SIMD2<Float>) -> SIMD3<Float> {
  SIMD3(x, yz.x, yz.y)
}

/// The vector with these lanes, in order.
@inlinable public func simd_make_float3(_ xy: SIMD2<Float>, _ z: Float) -> SIMD3<Float> {
  SIMD3(xy.x, xy.y, z)
}

/// `x`, followed by zeros.
@inlinable public func simd_make_float3(_ x: Float) -> SIMD3<Float> {
  SIMD3(x, 0, 0)
}

/// All lanes of `vector`, followed by zeros.
@inlinable public func simd_make_float3(_ vector: SIMD2<Float>) -> SIMD3<Float> {
  SIMD3(vector.x, vector.y, 0)
}

/// The same vector.
@inlinable public func simd_make_float3(_ vector: SIMD3<Float>) -> SIMD3<Float> {
  vector
}

/// The first 3 lanes; the others are dropped.
@inlinable public func simd_make_float3(_ vector: SIMD4<Float>) -> SIMD3<Float> {
  SIMD3(vector.x, vector.y, vector.z)
}

/// The vector with these lanes, in order.
@inlinable public func simd_make_float4(_ x: Float, _ y: Float, _ z: Float, _ w: Float) -> SIMD4<Float> {
  SIMD4(x, y, z, w)
}

/// The vector with these lanes, in order.
@inlinable public func simd_make_float4(_ x: Float, _ y: Float, _ zw: SIMD2<Float>) -> SIMD4<Float> {
  SIMD4(x, y, zw.x, zw.y)
}

/// The vector with these lanes, in order.
@inlinable public func simd_make_float4(_ x: Float, _ yz: SIMD2<Float>, _ w: Float) -> SIMD4<Float> {
  SIMD4(x, yz.x, yz.y, w)
}

/// The vector with these lanes, in order.
@inlinable public func simd_make_float4(_ xy: SIMD2<Float>, _ z: Float, _ w: Float) -> SIMD4<Float> {
  SIMD4(xy.x, xy.y, z, w)
}

/// The vector with these lanes, in order.
@inlinable public func simd_make_float4(_ x: Float, _ yzw: SIMD3<Float>) -> SIMD4<Float> {
  SIMD4(x, yzw.x, yzw.y, yzw.z)
}

/// The vector with these lanes, in order.
@inlinable public func simd_make_float4(_ xy: SIMD2<Float>, _ zw: SIMD2<Float>) -> SIMD4<Float> {
  SIMD4(xy.x, xy.y, zw.x, zw.y)
}

/// The vector with these lanes, in order.
@inlinable public func simd_make_float4(_ xyz: SIMD3<Float>, _ w: Float) -> SIMD4<Float> {
  SIMD4(xyz.x, xyz.y, xyz.z, w)
}

/// `x`, followed by zeros.
@inlinable public func simd_make_float4(_ x: Float) -> SIMD4<Float> {
  SIMD4(x, 0, 0, 0)
}

/// All lanes of `vector`, followed by zeros.
@inlinable public func simd_make_float4(_ vector: SIMD2<Float>) -> SIMD4<Float> {
  SIMD4(vector.x, vector.y, 0, 0)
}

/// All lanes of `vector`, followed by zeros.
@inlinable public func simd_make_float4(_ vector: SIMD3<Float>) -> SIMD4<Float> {
  SIMD4(vector.x, vector.y, vector.z, 0)
}

/// The same vector.
@inlinable public func simd_make_float4(_ vector: SIMD4<Float>) -> SIMD4<Float> {
  vector
}
