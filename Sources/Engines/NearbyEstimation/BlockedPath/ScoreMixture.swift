import NearbyMaths

/// Two normal groups fitted to weighted scores, by expectation and maximisation.
struct ScoreMixture {
  struct Point {
    var score: Double
    var count: Double
  }
  struct Group {
    var mean: Double
    var variance: Double
    /// Part of the scores, 0 to 1.
    var share: Double

    func density(_ score: Double) -> Double {
      let offset = score - mean
      return share * Maths.exp(-0.5 * offset * offset / variance) / variance.squareRoot()
    }
  }

  private static let rounds = 100
  /// Narrower groups would follow single links.
  private static let leastVariance = 0.09

  private(set) var lower: Group
  private(set) var upper: Group
  /// How much better two groups explain the scores than one, log likelihood a score.
  private(set) var gain = 0.0

  /// - Parameter points: At least one with a positive count, in increasing order of score.
  init(_ points: [Point]) {
    let total = points.reduce(0) { $0 + $1.count }
    let one = Self.group(points, total: total) { _ in 1 }
    let spread = one.variance.squareRoot() / 2
    func start(_ part: Double) -> Group {
      Group(mean: Self.quantile(points, part * total), variance: spread * spread, share: 0.5)
    }
    (lower, upper) = (start(0.2), start(0.8))
    for _ in 0..<Self.rounds {
      let (below, above) = (lower, upper)
      lower = Self.group(points, total: total) { Self.part(of: below, against: above, at: $0) }
      upper = Self.group(points, total: total) { Self.part(of: above, against: below, at: $0) }
    }
    let single = one
    for point in points {
      let two = max(lower.density(point.score) + upper.density(point.score), .leastNormalMagnitude)
      let alone = max(single.density(point.score), .leastNormalMagnitude)
      gain += point.count / total * Maths.log(two / alone)
    }
    if upper.mean < lower.mean { swap(&lower, &upper) }
  }

  /// Where the density between the groups' means is least, and how deep it is against the lower peak.
  func valley() -> (score: Double, depth: Double) {
    let steps = 100
    let density = { (score: Double) in lower.density(score) + upper.density(score) }
    var least = (score: lower.mean, density: Double.infinity)
    for step in 0...steps {
      let score = lower.mean + (upper.mean - lower.mean) * Double(step) / Double(steps)
      let here = density(score)
      if here < least.density { least = (score, here) }
    }
    let peak = max(min(density(lower.mean), density(upper.mean)), .leastNormalMagnitude)
    return (least.score, least.density / peak)
  }

  /// The probability that a score belongs to the first group.
  private static func part(of group: Group, against other: Group, at score: Double) -> Double {
    let (own, others) = (group.density(score), other.density(score))
    return own / max(own + others, .leastNormalMagnitude)
  }

  private static func group(
    _ points: [Point], total: Double, weight: (Double) -> Double
  ) -> Group {
    var (count, sum, squares) = (1e-9, 0.0, 0.0)
    for point in points {
      let part = point.count * weight(point.score)
      count += part
      sum += part * point.score
      squares += part * point.score * point.score
    }
    let mean = sum / count
    return Group(
      mean: mean, variance: max(leastVariance, squares / count - mean * mean), share: count / total)
  }

  private static func quantile(_ points: [Point], _ wanted: Double) -> Double {
    var count = 0.0
    for point in points {
      count += point.count
      if count >= wanted { return point.score }
    }
    return points.last?.score ?? 0
  }
}
