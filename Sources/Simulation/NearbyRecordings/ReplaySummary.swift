import NearbyEstimation

/// Statistics of a replay: the amount of data, and the accuracy of ranges and estimates against the truth.
package struct ReplaySummary: Equatable, Sendable {
  /// Errors against the truth, metres.
  package struct Figures: Equatable, Sendable {
    /// Root mean square error.
    package var rmse: Double
    /// Standard deviation derived from the median absolute deviation, which ignores outliers.
    package var sigma: Double
    /// 95th percentile of the absolute errors, and the largest.
    package var percentile95: Double
    package var largest: Double
  }

  /// Accuracy of ranges or estimates against the truth.
  package struct Score: Equatable, Sendable {
    package var count: Int
    /// Median error over all pairs, metres.
    package var bias: Double
    /// Errors including the bias.
    package var asMeasured: Figures
    /// Errors after subtracting each pair's own median, which is its antenna delay; `nil` if every pair is
    /// too short.
    package var biasRemoved: Figures?
    /// Seconds by which the values lag behind the truth; `nil` if the motion does not reveal it.
    package var lag: Double?
    /// Root mean square of error / stated sigma, 1 if the stated uncertainty is right; `nil` for ranges.
    package var normalisedError: Double?
    /// Share of the values that are within 2.5 stated sigmas of the truth, 0 to 1; `nil` for ranges.
    package var within: Double?
  }

  package var ranges: Int
  package var pairs: Int
  /// From the first range to the last.
  package var duration: Duration
  /// Number of ranges after which the estimator reported a distance.
  package var estimateCount: Int
  /// Count of values that were `nan` or infinite, and so count as missing.
  package var missingValues = 0
  /// `nil` if the recording has no truth.
  package var rangeScore: Score?
  package var estimateScore: Score?

  /// - Parameters:
  ///   - rows: All rows of one replay.
  ///   - rangeOffset: The offset that the replay subtracted from every range, metres.
  package init(_ rows: [ReplayRow], rangeOffset: Double) {
    ranges = rows.count
    pairs = Set(rows.map { RecordedPair(object: $0.object, tag: $0.tag) }).count
    duration = (rows.last?.time ?? .zero) - (rows.first?.time ?? .zero)
    estimateCount = rows.count { $0.distance != nil }
    rangeScore = Self.score(rows, RangeScore(rangesOf: [rows]), statesSigma: false) {
      $0.range - rangeOffset
    }
    estimateScore = Self.score(rows, RangeScore(replays: [rows]), statesSigma: true) { $0.distance }
  }

  /// Scores one column of the rows against the truth; `nil` if no row has both.
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
    let held = rows.count { row in
      guard let truth = row.trueRange, let value = value(row), let sigma = row.sigma else { return false }
      return (value - truth).magnitude <= 2.5 * sigma
    }
    return Score(
      count: errors.count, bias: bias, asMeasured: asMeasured, biasRemoved: biasRemoved,
      lag: score?.lag, normalisedError: statesSigma ? score?.normalisedError : nil,
      within: statesSigma ? Double(held) / Double(errors.count) : nil)
  }
}
