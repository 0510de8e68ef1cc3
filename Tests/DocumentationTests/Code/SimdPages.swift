import Testing
import simd

@Suite("Code of the pages about simd")
struct SimdPages {
  @Test("The overview's transform gives the expected position, distance and azimuth")
  func overview() {
    let deviceFromObject = simd_float4x4(
      SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(3, 0, -4, 1))
    let turn = simd_quatf(angle: .pi / 2, axis: SIMD3(0, 1, 0))
    let worldFromDevice = simd_float4x4(turn)
    let worldFromObject = worldFromDevice * deviceFromObject
    let positionInWorld = simd_make_float3(worldFromObject.columns.3)
    let distance = simd_length(positionInWorld)
    let azimuth = asin(simd_normalize(simd_make_float3(deviceFromObject.columns.3)).x)
    #expect(simd_length(positionInWorld - SIMD3(-4, 0, -3)) < 1e-5)
    #expect(abs(distance - 5) < 1e-5)
    #expect(abs(azimuth - asin(0.6)) < 1e-5)
  }

  @Test("The article's code gives the expected angles, half-way rotation and inverse")
  func article() {
    let direction = simd_normalize(simd_float3(3, 1, -4))
    let azimuth = atan2(direction.x, -direction.z)
    let elevation = asin(direction.y)
    #expect(abs(azimuth - atan2(3, 4)) < 1e-5 && elevation > 0)

    let before = simd_quatf(angle: 0, axis: simd_float3(0, 1, 0))
    let after = simd_quatf(angle: .pi / 2, axis: simd_float3(0, 1, 0))
    let halfWay = simd_slerp(before, after, 0.5)
    let ahead = halfWay.act(simd_float3(0, 0, -1))
    #expect(abs(atan2(-ahead.x, -ahead.z) - .pi / 4) < 1e-5)

    var worldFromDevice = simd_float4x4(after)
    worldFromDevice.columns.3 = simd_float4(1, 2, 3, 1)
    let deviceFromWorld = worldFromDevice.inverse
    let origin = deviceFromWorld * simd_float4(1, 2, 3, 1)
    #expect(simd_length(origin - simd_float4(0, 0, 0, 1)) < 1e-5)
  }
}
