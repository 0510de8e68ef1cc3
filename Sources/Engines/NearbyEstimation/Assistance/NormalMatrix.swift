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

  /// Adds to a row, whose elements before the diagonal `fillLower` has to replace.
  @inline(__always)
  mutating func addRow(_ values: SIMD8<Double>, _ row: Int) { rows[row] += values }

  /// Makes both quadrants on the diagonal symmetric, from their elements above the diagonal.
  mutating func fillLower() {
    for row in 1..<4 {
      for column in 0..<row {
        rows[row][column] = rows[column][row]
        rows[row + 4][column + 4] = rows[column + 4][row + 4]
      }
    }
  }

  /// Adds to the coupling of a side parameter with the state.
  @inline(__always)
  mutating func addSide(_ coupling: SIMD8<Double>, _ side: Int) { sideRows[side] += coupling }

  /// Adds to the coupling of two side parameters, the first of which is not after the second.
  @inline(__always)
  mutating func addCorner(_ value: Double, _ side: Int, _ other: Int) {
    corner[side][other] += value
    if side != other { corner[other][side] += value }
  }

  /// Marginalises the side parameters, so that the matrix describes the state whatever they are.
  ///
  /// - Returns: The logarithm of the eliminated block's determinant; `nil` if a pivot was unusable.
  mutating func eliminateSide(_ gradient: inout SIMD8<Double>, _ sideGradient: inout SIMD4<Double>) -> Double?
  {
    var logarithm = 0.0
    guard eliminateSide(0, &gradient, &sideGradient, &logarithm),
      eliminateSide(1, &gradient, &sideGradient, &logarithm),
      eliminateSide(2, &gradient, &sideGradient, &logarithm),
      eliminateSide(3, &gradient, &sideGradient, &logarithm)
    else { return nil }
    for row in 4..<Self.size { for column in 0..<4 { rows[row][column] = rows[column][row] } }
    return logarithm
  }

  @inline(__always)
  private mutating func eliminateSide(
    _ pivot: Int, _ gradient: inout SIMD8<Double>, _ sideGradient: inout SIMD4<Double>,
    _ logarithm: inout Double
  ) -> Bool {
    let value = corner[pivot][pivot]
    guard value > 1e-280, value < 1e280 else { return false }
    logarithm += Maths.quickLog(value)
    let row = sideRows[pivot]
    // The second antenna's bias, if there is no such antenna.
    if pivot == 3, row == .zero { return true }
    let scaled = row * SIMD8(repeating: 1 / value)
    for index in 0..<4 {
      rows[index] -= SIMD8(repeating: row[index]) * scaled
      rows[index + 4].highHalf -= SIMD4(repeating: row[index + 4]) * scaled.highHalf
    }
    gradient -= SIMD8(repeating: sideGradient[pivot]) * scaled
    for other in 0..<4 where other > pivot {
      let factor = corner[pivot][other] / value
      sideRows[other] -= SIMD8(repeating: factor) * row
      corner[other] -= SIMD4(repeating: factor) * corner[pivot]
      sideGradient[other] -= factor * sideGradient[pivot]
    }
    return true
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

  @inline(__always)
  mutating func add(_ other: NormalMatrix) {
    for index in 0..<Self.size { rows[index] += other.rows[index] }
    for index in 0..<4 {
      sideRows[index] += other.sideRows[index]
      corner[index] += other.corner[index]
    }
  }

  @inline(__always)
  mutating func subtract(_ other: NormalMatrix) {
    for index in 0..<Self.size { rows[index] -= other.rows[index] }
    for index in 0..<4 {
      sideRows[index] -= other.sideRows[index]
      corner[index] -= other.corner[index]
    }
  }

  /// Solves the equations for the state, after `eliminateSide`.
  ///
  /// Eliminates the parameters from the last one to the fourth, which leaves the position's own information.
  /// - Returns: The step; the covariance of the position (xx, xy, xz, yy, yz, zz); and the logarithm of the
  ///   determinant. `nil` if a pivot was not positive.
  mutating func solve(_ gradient: SIMD8<Double>) -> Solution? {
    var gradient = gradient
    var logarithm = 0.0
    // One call a pivot, so that the compiler knows the lanes.
    guard eliminate(7, &gradient, &logarithm), eliminate(6, &gradient, &logarithm),
      eliminate(5, &gradient, &logarithm), eliminate(4, &gradient, &logarithm),
      eliminate(3, &gradient, &logarithm)
    else { return nil }
    guard let (covariance, determinant) = positionCovariance() else { return nil }
    var step = SIMD8<Double>.zero
    step[0] = covariance[0] * gradient[0] + covariance[1] * gradient[1] + covariance[2] * gradient[2]
    step[1] = covariance[1] * gradient[0] + covariance[3] * gradient[1] + covariance[4] * gradient[2]
    step[2] = covariance[2] * gradient[0] + covariance[4] * gradient[1] + covariance[5] * gradient[2]
    for pivot in 3..<Self.size {
      step[pivot] = (gradient[pivot] - (rows[pivot] * step).sum()) / rows[pivot][pivot]
    }
    return Solution(
      step: step, positionCovariance: covariance, logarithm: logarithm + Maths.quickLog(determinant))
  }

  /// Eliminates one parameter from the rows and the gradient before it.
  ///
  /// - Returns: Whether the pivot was positive.
  @inline(__always)
  private mutating func eliminate(_ pivot: Int, _ gradient: inout SIMD8<Double>, _ logarithm: inout Double)
    -> Bool
  {
    let row = rows[pivot]
    let value = row[pivot]
    guard value > 1e-280, value < 1e280 else { return false }
    logarithm += Maths.quickLog(value)
    var scaled = row * SIMD8(repeating: 1 / value)
    for index in 0..<pivot { rows[index] -= SIMD8(repeating: row[index]) * scaled }
    // The pivot's own component is needed for the step.
    for index in pivot..<Self.size { scaled[index] = 0 }
    gradient -= SIMD8(repeating: gradient[pivot]) * scaled
    return true
  }

  struct Solution {
    var step: SIMD8<Double>
    var positionCovariance: SIMD8<Double>
    /// Of the determinant.
    var logarithm: Double
  }

  /// Inverse of the leading block of three, and the block's determinant; `nil` unless it is positive.
  private func positionCovariance() -> (SIMD8<Double>, determinant: Double)? {
    let (xx, xy, xz) = (rows[0][0], rows[0][1], rows[0][2])
    let (yy, yz, zz) = (rows[1][1], rows[1][2], rows[2][2])
    let (a, b, c) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy)
    let determinant = xx * a + xy * b + xz * c
    guard determinant > 1e-280, determinant < 1e280, xx > 0 else { return nil }
    let adjugate = SIMD8(a, b, c, xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy, 0, 0)
    return (adjugate / determinant, determinant)
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
