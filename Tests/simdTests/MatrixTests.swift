import Testing
import simd

@Suite("Matrices")
struct MatrixTests {
  let a = simd_float4x4(rows: [
    SIMD4(1, 2, 3, 4), SIMD4(5, 6, 7, 8), SIMD4(9, 10, 11, 12), SIMD4(13, 14, 15, 16),
  ])
  /// Its 3×3 part has the determinant 7 + 6 + 2 = 15, calculated by hand.
  let b = simd_double3x3(rows: [SIMD3(2, 0, 1), SIMD3(1, 3, 0), SIMD3(-1, 1, 2)])

  @Test("The default matrix is zero, and a scalar fills the diagonal")
  func making() {
    #expect(simd_float4x4().columns.0 == .zero)
    #expect(simd_float4x4().columns.3 == .zero)
    #expect(simd_float4x4(1) == matrix_identity_float4x4)
    #expect(simd_float3x3(2) == simd_float3x3(diagonal: SIMD3(2, 2, 2)))
    #expect(simd_diagonal_matrix(SIMD2<Double>(3, 4)) == simd_double2x2(SIMD2(3, 0), SIMD2(0, 4)))
    #expect(simd_float2x4(1) == simd_float2x4(SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0)))
  }

  @Test("Storage, subscripts and initialisers are column-major")
  func columnMajor() {
    #expect(a.columns.0 == SIMD4(1, 5, 9, 13))
    #expect(a[3] == SIMD4(4, 8, 12, 16))
    #expect(a[3, 0] == 4)
    #expect(a[0, 3] == 13)
    var changed = a
    changed[1, 2] = -1
    changed[2] = .zero
    #expect(changed.columns.1 == SIMD4(2, 6, -1, 14))
    #expect(changed.columns.2 == .zero)
    let columns = [a.columns.0, a.columns.1, a.columns.2, a.columns.3]
    #expect(simd_float4x4(columns) == a)
    #expect(simd_float4x4(columns: a.columns) == a)
    #expect(simd_matrix(a[0], a[1], a[2], a[3]) == a)
    let flat = simd_matrix_from_rows(SIMD3<Float>(1, 2, 3), SIMD3(4, 5, 6))
    #expect(flat == simd_float3x2(SIMD2(1, 4), SIMD2(2, 5), SIMD2(3, 6)))
    #expect(flat.transpose == simd_float2x3(SIMD3(1, 2, 3), SIMD3(4, 5, 6)))
    #expect(simd_transpose(a).columns.0 == SIMD4(1, 2, 3, 4))
  }

  @Test("Products match values calculated by hand")
  func products() {
    let squared = simd_float4x4(rows: [
      SIMD4(90, 100, 110, 120), SIMD4(202, 228, 254, 280), SIMD4(314, 356, 398, 440),
      SIMD4(426, 484, 542, 600),
    ])
    #expect(a * a == squared)
    #expect(simd_mul(a, a) == squared)
    #expect(matrix_multiply(a, a) == squared)
    #expect(a * SIMD4(1, 0, -1, 2) == SIMD4(6, 14, 22, 30))
    #expect(SIMD4(1, 0, -1, 2) * a == SIMD4(18, 20, 22, 24))
    #expect(simd_mul(a, SIMD4(1, 0, -1, 2)) == SIMD4(6, 14, 22, 30))
    #expect(simd_mul(SIMD4(1, 0, -1, 2), a) == SIMD4(18, 20, 22, 24))
    var product = a
    product *= a
    #expect(product == squared)
  }

