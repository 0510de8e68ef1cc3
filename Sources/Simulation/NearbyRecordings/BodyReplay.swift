import NearbyEstimation
import NearbyMaths

/// One moment of a `BodyRecording` and the pose estimated from it alone.
package struct BodyReplayRow: Equatable, Sendable {
  package var time: Duration
  package var sequence: String
  package var base: String
  package var target: String
  package var pose: RelativePose?
  package var truth: BodyRecording.Truth?

  /// Errors against the truth; `nil` without a pose or a truth.
  package var errors: BodyReplayErrors? {
    guard let pose, let truth else { return nil }
    return BodyReplayErrors(pose, truth)
  }
}

/// Absolute errors of one pose.
package struct BodyReplayErrors: Equatable, Sendable {
  /// Of the distance between both origins, and of the place in the base's level plane and in space, metres.
  package var range: Double
  package var plane: Double
  package var space: Double
  /// Radians.
  package var azimuth: Double
  package var yaw: Double
  /// Whether the error is within 2.5 stated standard deviations: distance, x and y, azimuth, yaw.
  package var isWithin: SIMD4<Double>

  init(_ pose: RelativePose, _ truth: BodyRecording.Truth) {
    let away = pose.positionInBase - truth.position
    range = (pose.distance - truth.position.length).magnitude
    plane = (away.x * away.x + away.y * away.y).squareRoot()
    space = away.length
    azimuth =
      Maths.wrapped(pose.azimuth - Maths.atan2(truth.position.y, truth.position.x)).magnitude
    yaw = Maths.wrapped(pose.yaw - truth.yaw).magnitude
    func within(_ error: Double, _ sigma: Double) -> Double { error.magnitude <= 2.5 * sigma ? 1 : 0 }
    let level = pose.levelSigmas
    isWithin = SIMD4(
      within(range, pose.distanceSigma),
      0.5 * (within(away.x, level.x) + within(away.y, level.y)),
      within(azimuth, pose.azimuthSigma), within(yaw, pose.yawSigma))
  }
}

extension BodyRecording {
  /// Estimates the pose at every row of every pair from the ranges of that row alone.
  ///
  /// - Parameter rangeOffset: Constant to subtract from every range, metres.
  package func replay(
    rangeOffset: Double = 0, parameters: RelativePoseParameters = RelativePoseParameters()
  ) -> [BodyReplayRow] {
    pairs.flatMap { pair in
      let solver = RelativePoseSolver(
        base: pair.baseAntennas, target: pair.targetAntennas, parameters: parameters)
      return pair.rows.map { row in
        let ranges = row.ranges.map {
          BodyRange(
            baseAntenna: $0.baseAntenna, targetAntenna: $0.targetAntenna, range: $0.range - rangeOffset)
        }
        return BodyReplayRow(
          time: row.time, sequence: pair.sequence, base: pair.base, target: pair.target,
          pose: solver.solve(ranges), truth: row.truth)
      }
    }
  }
}

/// Statistics of the replay of a `BodyRecording`.
package struct BodyReplaySummary: Equatable, Sendable {
  /// Half and nine tenths of the errors are at most these.
  package struct Quantiles: Equatable, Sendable {
    package var half: Double
    package var most: Double

    init(_ values: [Double]) {
      let sorted = values.sorted()
      half = RangeScore.quantile(sorted, 0.5)
      most = RangeScore.quantile(sorted, 0.9)
    }
  }

  /// Errors against the truth: metres and radians.
  package struct Score: Equatable, Sendable {
    package var range: Quantiles
    package var plane: Quantiles
    package var space: Quantiles
    package var azimuth: Quantiles
    package var yaw: Quantiles
    /// Share of errors within 2.5 stated standard deviations: distance, x and y, azimuth, yaw.
    package var within: SIMD4<Double>
  }

  package var pairs: Int
  package var rows: Int
  package var poses: Int
  package var missingRanges: Int
  package var unknownColumns: Int
  package var unknownFiles: Int
  /// `nil` if the recording has no truth.
  package var score: Score?

  package init(_ recording: BodyRecording, _ rows: [BodyReplayRow]) {
    pairs = recording.pairs.count
    self.rows = rows.count
    poses = rows.count { $0.pose != nil }
    missingRanges = recording.missingRanges
    unknownColumns = recording.unknownColumns
    unknownFiles = recording.unknownFiles
    let errors = rows.compactMap(\.errors)
    guard !errors.isEmpty else { return }
    score = Score(
      range: Quantiles(errors.map(\.range)), plane: Quantiles(errors.map(\.plane)),
      space: Quantiles(errors.map(\.space)), azimuth: Quantiles(errors.map(\.azimuth)),
      yaw: Quantiles(errors.map(\.yaw)),
      within: errors.reduce(.zero) { $0 + $1.isWithin } / Double(errors.count))
  }
}
