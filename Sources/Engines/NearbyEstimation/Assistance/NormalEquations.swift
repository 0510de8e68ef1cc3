/// Normal equations of a fit: their solution is the step of the state and of the side parameters.
struct NormalEquations: Sendable {
  var matrix = NormalMatrix()
  var gradient = SIMD8<Double>.zero
  var sideGradient = SIMD4<Double>.zero

  @inline(__always)
  static func += (a: inout NormalEquations, b: NormalEquations) {
    a.matrix.add(b.matrix)
    a.gradient += b.gradient
    a.sideGradient += b.sideGradient
  }

  @inline(__always)
  mutating func subtract(_ other: NormalEquations) {
    matrix.subtract(other.matrix)
    gradient -= other.gradient
    sideGradient -= other.sideGradient
  }

  /// Solves the equations, which leaves them usable for `sideStep` only.
  ///
  /// - Returns: The solution, with the determinant of all equations; `nil` if a pivot was not positive.
  mutating func solve() -> NormalMatrix.Solution? {
    guard let determinant = matrix.eliminateSide(&gradient, &sideGradient) else { return nil }
    return matrix.solve(gradient, determinant)
  }

  /// Step of the side parameters that belongs to the state's.
  func sideStep(_ step: SIMD8<Double>) -> SIMD4<Double> { matrix.sideStep(step, sideGradient) }
}
