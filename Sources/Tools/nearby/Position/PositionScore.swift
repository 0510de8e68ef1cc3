import NearbyMaths
import NearbyPosition

/// How far a recording's positions are from the truth.
struct PositionScore {
  /// Seconds after the first row that are not judged, and least height that is judged, metres.
  private static let settling = 5.0
  private static let leastHeight = 0.3
  /// Deviation up to which an error fits its stated standard deviation.
  private static let fit = 2.5

  private(set) var rows = 0
  private(set) var positions = 0
  private(set) var judged = 0
  private var start: Double?
  private var latest: Double?
  private var squares = SIMD3<Double>.zero
  private var fitting = 0
  private var errors: [Double] = []

  mutating func add(_ row: PositionReplay.Row) {
    rows += 1
    let time = row.estimate.time
    let start = start ?? time
    self.start = start
    latest = time
    guard let position = row.estimate.position else { return }
    positions += 1
    guard let truth = row.truth, time - start >= Self.settling, truth.z > Self.leastHeight else { return }
    judged += 1
    let error = position - truth
    squares += error * error
    errors.append((error * error).sum().squareRoot())
    let limits = Self.fit * row.estimate.positionSigma
    for axis in 0..<3 where error[axis].magnitude <= limits[axis] { fitting += 1 }
  }

  /// Seconds.
  var duration: Double { (latest ?? 0) - (start ?? 0) }
  /// Root mean square errors, metres; `nil` without truth.
  var rmse: Double? { root(squares.sum()) }
  var horizontalRMSE: Double? { root(squares.x + squares.y) }
  var verticalRMSE: Double? { root(squares.z) }
  /// Share of the axes' errors within 2.5 stated standard deviations; `nil` without truth.
  var fittingShare: Double? { judged > 0 ? Double(fitting) / Double(3 * judged) : nil }

  /// An error that this share of the errors does not exceed, metres; `nil` without truth.
  func quantile(_ share: Double) -> Double? { Quantile.of(errors, share) }

  private func root(_ sum: Double) -> Double? {
    judged > 0 ? (sum / Double(judged)).squareRoot() : nil
  }
}
