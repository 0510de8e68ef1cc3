import NearbyMaths

/// Learns anchors' lasting errors from measurements of a tag whose places are known.
///
/// Robust least squares (iteratively reweighted, Cauchy weights) over the terms of all anchors together, each
/// drawn towards zero by its prior. Differences determine the constants only up to a common one, which the
/// prior sets to zero in the mean.
public struct AnchorBiasLearner: Sendable {
  private struct Sample: Sendable {
    var from: Int32
    var to: Int32
    var place: SIMD3<Float>
    /// Measured minus true, metres.
    var error: Double
  }

  /// Samples that are stored at most, and anchors that are learned at most; later ones are ignored.
  private static let mostSamples = 400_000
  private static let mostAnchors = 48
  /// Errors beyond this tell nothing about a bias, metres.
  private static let largestError = 3.0
  /// Scale of Cauchy's weights, metres, and passes over the samples.
  private static let scale = 0.3
  private static let passes = 6
  /// Standard deviation of a sample, metres, and the number of neighbouring samples that share one error.
  private static let sigma = 0.25
  private static let shared = 30.0
  /// Prior standard deviations of a direction's factor, the constant and the distance's, metres.
  private static let priors = (direction: 0.2, constant: 0.2, distance: 0.1)

  private let table: AnchorTable
  private var samples: [Sample] = []
  /// Measurements that were ignored: impossible, of unknown anchors, or too many.
  public private(set) var ignored = 0
  /// Measurements that were used.
  public var used: Int { samples.count }

  /// - Throws: `PositionError` if the anchors can't be used.
  public init(anchors: [PositionAnchor]) throws(PositionError) {
    table = try AnchorTable(anchors, heights: nil)
  }

  /// Checks that another recording has the same anchors at the same places.
  ///
  /// - Throws: `anchorMoved` for an anchor that is at another place or unknown here.
  public func check(_ anchors: [PositionAnchor]) throws(PositionError) {
    for anchor in anchors {
      guard let number = table.number(of: anchor.id),
        (table.place(number) - anchor.position).length <= AnchorBias.largestShift
      else { throw .anchorMoved(id: anchor.id) }
    }
  }

  /// Adds a measurement that was taken at a known place, metres in the anchors' frame.
  public mutating func add(_ measurement: PositionMeasurement, at place: SIMD3<Double>) {
    let (from, to) =
      switch measurement.kind {
      case .difference(let from, let to): (table.number(of: from), table.number(of: to))
      case .range(let to): (Int?.some(-1), table.number(of: to))
      }
    guard let from, let to, from != to, samples.count < Self.mostSamples else { return ignored += 1 }
    guard max(from, to) < Self.mostAnchors else { return ignored += 1 }
    var expected = (place - table.place(to)).length
    if from >= 0 { expected -= (place - table.place(from)).length }
    let error = measurement.metres - expected
    // Not a number fails this comparison too.
    guard error.magnitude <= Self.largestError else { return ignored += 1 }
    samples.append(
      // Bounded: below `mostAnchors`.
      Sample(from: Int32(from), to: Int32(to), place: SIMD3<Float>(place), error: error))
  }

  /// The errors that the measurements so far show.
  public func learned() -> AnchorBias {
    let anchors = table.anchors.prefix(Self.mostAnchors)
    let width = AnchorBias.termCount
    var factors = [Double](repeating: 0, count: anchors.count * width)
    for _ in 0..<Self.passes { factors = solved(from: factors) }
    var isHeard = [Bool](repeating: false, count: anchors.count)
    for sample in samples {
      isHeard[Int(sample.to)] = true
      if sample.from >= 0 { isHeard[Int(sample.from)] = true }
    }
    let entries = anchors.enumerated().filter { isHeard[$0.offset] }.map { number, anchor in
      AnchorBias.Entry(
        savedID: anchor.id, position: anchor.position,
        terms: factors[(number * width)..<((number + 1) * width)].map {
          min(max($0, -AnchorBias.largestTerm), AnchorBias.largestTerm)
        })
    }.sorted { $0.id < $1.id }
    return AnchorBias(sorted: entries)
  }