  @Test("Products of matrices that are not square have the right shape")
  func unequalSides() {
    let threeByFour = simd_float3x4(rows: [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1), SIMD3(1, 1, 1)])
    let expected3: simd_float3x4 = a * threeByFour
    #expect(expected3.columns.0 == SIMD4(5, 13, 21, 29))
    let twoByFour = simd_float2x4(SIMD4(1, 0, 0, 0), SIMD4(0, 0, 0, 1))
    #expect(a * twoByFour == simd_float2x4(a[0], a[3]))
    let inner: simd_float2x2 = simd_float4x2(SIMD2(1, 2), SIMD2(3, 4), SIMD2(5, 6), SIMD2(7, 8)) * twoByFour
    #expect(inner == simd_float2x2(SIMD2(1, 2), SIMD2(7, 8)))
    #expect(twoByFour * SIMD2(2, 3) == SIMD4(2, 0, 0, 3))
    #expect(SIMD4(1, 2, 3, 4) * twoByFour == SIMD2(1, 4))
  }

  @Test("Addition, subtraction and scaling work element by element")
  func sums() {
    #expect(a + a == 2 * a)
    #expect(a - a == simd_float4x4())
    #expect(-a == a * -1)
    var sum = a
    sum += a
    sum -= a
    sum *= 3
    #expect(sum == 3 * a)
    #expect(simd_add(a, a) == simd_mul(2, a))
    #expect(simd_linear_combination(2, a, -1, a) == a)
    #expect(simd_sub(a, a) == simd_float4x4())
  }

  @Test("Determinants match values calculated by hand")
  func determinants() {
    #expect(simd_float2x2(rows: [SIMD2(1, 2), SIMD2(3, 4)]).determinant == -2)
    #expect(b.determinant == 16)
    #expect(simd_determinant(a) == 0)
    let lower = simd_double4x4(rows: [
      SIMD4(2, 0, 0, 0), SIMD4(9, 3, 0, 0), SIMD4(8, 7, 5, 0), SIMD4(6, 5, 4, -1),
    ])
    #expect(lower.determinant == -30)
    let swapped = simd_float4x4(rows: [
      SIMD4(0, 1, 0, 0), SIMD4(1, 0, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(0, 0, 0, 1),
    ])
    #expect(swapped.determinant == -1)
  }

  @Test("Inverses match values calculated by hand")
  func inverses() {
    #expect(
      simd_double2x2(rows: [SIMD2(1, 2), SIMD2(3, 4)]).inverse
        == simd_double2x2(rows: [SIMD2(-2, 1), SIMD2(1.5, -0.5)]))
    let inverse = simd_double3x3(rows: [SIMD3(6, 1, -3), SIMD3(-2, 5, 1), SIMD3(4, -2, 6)])
    #expect(b.inverse == 0.0625 * inverse)
    let lower = simd_double4x4(rows: [
      SIMD4(1, 0, 0, 0), SIMD4(2, 1, 0, 0), SIMD4(3, 2, 1, 0), SIMD4(4, 3, 2, 1),
    ])
    let inverseOfLower = simd_double4x4(rows: [
      SIMD4(1, 0, 0, 0), SIMD4(-2, 1, 0, 0), SIMD4(1, -2, 1, 0), SIMD4(0, 1, -2, 1),
    ])
    #expect(lower.inverse == inverseOfLower)
    #expect(lower.transpose.inverse == inverseOfLower.transpose)
    #expect(simd_inverse(matrix_identity_float4x4) == matrix_identity_float4x4)
  }

  @Test("Any matrix times its inverse is the identity", arguments: 1...50 as ClosedRange<UInt64>)
  func inverseOfRandom(seed: UInt64) {
    var source = Lottery(state: seed)
    func column() -> SIMD4<Double> { SIMD4.random(in: -1...1, using: &source) }
    let matrix = simd_double4x4(column(), column(), column(), column())
    let scale = 1e-13 / Swift.abs(matrix.determinant)
    #expect(
      simd_almost_equal_elements(matrix * matrix.inverse, matrix_identity_double4x4, scale), "seed \(seed)")
    #expect(
      simd_almost_equal_elements(matrix.inverse * matrix, matrix_identity_double4x4, scale), "seed \(seed)")
  }

  @Test("The inverse of a singular matrix is not finite, and does not trap")
  func singular() {
    let zero = simd_float4x4().inverse
    #expect(!zero[0, 0].isFinite)
    #expect(!zero[3, 3].isFinite)
    #expect(!simd_inverse(a)[0, 0].isFinite)
    #expect(!simd_double3x3().inverse[1, 1].isFinite)
    #expect(!simd_float2x2(rows: [SIMD2(1, 2), SIMD2(2, 4)]).inverse[0, 0].isFinite)
  }

  @Test("Equality is exact, almost-equality has a tolerance, and NaN equals nothing")
  func equality() {
    var near = a
    near[2, 1] += 0.25
    #expect(near != a)
    #expect(simd_equal(a, a))
    #expect(!simd_equal(a, near))
    #expect(simd_almost_equal_elements(a, near, 0.25))
    #expect(!simd_almost_equal_elements(a, near, 0.24))
    #expect(simd_almost_equal_elements_relative(a, near, 0.25 / 7))
    #expect(!simd_almost_equal_elements_relative(a, near, 0.24 / 7))
    near[2, 1] = .nan
    #expect(near != near)
    #expect(!simd_almost_equal_elements(near, near, .infinity))
  }

  @Test("The description shows the columns")
  func description() {
    #expect("\(simd_float2x2(SIMD2(1, 2), SIMD2(3, 4)))" == "simd_float2x2([[1.0, 2.0], [3.0, 4.0]])")
  }

  @Test("An array initialiser requires exactly four columns")
  func columnCount() async {
    await #expect(processExitsWith: .failure) {
      _ = simd_float4x4([SIMD4<Float>](repeating: .zero, count: 3))
    }
    await #expect(processExitsWith: .failure) {
      _ = simd_float4x4([SIMD4<Float>](repeating: .zero, count: 5))
    }
  }
}

/// A small source of repeatable numbers (an LCG whose high bits are folded into the low ones).
struct Lottery: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29) &* 0xBF58_476D_1CE4_E5B9
  }
}
