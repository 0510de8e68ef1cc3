import NearbyEstimation

/// A recorded range and the estimate after it.
package struct ReplayRow: Equatable, Sendable {
  package var time: Duration
  package var object: String
  package var tag: String?
  /// As recorded, metres.
  package var range: Double
  /// Metres; `nil` if it is neither recorded nor computable from the recording.
  package var trueRange: Double?
  /// Estimated distance and its standard deviation, metres; `nil` while the estimator reports nothing.
  package var distance: Double?
  package var sigma: Double?
}

extension Recording {
  /// Runs every range through the estimator of its own pair, in order of time.
  ///
  /// - Parameters:
  ///   - rangeSigma: Stated standard deviation of the ranges, metres, because recordings have none.
  ///   - rangeOffset: The radio's antenna delay, metres, subtracted from every range.
  ///   - usesReceiverFigures: Whether to judge from the receiver's figures, if recorded, which paths were blocked.
  package func replay(
    rangeSigma: Double = 0.1, rangeOffset: Double = 0, usesReceiverFigures: Bool = true,
    parameters: RangeFilterParameters = RangeFilterParameters()
  ) -> [ReplayRow] {
    var estimators: [PeerEstimator] = []
    var places: [RecordedPair: Int] = [:]
    let truth = trueRanges()
    let blocked = usesReceiverFigures ? blockedProbabilities(rangeOffset: rangeOffset) : []
    let marks = usesReceiverFigures ? blockedMarks() : []
    return ranges.enumerated().map { row, entry in
      let place = places[entry.pair, default: estimators.count]
      if place == estimators.count {
        places[entry.pair] = place
        estimators.append(PeerEstimator(ranges: parameters))
      }
      estimators[place].update(
        PeerReading(
          time: entry.time, range: entry.range - rangeOffset, rangeSigma: rangeSigma,
          isLikelyNonLineOfSight: marks.isEmpty ? nil : marks[row],
          blockedProbability: blocked.isEmpty ? nil : blocked[row]))
      let distance = estimators[place].estimate(at: entry.time).distance
      return ReplayRow(
        time: entry.time, object: entry.object, tag: entry.tag, range: entry.range,
        trueRange: truth[row], distance: distance?.distance, sigma: distance?.sigma)
    }
  }
}

extension RangeScore {
  /// Series with fewer rows than this say nothing about a pair's bias.
  package static let shortestSeries = 20

  /// Scores a replay's estimates against the recorded truth; `nil` if the recording has none.
  ///
  /// - Parameter rows: Rows of one or more replays.
  package init?(replays: [[ReplayRow]]) {
    let series = replays.flatMap { Self.series($0) { $0.distance } }
    if series.isEmpty { return nil }
    self.init(series: series)
  }

  /// Scores the recorded ranges themselves.
  package init?(rangesOf replays: [[ReplayRow]]) {
    let series = replays.flatMap { Self.series($0) { $0.range } }
    if series.isEmpty { return nil }
    self.init(series: series)
  }

  /// Groups the rows by pair, in order of first appearance.
  private static func series(
    _ rows: [ReplayRow], estimate: (ReplayRow) -> Double?
  ) -> [[Comparison]] {
    var series: [[Comparison]] = []
    var places: [RecordedPair: Int] = [:]
    for row in rows {
      guard let truth = row.trueRange else { continue }
      let pair = RecordedPair(object: row.object, tag: row.tag)
      let place = places[pair, default: series.count]
      if place == series.count {
        places[pair] = place
        series.append([])
      }
      series[place].append(
        Comparison(
          time: row.time, estimate: estimate(row), truth: truth, sigma: row.sigma,
          range: row.range))
    }
    return series.filter { $0.count >= shortestSeries }
  }
}
