import NearbyMaths

/// Symmetric 8 by 8 normal matrix of the state, bordered by four side parameters, with in-place inversion.
///
/// The lower left quadrant of `rows` is filled only by `eliminateSide`, which must come before `invert`.
struct NormalMatrix: Sendable {
  static let size = 8
  private(set) var rows: InlineArray<8, SIMD8<Double>> = InlineArray(repeating: .zero)

  /// The side parameters' coupling with the state, and with each other.
  private(set) var sideRows: InlineArray<4, SIMD8<Double>> = InlineArray(repeating: .zero)
  private(set) var corner: InlineArray<4, SIMD4<Double>> = InlineArray(repeating: .zero)

  subscript(row: Int, column: Int) -> Double { rows[row][column] }

  /// Sets the diagonal, and everything else to zero.
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
    // In unoptimised builds, which tests use, vector times vector costs half as much as vector times scalar.
    let scaled = v * SIMD8(repeating: weight)
    let (high, scaledHigh) = (v.highHalf, scaled.highHalf)
    for index in 0..<4 {
      rows[index] += SIMD8(repeating: v[index]) * scaled
      rows[index + 4].highHalf += SIMD4(repeating: high[index]) * scaledHigh
    }
  }

  /// Adds `weight · v · vᵀ` for a vector with a side part.
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

  /// Marginalises the side parameters, so that the matrix describes the state whatever they are.
  ///
  /// - Returns: The logarithm of the eliminated block's determinant; `nil` if a pivot was unusable.
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

  /// Step of the side parameters that belongs to a step of the state, after their elimination.
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

  /// Replaces the matrix by its inverse (Gauss–Jordan without pivoting, which is sound for positive definite
  /// matrices).
  ///
  /// - Returns: The logarithm of its determinant; `nil` if a pivot was not positive, which leaves the matrix
  ///   unusable.
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
