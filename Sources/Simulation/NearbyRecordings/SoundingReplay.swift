import NearbyEstimation
import NearbySounding

/// A recorded procedure and the estimate after it.
package struct SoundingReplayRow: Equatable, Sendable {
  /// Number of the row, from 0.
  package var index: Int
  package var result: SoundingResult
  /// `nil` before the first distance.
  package var estimate: RangeEstimate?
  /// Metres, if recorded.
  package var trueDistance: Double?

  package init(index: Int, result: SoundingResult, estimate: RangeEstimate?, trueDistance: Double?) {
    self.index = index
    self.result = result
    self.estimate = estimate
    self.trueDistance = trueDistance
  }
}

extension SoundingRecording {
  /// Runs the recording through the estimator, each row at its own time and without knowledge of later ones.
  ///
  /// - Parameters:
  ///   - offsets: Constant error of each method, metres.
  ///   - parameters: Of the estimator.
  ///   - visit: Called with each row; returns `false` to stop.
  package func replay(
    offsets: SoundingValues, parameters: SoundingParameters = .outdoors,
    visit: (SoundingReplayRow) -> Bool
  ) {
    var filter = SoundingFilter(offsets: offsets, parameters: parameters)
    for (index, row) in rows.enumerated() {
      let estimate = filter.update(row.result)
      let isWanted = visit(
        SoundingReplayRow(
          index: index, result: row.result, estimate: estimate, trueDistance: row.trueDistance))
      if !isWanted { return }
    }
  }
}

/// Statistics of a replay, collected row by row.
package struct SoundingReplaySummary: Equatable, Sendable {
  /// Errors against the truth, metres.
  package struct Score: Equatable, Sendable {
    package var rmse: Double
    package var bias: Double
    /// Standard deviation around the bias.
    package var spread: Double
    /// The absolute error that 90 % of all errors stay below.
    package var percentile90: Double
    /// Share of errors within 2.5 stated sigmas; 0.988 if the sigma is right and errors are normal.
    package var share: Double
  }

  /// Time after the first row that is not scored, for the estimator to settle.
  package static let settlingTime = Duration.seconds(5)
  package static let sigmas = 2.5

  package private(set) var rows = 0
  package private(set) var estimates = 0
  private var first = Duration.zero
  private var last = Duration.zero
  private var errors: [Double] = []
  private var within = 0

  package init() {}

  /// From the first row to the last.
  package var duration: Duration { last - first }

  package mutating func add(_ row: SoundingReplayRow) {
    if rows == 0 { first = row.result.time }
    last = row.result.time
    rows += 1
    guard let estimate = row.estimate else { return }
    estimates += 1
    guard let truth = row.trueDistance, last - first >= Self.settlingTime else { return }
    let error = estimate.distance - truth
    errors.append(error)
    if error.magnitude <= Self.sigmas * estimate.sigma { within += 1 }
  }

  /// `nil` without a truth after `settlingTime`.
  package var score: Score? {
    guard !errors.isEmpty else { return nil }
    let count = Double(errors.count)
    let bias = errors.reduce(0, +) / count
    let square = errors.reduce(0) { $0 + $1 * $1 } / count
    return Score(
      rmse: square.squareRoot(), bias: bias, spread: max(0, square - bias * bias).squareRoot(),
      percentile90: RangeScore.quantile(errors.map(\.magnitude).sorted(), 0.9),
      share: Double(within) / count)
  }
}
