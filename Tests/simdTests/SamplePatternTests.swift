// Only `simd` is imported, as in the apps that have this helper file: it must provide the scalar functions.
import Testing
import simd

extension FloatingPoint {
  fileprivate var degreesToRadians: Self { self * .pi / 180 }
  fileprivate var radiansToDegrees: Self { self * 180 / .pi }
}

private func azimuth(from direction: simd_float3) -> Float {
  asin(direction.x)
}

private func elevation(from direction: simd_float3) -> Float {
  atan2(direction.z, direction.y) + .pi / 2
}

@Suite("Code of apps that import only simd")
struct SamplePatternTests {
  @Test("Azimuth is positive to the right", arguments: [-80, -30, 0, 30, 80] as [Float])
  func azimuthOfDirection(degrees: Float) {
    let angle = degrees.degreesToRadians
    let direction = simd_float3(sin(angle), 0, -cos(angle))
    #expect(abs(azimuth(from: direction).radiansToDegrees - degrees) < 1e-4)
  }

  @Test("Elevation is zero straight ahead and positive up", arguments: [-80, -30, 0, 30, 80] as [Float])
  func elevationOfDirection(degrees: Float) {
    let angle = degrees.degreesToRadians
    let direction = simd_float3(0, sin(angle), -cos(angle))
    #expect(abs(elevation(from: direction).radiansToDegrees - degrees) < 1e-4)
  }

  @Test("The first three lanes of a world transform's fourth column are its position")
  func positionOfTransform() {
    var transform = matrix_identity_float4x4
    transform.columns.3 = simd_float4(1, 2, 3, 1)
    #expect(simd_make_float3(transform.columns.3) == SIMD3(1, 2, 3))
    #expect(SIMD3(transform.columns.3.x, transform.columns.3.y, transform.columns.3.z) == SIMD3(1, 2, 3))
    #expect(transform[3, 1] == 2)
  }

  @Test("Scalar functions are available beside the vector functions of the same name")
  func scalarsBesideVectors() {
    #expect(abs(atan2(1.0, 1.0) - .pi / 4) < 1e-15)
    #expect(abs(asin(Float(1)) - .pi / 2) < 1e-6)
    #expect(abs(-3) == 3)
    #expect(min(1, 2) == 1)
    #expect(max(1.5, 2.5) == 2.5)
    #expect(floor(-0.5) == -1)
    #expect(pow(2.0, 10.0) == 1024)
    #expect(sqrt(Float(9)) == 3)
  }

  @Test("Types have the same sizes as Apple's")
  func layouts() {
    #expect(MemoryLayout<simd_float3>.size == 16)
    #expect(MemoryLayout<simd_double3>.size == 32)
    #expect(MemoryLayout<simd_float3x3>.size == 48)
    #expect(MemoryLayout<simd_float4x4>.size == 64)
    #expect(MemoryLayout<simd_double4x4>.size == 128)
    #expect(MemoryLayout<simd_quatf>.size == 16)
  }

  @Test("An app can conform matrices of both precisions to its own protocol")
  func ownConformances() {
    #expect(simd_float4x4().precision == "single")
    #expect(simd_double4x4().precision == "double")
  }
}

private protocol PrecisionNaming {
  var precision: String { get }
}

extension simd_float4x4: PrecisionNaming {
  fileprivate var precision: String { "single" }
}

extension simd_double4x4: PrecisionNaming {
  fileprivate var precision: String { "double" }
}
