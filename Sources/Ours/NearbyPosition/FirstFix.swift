import NearbyMaths

/// Finds a position without a first guess: robust least squares from several starts.
///
/// Each start descends the cost Σ log(1 + e²/s²) (Cauchy's), which a few wild measurements can't bend. The
/// best place counts only if no other place far from it explains the measurements nearly as well, and if the
/// geometry determines all three axes.
struct FirstFix {
  let anchors: AnchorTable
  let window: MeasurementWindow
  /// How many of the window's newest measurements count.
  let count: Int
  let options: PositionOptions

  enum Result {
    case found(SIMD3<Double>, covariance: InlineArray<3, SIMD3<Double>>)
    case failed(PositionUnavailable)
  }

  private struct Candidate {
    var place: SIMD3<Double>
    var cost: Double
  }

  /// Scale of the robust cost, metres.
  private static let scale = 0.3
  private static let steps = 20
  /// Candidates nearer than this are the same place, metres.
  private static let sameness = 1.0
  /// Smallest share of the measurements that must agree within three scales.
  private static let agreement = 0.5

  func solve() -> Result {
    let (low, high, heard) = heardBox()
    let isLevel = options.heights.map { $0.upperBound - $0.lowerBound <= 2 } ?? false
    guard heard >= (isLevel ? 3 : 4) else { return .failed(.tooFewAnchors) }
    guard let (best, rival) = search(low, high) else { return .failed(.geometry) }
    if let rival, rival.cost < best.cost + max(3, 0.1 * Double(count)) { return .failed(.geometry) }
    guard agreeing(at: best.place) >= Self.agreement, anchors.reaches(best.place) else {
      return .failed(.inconsistent)
    }
    guard let covariance = covariance(at: best.place) else { return .failed(.geometry) }
    return .found(best.place, covariance: covariance)
  }

  /// The box around the anchors heard, and their number.
  private func heardBox() -> (low: SIMD3<Double>, high: SIMD3<Double>, heard: Int) {
    var low = SIMD3(repeating: Double.infinity)
    var high = SIMD3(repeating: -Double.infinity)
    var heard: Set<Int> = []
    for age in 0..<count {
      for number in [window[age].from, window[age].to].compactMap({ $0 }) {
        heard.insert(number)
        low = pointwiseMin(low, anchors.place(number))
        high = pointwiseMax(high, anchors.place(number))
      }
    }
    return (low, high, heard.count)
  }

  /// The place of least cost, and the best place far from it.
  private func search(_ low: SIMD3<Double>, _ high: SIMD3<Double>) -> (Candidate, Candidate?)? {
    let middle = 0.5 * (low + high)
    // Flat boxes still start above and below the anchors.
    let half = pointwiseMax(0.5 * (high - low), SIMD3(repeating: 1.5))
    var best: Candidate?
    var rival: Candidate?
    func admit(_ found: Candidate) {
      guard let known = best else { return best = found }
      let isSame = (found.place - known.place).length < Self.sameness
      if found.cost < known.cost {
        if !isSame { rival = known }
        best = found
      } else if !isSame, found.cost < rival?.cost ?? .infinity {
        rival = found
      }
    }
    for start in 0..<11 {
      var place = middle
      if start == 9 { place.z += 2 * half.z } else if start == 10 { place.z -= 2 * half.z }
      if start < 8 {
        for axis in 0..<3 { place[axis] += (start >> axis & 1 == 0 ? -0.6 : 0.6) * half[axis] }
      }
      if let found = descend(from: place, middle, 3 * half.length) { admit(found) }
    }
    // The best may have moved next to what was its rival.
    if let best, let found = rival, (found.place - best.place).length < Self.sameness { rival = nil }
    return best.map { ($0, rival) }
  }

  /// Damped Gauss-Newton with Cauchy weights; `nil` if it leaves the surroundings of the anchors.
  private func descend(from start: SIMD3<Double>, _ middle: SIMD3<Double>, _ reach: Double) -> Candidate? {
    var place = start
    var (cost, normal) = linearised(at: place)
    var damping = 1e-3
    for _ in 0..<Self.steps {
      guard let step = normal.damped(by: damping).solution() else { return nil }
      let length = step.length
      let moved = place + step * min(1, 2 / max(length, 1e-12))
      guard (moved - middle).length < reach else { return nil }
      let (newCost, newNormal) = linearised(at: moved)
      if newCost < cost {
        (place, cost, normal) = (moved, newCost, newNormal)
        damping = max(damping * 0.2, 1e-6)
        if length < 1e-3 { break }
      } else {
        damping *= 8
        if damping > 1e6 { break }
      }
    }
    return Candidate(place: place, cost: cost)
  }

  private func linearised(at place: SIMD3<Double>) -> (cost: Double, NormalEquations) {
    var normal = NormalEquations()
    var cost = 0.0
    for age in 0..<count {
      let (metres, gradient) = window[age].expected(at: place, anchors)
      let residual = window[age].metres - metres
      let scale = max(Self.scale, window[age].sigma)
      let square = residual * residual / (scale * scale)
      cost += Maths.log(1 + square)
      normal.add(gradient, residual, weight: 1 / ((1 + square) * scale * scale))
    }
    if let prior = options.heightPrior {
      let away = prior.mean - place.z
      cost += away * away / prior.variance
      normal.add(SIMD3(0, 0, 1), away, weight: 1 / prior.variance)
    }
    return (cost, normal)
  }

  private func agreeing(at place: SIMD3<Double>) -> Double {
    var agreeing = 0
    for age in 0..<count {
      let residual = window[age].metres - window[age].expected(at: place, anchors).metres
      if residual.magnitude < 3 * max(Self.scale, window[age].sigma) { agreeing += 1 }
    }
    return Double(agreeing) / Double(max(count, 1))
  }

  /// `nil` if an axis is not determined.
  private func covariance(at place: SIMD3<Double>) -> InlineArray<3, SIMD3<Double>>? {
    guard var columns = linearised(at: place).1.inverse() else { return nil }
    let largest = options.largestSigma * options.largestSigma
    for axis in 0..<3 {
      guard columns[axis][axis].isFinite, columns[axis][axis] < largest else { return nil }
      // The anchors' shared errors and the motion within the window.
      columns[axis][axis] += 0.1
    }
    return columns
  }
}

/// The normal equations of a least-squares problem with three unknowns.
struct NormalEquations {
  private var rows = InlineArray<3, SIMD3<Double>>(repeating: .zero)
  private var right = SIMD3<Double>.zero

  mutating func add(_ gradient: SIMD3<Double>, _ residual: Double, weight: Double) {
    for axis in 0..<3 { rows[axis] += weight * gradient[axis] * gradient }
    right += weight * residual * gradient
  }

  func damped(by damping: Double) -> Self {
    var damped = self
    for axis in 0..<3 { damped.rows[axis][axis] += damping * (rows[axis][axis] + 1e-3) }
    return damped
  }

  func solution() -> SIMD3<Double>? {
    inverse().map { $0[0] * right.x + $0[1] * right.y + $0[2] * right.z }
  }

  /// The inverse's columns; `nil` if the matrix is singular.
  func inverse() -> InlineArray<3, SIMD3<Double>>? {
    let first = rows[1].cross(rows[2])
    let determinant = rows[0].dot(first)
    let size = rows[0].length * rows[1].length * rows[2].length
    guard size > 0, determinant.magnitude > 1e-12 * size else { return nil }
    return [
      first / determinant, rows[2].cross(rows[0]) / determinant, rows[0].cross(rows[1]) / determinant,
    ]
  }
}
