import NearbyEstimation
import simd

/// Conversions from a device's track (z up) to Apple's world (y up), both in metres.
enum ARWorld {
  /// Converts a vector: the world's x is the track's x, its y is the track's z, and its −z is the track's y,
  /// where the device first looked.
  static func inOrigin(_ v: SIMD3<Double>) -> simd_float3 { simd_float3(Float(v.x), Float(v.z), Float(-v.y)) }

  /// The camera's pose in Apple's world, before the app moves its origin.
  static func originFromCamera(_ pose: DevicePose) -> simd_float4x4 {
    // In portrait, the camera's x axis points to the bottom of the device and its y axis to the right.
    let axes = [SIMD3(0.0, -1, 0), SIMD3(1, 0, 0), SIMD3(0, 0, 1)].map { inOrigin(pose.turned($0)) }
    let place = inOrigin(pose.positionInWorld)
    return simd_float4x4(
      columns: (
        simd_float4(axes[0], 0), simd_float4(axes[1], 0), simd_float4(axes[2], 0), simd_float4(place, 1)
      ))
  }

  /// Removes a transform's scale; `nil` unless the rest is a rotation and translation.
  static func rigid(_ transform: simd_float4x4) -> simd_float4x4? {
    func axis(_ column: simd_float4) -> simd_float3? {
      let vector = simd_float3(column.x, column.y, column.z)
      let length = simd_length(vector)
      return length.isFinite && length > 1e-6 ? vector / length : nil
    }
    let place = transform.columns.3
    guard let x = axis(transform.columns.0), let y = axis(transform.columns.1),
      let z = axis(transform.columns.2), abs(simd_dot(simd_cross(x, y), z) - 1) < 1e-3,
      place.x.isFinite, place.y.isFinite, place.z.isFinite
    else { return nil }
    return simd_float4x4(
      columns: (
        simd_float4(x, 0), simd_float4(y, 0), simd_float4(z, 0), simd_float4(place.x, place.y, place.z, 1)
      ))
  }
}
