import NearbyMaths
import TestSupport
import Testing

@testable import NearbyEstimation

@Suite("Normal equations of a fit")
struct NormalEquationsTests {
  /// Side parameters come first, then the state.
  private static let size = 12

  /// Random equations as the solver has them, and the same ones as plain rows, whose last column is the gradient.
  private struct Case {
    var equations = NormalEquations()
    var rows: [[Double]]

    init(seed: UInt64, scale: Double) {
      var random = RangingRandom(seed: seed)
      let size = NormalEquationsTests.size
      let diagonal = (0..<size).map { _ in scale * (0.1 + random.uniform()) }
      let gradient = (0..<size).map { _ in scale * random.normal() }
      rows = (0..<size).map { row in (0..<size).map { $0 == row ? diagonal[row] : 0 } + [gradient[row]] }
      equations.matrix.setDiagonal(
        Self.state(diagonal), side: SIMD4(diagonal[0], diagonal[1], diagonal[2], diagonal[3]))
      equations.gradient = Self.state(gradient)
      equations.sideGradient = SIMD4(gradient[0], gradient[1], gradient[2], gradient[3])
      for _ in 0..<20 { add((0..<size).map { _ in random.normal() }, weight: scale * random.uniform()) }
    }

    private static func state(_ v: [Double]) -> SIMD8<Double> {
      SIMD8(v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11])
    }

    private mutating func add(_ v: [Double], weight: Double) {
      let state = Self.state(v)
      equations.matrix.addOuter(state, weight: weight)
      for side in 0..<4 {
        equations.matrix.addSide(weight * v[side] * state, side)
        for other in side..<4 { equations.matrix.addCorner(weight * v[side] * v[other], side, other) }
      }
      for row in v.indices { for column in v.indices { rows[row][column] += weight * v[row] * v[column] } }
    }

    /// Solves the plain rows by Gauss–Jordan elimination, for the gradient or for another right side.
    func solved(for side: [Double]? = nil) -> (solution: [Double], logarithm: Double) {
      var rows = rows
      if let side { for row in rows.indices { rows[row][rows.count] = side[row] } }
      var logarithm = 0.0
      for pivot in rows.indices {
        logarithm += Maths.log(rows[pivot][pivot])
        let scaled = rows[pivot].map { $0 / rows[pivot][pivot] }
        for row in rows.indices {
          let factor = rows[row][pivot]
          rows[row] = row == pivot ? scaled : zip(rows[row], scaled).map { $0 - factor * $1 }
        }
      }
      return (rows.map { $0[rows.count] }, logarithm)
    }
  }

  @Test(
    "Steps, the position's covariance and the determinant are those of plain elimination, however large the numbers",
    arguments: 1...8 as ClosedRange<UInt64>, [1e-30, 1, 1e6, 1e40])
  func solves(seed: UInt64, scale: Double) throws {
    let test = Case(seed: seed, scale: scale)
    var equations = test.equations
    let solved = equations.solve()
    let solution = try #require(solved)
    let (expected, logarithm) = test.solved()
    let side = equations.sideStep(solution.step)
    for index in 0..<8 { #expect(abs(solution.step[index] - expected[4 + index]) < 1e-9) }
    for index in 0..<4 { #expect(abs(side[index] - expected[index]) < 1e-9) }
    // `quickLog` is accurate to 1e-10 for each of up to twelve pivots.
    #expect(abs(solution.determinant.logarithm - logarithm) < 1e-8)
    let pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    for (index, (row, column)) in pairs.enumerated() {
      let unit = (0..<Self.size).map { $0 == 4 + column ? scale : 0 }
      let covariance = test.solved(for: unit).solution[4 + row]
      #expect(abs(solution.positionCovariance[index] * scale - covariance) < 1e-9)
    }
  }

  @Test("Equations that leave the state open are refused")
  func open() {
    var equations = NormalEquations()
    equations.matrix.setDiagonal(SIMD8(1, 1, 1, 1, 0, 1, 1, 1), side: SIMD4(repeating: 1))
    var isSolved = equations.solve() != nil
    #expect(!isSolved)
    equations = NormalEquations()
    equations.matrix.setDiagonal(SIMD8(1, 0, 1, 1, 1, 1, 1, 1), side: SIMD4(repeating: 1))
    isSolved = equations.solve() != nil
    #expect(!isSolved)
  }
}
