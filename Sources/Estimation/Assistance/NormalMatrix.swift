/// A symmetric 8 by 8 matrix in place, and its inverse.
struct NormalMatrix: Sendable {
  static let size = 8
  private(set) var rows: InlineArray<8, SIMD8<Double>> = InlineArray(repeating: .zero)

  subscript(row: Int, column: Int) -> Double { rows[row][column] }

  /// Sets the diagonal, all else to zero.
  mutating func setDiagonal(_ diagonal: SIMD8<Double>) {
    for index in 0..<Self.size {
      rows[index] = .zero
      rows[index][index] = diagonal[index]
    }
  }

  /// Adds `weight · v · vᵀ`.
  @inline(__always)
  mutating func addOuter(_ v: SIMD8<Double>, weight: Double) {
    // Vector times vector throughout: without optimisation, as tests are built, that is half as dear as by a scalar.
    let scaled = v * SIMD8(repeating: weight)
    for index in 0..<Self.size { rows[index] += SIMD8(repeating: v[index]) * scaled }
  }

  static func - (a: NormalMatrix, b: NormalMatrix) -> NormalMatrix {
    var result = a
    for index in 0..<size { result.rows[index] -= b.rows[index] }
    return result
  }

  static func += (a: inout NormalMatrix, b: NormalMatrix) {
    for index in 0..<size { a.rows[index] += b.rows[index] }
  }

  func times(_ v: SIMD8<Double>) -> SIMD8<Double> {
    var result = SIMD8<Double>.zero
    for index in 0..<Self.size { result[index] = (rows[index] * v).sum() }
    return result
  }

  /// Replaces the matrix by its inverse (Gauss–Jordan without pivoting, sound for positive definite ones).
  ///
  /// - Returns: The logarithm of its determinant; `nil` unless every pivot was positive, when it is of no use.
  mutating func invert() -> Double? {
    var logarithm = 0.0
    for pivot in 0..<Self.size {
      let value = rows[pivot][pivot]
      guard value > 1e-280, value < 1e280 else { return nil }
      logarithm += Maths.quickLog(value)
      let inverse = 1 / value
      var row = rows[pivot] * SIMD8(repeating: inverse)
      row[pivot] = inverse
      for index in 0..<Self.size where index != pivot {
        let factor = rows[index][pivot]
        var other = rows[index]
        other[pivot] = 0
        rows[index] = other - SIMD8(repeating: factor) * row
      }
      rows[pivot] = row
    }
    return logarithm
  }
}
