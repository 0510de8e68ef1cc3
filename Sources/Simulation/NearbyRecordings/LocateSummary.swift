import NearbyEstimation

/// Accuracy of the objects' estimated positions in a recording, scored against the truth.
package struct LocateSummary: Equatable, Sendable {
  /// One object seen from one antenna.
  package struct Run: Equatable, Sendable {
    package var object: String
    package var tag: String?
    /// Median errors of the last five positions, metres; `nil` without truth or position.
    package var finalHorizontal: Double?
    package var final3D: Double?
    /// Squared horizontal error over the stated variance at the end; 1 on average if the stated variance is
    /// right.
    package var finalNormalised: Double?
    /// Median azimuth error, rad, over ranges after 10 s to objects more than 0.7 m away horizontally.
    package var azimuthMedian: Double? { angles.isEmpty ? nil : RangeScore.median(angles) }
    /// Time after which the horizontal error stayed below 0.3 m until the end, seconds.
    package var settledAfter: Double?
    /// Time at which the estimate was first reported as converged, seconds, and the horizontal error then,
    /// metres.
    package var convergedAfter: Double?
    package var errorAtConvergence: Double?
    fileprivate var start: Duration
    fileprivate var angles: [Double] = []
    fileprivate var latest: [(horizontal: Double, all: Double)] = []

    package static func == (a: Self, b: Self) -> Bool {
      a.object == b.object && a.tag == b.tag && a.finalHorizontal == b.finalHorizontal
        && a.final3D == b.final3D && a.angles == b.angles && a.settledAfter == b.settledAfter
        && a.convergedAfter == b.convergedAfter && a.errorAtConvergence == b.errorAtConvergence
    }
  }

  package private(set) var ranges = 0
  /// In order of first appearance.
  package private(set) var runs: [Run] = []
  private var numbers: [RecordedPair: Int] = [:]

  package init() {}

  package mutating func add(_ row: LocateRow) {
    ranges += 1
    let pair = RecordedPair(object: row.object, tag: row.tag)
    let number = numbers[pair, default: runs.count]
    if number == runs.count {
      numbers[pair] = number
      runs.append(Run(object: row.object, tag: row.tag, start: row.time))
    }
    runs[number].add(row)
  }
}

extension LocateSummary.Run {
  fileprivate mutating func add(_ row: LocateRow) {
    let seconds = (row.time - start) / .seconds(1)
    let isFirst = convergedAfter == nil && row.estimate?.isConverged == true
    if isFirst { convergedAfter = seconds }
    guard let truth = row.truePosition, let place = row.estimate?.positionInWorld else { return }
    let away = place - truth
    let square = away.x * away.x + away.y * away.y
    let horizontal = square.squareRoot()
    if isFirst { errorAtConvergence = horizontal }
    if horizontal >= 0.3 { settledAfter = nil } else if settledAfter == nil { settledAfter = seconds }
    latest.append((horizontal, (square + away.z * away.z).squareRoot()))
    if latest.count > 5 { latest.removeFirst() }
    if let sigma = row.estimate?.horizontalSigma { finalNormalised = square / (sigma * sigma) }
    finalHorizontal = RangeScore.median(latest.map(\.horizontal))
    final3D = RangeScore.median(latest.map(\.all))
    let (found, real) = (place - row.pose.positionInWorld, truth - row.pose.positionInWorld)
    // Chosen: angles are judged from 0.7 m on, where an error of the place of 0.1 m is one of 8°.
    let isFar = real.x * real.x + real.y * real.y > 0.49
    if seconds > 10, isFar { angles.append(row.angle(from: real, to: found)) }
  }
}

extension LocateRow {
  /// The angle between two directions in the horizontal plane, rad, 0 to π.
  fileprivate func angle(from a: SIMD3<Double>, to b: SIMD3<Double>) -> Double {
    DevicePose.levelAngle(from: a, to: b).magnitude
  }
}
