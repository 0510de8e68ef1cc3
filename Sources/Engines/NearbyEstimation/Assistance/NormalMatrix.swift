import NearbyMaths

/// Symmetric 8 by 8 normal matrix of the state, bordered by four side parameters, with in-place inversion.
///
/// The lower left quadrant of `rows` is filled only by `eliminateSide`, which must come before `solve` and `invert`.
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
    let low = Self.symmetric(rows[0].lowHalf, rows[1].lowHalf, rows[2].lowHalf, rows[3].lowHalf)
    let high = Self.symmetric(rows[4].highHalf, rows[5].highHalf, rows[6].highHalf, rows[7].highHalf)
    rows[1].lowHalf = low.0
    rows[2].lowHalf = low.1
    rows[3].lowHalf = low.2
    rows[5].highHalf = high.0
    rows[6].highHalf = high.1
    rows[7].highHalf = high.2
  }

  /// Rows 1 to 3 of a block, from its elements above the diagonal.
  @inline(__always)
  private static func symmetric(
    _ a: SIMD4<Double>, _ b: SIMD4<Double>, _ c: SIMD4<Double>, _ d: SIMD4<Double>
  ) -> (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>) {
    (SIMD4(a[1], b[1], b[2], b[3]), SIMD4(a[2], b[2], c[2], c[3]), SIMD4(a[3], b[3], c[3], d[3]))
  }

  /// Fills the lower left quadrant from the upper right one.
  private mutating func fillQuadrant() {
    let (a, b, c, d) = (rows[0].highHalf, rows[1].highHalf, rows[2].highHalf, rows[3].highHalf)
    rows[4].lowHalf = SIMD4(a[0], b[0], c[0], d[0])
    rows[5].lowHalf = SIMD4(a[1], b[1], c[1], d[1])
    rows[6].lowHalf = SIMD4(a[2], b[2], c[2], d[2])
    rows[7].lowHalf = SIMD4(a[3], b[3], c[3], d[3])
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
  /// - Returns: The eliminated block's determinant; `nil` if a pivot was unusable.
  mutating func eliminateSide(
    _ gradient: inout SIMD8<Double>, _ sideGradient: inout SIMD4<Double>
  ) -> Determinant? {
    var determinant = Determinant()
    guard eliminateSide(0, &gradient, &sideGradient, &determinant),
      eliminateSide(1, &gradient, &sideGradient, &determinant),
      eliminateSide(2, &gradient, &sideGradient, &determinant),
      eliminateSide(3, &gradient, &sideGradient, &determinant)
    else { return nil }
    fillQuadrant()
    return determinant
  }

  @inline(__always)
  private mutating func eliminateSide(
    _ pivot: Int, _ gradient: inout SIMD8<Double>, _ sideGradient: inout SIMD4<Double>,
    _ determinant: inout Determinant
  ) -> Bool {
    let value = corner[pivot][pivot]
    guard determinant.multiply(by: value) else { return false }
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
    // Spans, because subscripts of the arrays copy them.
    let (sideRows, corner) = (sideRows.span, corner.span)
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
  /// - Parameter determinant: That of `eliminateSide`, which the pivots multiply.
  /// - Returns: The step, the covariance of the position and the determinant; `nil` if a pivot was not positive.
  mutating func solve(_ gradient: SIMD8<Double>, _ determinant: Determinant) -> Solution? {
    var (gradient, determinant) = (gradient, determinant)
    // One call a pivot, so that the compiler knows the lanes.
    guard eliminate(7, &gradient, &determinant), eliminate(6, &gradient, &determinant),
      eliminate(5, &gradient, &determinant), eliminate(4, &gradient, &determinant),
      eliminate(3, &gradient, &determinant),
      let covariance = positionCovariance(&determinant)
    else { return nil }
    var step = SIMD8<Double>.zero
    step[0] = covariance[0] * gradient[0] + covariance[1] * gradient[1] + covariance[2] * gradient[2]
    step[1] = covariance[1] * gradient[0] + covariance[3] * gradient[1] + covariance[4] * gradient[2]
    step[2] = covariance[2] * gradient[0] + covariance[4] * gradient[1] + covariance[5] * gradient[2]
    for pivot in 3..<Self.size {
      step[pivot] = (gradient[pivot] - (rows[pivot] * step).sum()) / rows[pivot][pivot]
    }
    return Solution(step: step, positionCovariance: covariance, determinant: determinant)
  }

  /// Eliminates one parameter from the rows and the gradient before it.
  ///
  /// - Returns: Whether the pivot was positive.
  @inline(__always)
  private mutating func eliminate(
    _ pivot: Int, _ gradient: inout SIMD8<Double>, _ determinant: inout Determinant
  ) -> Bool {
    let row = rows[pivot]
    let value = row[pivot]
    guard determinant.multiply(by: value) else { return false }
    var scaled = row * SIMD8(repeating: 1 / value)
    for index in 0..<pivot { rows[index] -= SIMD8(repeating: row[index]) * scaled }
    // The pivot's own component is needed for the step.
    for index in pivot..<Self.size { scaled[index] = 0 }
    gradient -= SIMD8(repeating: gradient[pivot]) * scaled
    return true
  }

  struct Solution {
    var step: SIMD8<Double>
    /// xx, xy, xz, yy, yz, zz.
    var positionCovariance: SIMD8<Double>
    var determinant: Determinant
  }

  /// Product of pivots; what would overflow is kept as a logarithm.
  struct Determinant {
    private var product = 1.0
    private var earlier = 0.0

    var logarithm: Double { earlier + Maths.quickLog(product) }

    /// - Returns: Whether the pivot was positive and of usable size.
    @inline(__always)
    mutating func multiply(by pivot: Double) -> Bool {
      guard pivot > 1e-280, pivot < 1e280 else { return false }
      product *= pivot
      // Far from overflow with the next pivot.
      if product < 1e-20 || product > 1e20 {
        earlier += Maths.quickLog(product)
        product = 1
      }
      return true
    }
  }

  /// Inverse of the leading block of three, whose determinant multiplies the others'; `nil` unless it is positive.
  private func positionCovariance(_ total: inout Determinant) -> SIMD8<Double>? {
    let (xx, xy, xz) = (rows[0][0], rows[0][1], rows[0][2])
    let (yy, yz, zz) = (rows[1][1], rows[1][2], rows[2][2])
    let (a, b, c) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy)
    let determinant = xx * a + xy * b + xz * c
    guard total.multiply(by: determinant), xx > 0 else { return nil }
    let adjugate = SIMD8(a, b, c, xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy, 0, 0)
    return adjugate / determinant
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
