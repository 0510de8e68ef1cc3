import NearbyMaths

/// Learns how a site's scores have to be shifted so that blocked and direct paths lie on the two sides of 0.
///
/// Another radio or another building shifts all scores alike. Where both kinds of path occur, the scores form two groups,
/// and the valley between them is the right threshold. Where only one kind occurs there is no valley that means
/// anything, and shifting to one would call half of the paths blocked. So a site is adapted only if the two groups are
/// as far apart as the two kinds are elsewhere, and the valley is near the usual threshold.
package struct BlockedPathSite: Equatable, Sendable {
  /// The scores to add to this, or the reason to leave them.
  package enum Adaptation: Equatable, Sendable {
    /// Subtract this from every score, log odds.
    case shifted(Double)
    /// Fewer than `leastRows` scores.
    case tooFewRows(Int)
    /// The scores form one group, or two that are too close to be the two kinds of path.
    case oneGroup
    /// There are two groups, but the valley is too far from the usual threshold.
    case tooFar(Double)
  }

  package static let leastRows = 300
  /// Two groups explain the scores better than one by at least this log likelihood a row.
  private static let leastGain = 0.1
  /// Least distance of the groups, in log odds and in root mean square spreads of theirs. Elsewhere the kinds are 5.5
  /// apart.
  private static let leastDistance = 4.5
  private static let leastSeparation = 3.0
  /// Largest density in the valley, relative to the lower of the two groups' peaks.
  private static let deepestValley = 0.5
  private static let leastShare = 0.1
  private static let largestShift = 2.0

  /// Scores outside count in the outermost bin.
  private static let bounds = -12.0..<12.0
  private static let width = 0.1
  private static let bins = 240
  private var counts = [Double](repeating: 0, count: bins)
  private var rows = 0

  package init() {}

  /// Adds the score of one row; one that is not finite is ignored.
  package mutating func add(score: Double) {
    guard score.isFinite else { return }
    let inside = min(max(score, Self.bounds.lowerBound), Self.bounds.upperBound.nextDown)
    // Bounded: `inside` is within `bounds`, and `bins` of `width` cover these.
    counts[min(Int((inside - Self.bounds.lowerBound) / Self.width), Self.bins - 1)] += 1
    rows += 1
  }

  package func adaptation() -> Adaptation {
    guard rows >= Self.leastRows else { return .tooFewRows(rows) }
    let points = counts.indices.filter { counts[$0] > 0 }.map { bin in
      ScoreMixture.Point(
        score: Self.bounds.lowerBound + (Double(bin) + 0.5) * Self.width, count: counts[bin])
    }
    let mixture = ScoreMixture(points)
    let distance = mixture.upper.mean - mixture.lower.mean
    let variance = (mixture.lower.variance + mixture.upper.variance) / 2
    let valley = mixture.valley()
    guard mixture.gain >= Self.leastGain, distance >= Self.leastDistance,
      distance >= Self.leastSeparation * variance.squareRoot(), valley.depth <= Self.deepestValley,
      min(mixture.lower.share, mixture.upper.share) >= Self.leastShare
    else { return .oneGroup }
    return valley.score.magnitude <= Self.largestShift ? .shifted(valley.score) : .tooFar(valley.score)
  }
}
