import Testing
import simd

@Suite("Example in the documentation")
struct DocumentationExampleTests {
  @Test("The documentation's example gives the numbers on its page")
  func example() {
    let deviceFromObject = simd_float4x4(
      SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(3, 0, -4, 1))
    let turn = simd_quatf(angle: .pi / 2, axis: SIMD3(0, 1, 0))
    let worldFromDevice = simd_float4x4(turn)
    let worldFromObject = worldFromDevice * deviceFromObject
    let positionInWorld = simd_make_float3(worldFromObject.columns.3)
    let distance = simd_length(positionInWorld)
    let azimuth = asin(simd_normalize(simd_make_float3(deviceFromObject.columns.3)).x)
    #expect(simd_distance(positionInWorld, SIMD3(-4, 0, -3)) < 1e-5)
    #expect(abs(distance - 5) < 1e-5)
    #expect(abs(azimuth - asin(0.6)) < 1e-6)
  }
}