  /// One pass of weighted least squares, with weights from the factors before it.
  private func solved(from factors: [Double]) -> [Double] {
    let width = AnchorBias.termCount
    var system = SymmetricSystem(size: factors.count)
    for index in factors.indices {
      let lane = index % width
      let prior =
        lane == BiasTerms.constant
        ? Self.priors.constant : lane == BiasTerms.distance ? Self.priors.distance : Self.priors.direction
      system.add(diagonal: index, 1 / (prior * prior))
    }
    let information = 1 / (Self.sigma * Self.sigma * Self.shared)
    var row = SparseRow()
    for sample in samples {
      row.removeAll()
      append(&row, anchor: Int(sample.to), sample.place, sign: 1)
      if sample.from >= 0 { append(&row, anchor: Int(sample.from), sample.place, sign: -1) }
      let residual = (sample.error - row.product(factors)) / Self.scale
      system.add(row, sample.error, weight: information / (1 + residual * residual))
    }
    return system.solution() ?? factors
  }

  private func append(_ row: inout SparseRow, anchor: Int, _ place: SIMD3<Float>, sign: Double) {
    let across = SIMD3<Double>(place) - table.place(anchor)
    let distance = across.length
    let terms = BiasTerms(across.normalised(or: SIMD3(0, 0, 1)), distance)
    let base = anchor * AnchorBias.termCount
    for index in 0..<6 where terms.values[index] > 0 {
      row.append(base + terms.corners[index], sign * terms.values[index])
    }
    row.append(base + BiasTerms.constant, sign)
    row.append(base + BiasTerms.distance, sign * terms.farness)
  }
}

/// The values of a row that are not zero.
private struct SparseRow {
  private(set) var entries: [(column: Int, value: Double)] = []

  mutating func removeAll() { entries.removeAll(keepingCapacity: true) }
  mutating func append(_ column: Int, _ value: Double) { entries.append((column, value)) }

  func product(_ factors: [Double]) -> Double {
    entries.reduce(0) { $0 + factors[$1.column] * $1.value }
  }
}

/// Normal equations with a symmetric, positive definite matrix.
private struct SymmetricSystem {
  private let size: Int
  /// Row by row; only the lower triangle is used.
  private var matrix: [Double]
  private var right: [Double]

  init(size: Int) {
    self.size = size
    matrix = Array(repeating: 0, count: size * size)
    right = Array(repeating: 0, count: size)
  }

  mutating func add(diagonal index: Int, _ value: Double) { matrix[index * size + index] += value }

  mutating func add(_ row: SparseRow, _ value: Double, weight: Double) {
    for entry in row.entries {
      let scaled = weight * entry.value
      right[entry.column] += scaled * value
      for other in row.entries where other.column <= entry.column {
        matrix[entry.column * size + other.column] += scaled * other.value
      }
    }
  }

  /// Cholesky's factorisation and two substitutions; `nil` if the matrix is not positive definite.
  func solution() -> [Double]? {
    var lower = matrix
    var x = right
    for row in 0..<size {
      for column in 0...row {
        var sum = lower[row * size + column]
        for index in 0..<column { sum -= lower[row * size + index] * lower[column * size + index] }
        if row == column {
          guard sum > 0, sum.isFinite else { return nil }
          lower[row * size + row] = sum.squareRoot()
        } else {
          lower[row * size + column] = sum / lower[column * size + column]
        }
      }
      for index in 0..<row { x[row] -= lower[row * size + index] * x[index] }
      x[row] /= lower[row * size + row]
    }
    for row in (0..<size).reversed() {
      for index in (row + 1)..<size { x[row] -= lower[index * size + row] * x[index] }
      x[row] /= lower[row * size + row]
    }
    return x
  }
}
