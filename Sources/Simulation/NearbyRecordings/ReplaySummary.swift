import NearbyEstimation

/// What a replay comes to: how much there was, and how good ranges and estimates were against the truth.
package struct ReplaySummary: Equatable, Sendable {
  /// Errors against the truth, metres.
  package struct Figures: Equatable, Sendable {
    /// Root mean square error.
    package var rmse: Double
    /// Standard deviation by the median absolute deviation: blind to outliers.
    package var sigma: Double
    /// 95 % of the errors are smaller; and the largest.
    package var percentile95: Double
    package var largest: Double
  }

  /// Ranges or estimates against the truth.
  package struct Score: Equatable, Sendable {
    /// How many there were.
    package var count: Int
    /// Median error over all pairs, metres.
    package var bias: Double
    /// Errors as they are.
    package var asMeasured: Figures
    /// Errors after each pair's own median, its antenna delay, was removed; `nil` where every pair is too short.
    package var biasRemoved: Figures?
    /// Seconds by which it trails the truth; `nil` where the motion does not tell.
    package var lag: Double?
    /// Root mean square of error over stated sigma, 1 is honest; `nil` for ranges.
    package var normalisedError: Double?
  }

  package var ranges: Int
  package var pairs: Int
  /// From the first range to the last.
  package var duration: Duration
  /// Ranges after which the estimator told a distance.
  package var told: Int
  /// `nil` where the recording has no truth.
  package var rangeScore: Score?
  package var estimateScore: Score?

  /// - Parameters:
  ///   - rows: A whole replay.
  ///   - rangeOffset: What the replay subtracted from every range, metres.
  package init(_ rows: [ReplayRow], rangeOffset: Double) {
    ranges = rows.count
    pairs = Set(rows.map { RecordedPair(object: $0.object, tag: $0.tag) }).count
    duration = (rows.last?.time ?? .zero) - (rows.first?.time ?? .zero)
    told = rows.count { $0.distance != nil }
    rangeScore = Self.score(rows, RangeScore(rangesOf: [rows]), statesSigma: false) {
      $0.range - rangeOffset
    }
    estimateScore = Self.score(rows, RangeScore(replays: [rows]), statesSigma: true) { $0.distance }
  }

  private static func score(
    _ rows: [ReplayRow], _ score: RangeScore?, statesSigma: Bool, _ value: (ReplayRow) -> Double?
  ) -> Score? {
    let errors = rows.compactMap { row -> Double? in
      guard let truth = row.trueRange, let value = value(row) else { return nil }
      return value - truth
    }
    guard !errors.isEmpty else { return nil }
    let bias = RangeScore.median(errors)
    let sizes = errors.map(\.magnitude).sorted()
    let squares = errors.reduce(0) { $0 + $1 * $1 }
    let asMeasured = Figures(
      rmse: (squares / Double(errors.count)).squareRoot(),
      sigma: 1.4826 * RangeScore.median(errors.map { ($0 - bias).magnitude }),
      percentile95: RangeScore.quantile(sizes, 0.95), largest: sizes.last ?? 0)
    let biasRemoved = score.map {
      Figures(rmse: $0.rmse, sigma: $0.sigma, percentile95: $0.percentile95, largest: $0.largest)
    }
    return Score(
      count: errors.count, bias: bias, asMeasured: asMeasured, biasRemoved: biasRemoved,
      lag: score?.lag, normalisedError: statesSigma ? score?.normalisedError : nil)
  }
}
