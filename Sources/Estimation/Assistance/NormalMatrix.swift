/// A symmetric 7 by 7 matrix in place, and its inverse.
struct NormalMatrix: Equatable, Sendable {
  static let size = 7
  /// Eight rows; the last and each row's last number stay unused.
  private(set) var rows: [SIMD8<Double>]

  init() { rows = Array(repeating: .zero, count: Self.size) }

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
    let scaled = v * weight
    rows.withUnsafeMutableBufferPointer { rows in
      for index in 0..<Self.size { rows[index] += v[index] * scaled }
    }
  }

  func times(_ v: SIMD8<Double>) -> SIMD8<Double> {
    var result = SIMD8<Double>.zero
    for index in 0..<Self.size { result[index] = (rows[index] * v).sum() }
    return result
  }

  /// Replaces the matrix by its inverse (Gauss–Jordan without pivoting, sound for positive definite ones).
  ///
  /// - Returns: Whether every pivot was positive; otherwise the matrix is of no use.
  mutating func invert() -> Bool {
    for pivot in 0..<Self.size {
      let value = rows[pivot][pivot]
      guard value > 0, value.isFinite else { return false }
      let inverse = 1 / value
      var row = rows[pivot] * inverse
      row[pivot] = inverse
      for index in 0..<Self.size where index != pivot {
        let factor = rows[index][pivot]
        var other = rows[index]
        other[pivot] = 0
        rows[index] = other - factor * row
      }
      rows[pivot] = row
    }
    return true
  }
}
