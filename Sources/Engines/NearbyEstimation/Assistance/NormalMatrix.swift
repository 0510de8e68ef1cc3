import NearbyMaths

/// A symmetric 8 by 8 matrix in place, and its inverse.
struct NormalMatrix: Sendable {
  static let size = 8
  private(set) var rows: InlineArray<8, SIMD8<Double>> = InlineArray(repeating: .zero)

  /// What the side parameters have to do with the others, and with each other.
  private(set) var sideRows: InlineArray<4, SIMD8<Double>> = InlineArray(repeating: .zero)
  private(set) var corner: InlineArray<4, SIMD4<Double>> = InlineArray(repeating: .zero)

  subscript(row: Int, column: Int) -> Double { rows[row][column] }

  /// Sets the diagonal, all else to zero.
  mutating func setDiagonal(_ diagonal: SIMD8<Double>, side: SIMD4<Double>) {
    for index in 0..<4 {
      sideRows[index] = .zero
      corner[index] = .zero
      corner[index][index] = side[index]
    }
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
    let (high, scaledHigh) = (v.highHalf, scaled.highHalf)
    for index in 0..<4 {
      rows[index] += SIMD8(repeating: v[index]) * scaled
      rows[index + 4].highHalf += SIMD4(repeating: high[index]) * scaledHigh
    }
  }

  /// Adds `weight · v · vᵀ` of a vector with a side part.
  @inline(__always)
  mutating func addOuter(_ v: SIMD8<Double>, side: SIMD4<Double>, weight: Double) {
    addOuter(v, weight: weight)
    let scaled = v * SIMD8(repeating: weight)
    let scaledSide = side * SIMD4(repeating: weight)
    for index in 0..<4 {
      sideRows[index] += SIMD8(repeating: side[index]) * scaled
      corner[index] += SIMD4(repeating: side[index]) * scaledSide
    }
  }

  /// Takes the side parameters out: what is left is what is known of the others whatever they are.
  ///
  /// - Returns: The logarithm of the determinant of what was taken out; `nil` if it was of no use.
  mutating func eliminateSide(_ gradient: inout SIMD8<Double>, _ sideGradient: inout SIMD4<Double>) -> Double?
  {
    var logarithm = 0.0
    for pivot in 0..<4 {
      let value = corner[pivot][pivot]
      guard value > 1e-280, value < 1e280 else { return nil }
      logarithm += Maths.quickLog(value)
      let row = sideRows[pivot]
      let scaled = row / value
      for index in 0..<4 {
        rows[index] -= SIMD8(repeating: row[index]) * scaled
        rows[index + 4].highHalf -= SIMD4(repeating: row[index + 4]) * scaled.highHalf
      }
      gradient -= sideGradient[pivot] * scaled
      for other in 0..<4 where other > pivot {
        let factor = corner[pivot][other] / value
        sideRows[other] -= SIMD8(repeating: factor) * row
        corner[other] -= factor * corner[pivot]
        sideGradient[other] -= factor * sideGradient[pivot]
      }
    }
    for row in 4..<Self.size { for column in 0..<4 { rows[row][column] = rows[column][row] } }
    return logarithm
  }

  /// The side parameters' step, given that of the others, after they were taken out.
  func sideStep(_ step: SIMD8<Double>, _ sideGradient: SIMD4<Double>) -> SIMD4<Double> {
    var result = SIMD4<Double>.zero
    for pivot in (0..<4).reversed() {
      let known = (sideRows[pivot] * step).sum() + (corner[pivot] * result).sum()
      result[pivot] = (sideGradient[pivot] - known) / corner[pivot][pivot]
    }
    return result
  }

  static func - (a: NormalMatrix, b: NormalMatrix) -> NormalMatrix {
    var result = a
    for index in 0..<size { result.rows[index] -= b.rows[index] }
    for index in 0..<4 {
      result.sideRows[index] -= b.sideRows[index]
      result.corner[index] -= b.corner[index]
    }
    return result
  }

  static func += (a: inout NormalMatrix, b: NormalMatrix) {
    for index in 0..<size { a.rows[index] += b.rows[index] }
    for index in 0..<4 {
      a.sideRows[index] += b.sideRows[index]
      a.corner[index] += b.corner[index]
    }
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
