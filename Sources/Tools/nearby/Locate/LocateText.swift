import NearbyEstimation
import NearbyRecordings
import NearbyTextForms

/// The output of `nearby locate`.
enum LocateText {
  static let header = "       time  object  tag   distance     angle              position   sigma  state"

  static func line(_ row: LocateRow) -> String {
    func fixed(_ value: Double?, _ decimals: Int, _ width: Int) -> String {
      NumberFormat.padded(value.map { NumberFormat.fixed($0, decimals) } ?? "-", width)
    }
    let time = fixed(row.time / .seconds(1), 3, 9)
    let who = "\(NumberFormat.padded(row.object, 6)) \(NumberFormat.padded(row.tag ?? "-", 4))"
    guard let estimate = row.estimate else { return "\(time) s  \(who)" }
    let degrees = estimate.horizontalAngle.map { $0 * 180 / Double.pi }
    let place = estimate.positionInWorld
    let position = [place?.x, place?.y, place?.z].map { fixed($0, 2, 7) }.joined()
    let state = estimate.isConverged ? "converged" : estimate.reasons.names.joined(separator: ", ")
    let sigma = place == nil ? fixed(nil, 2, 7) : fixed(estimate.horizontalSigma, 2, 7)
    return
      "\(time) s  \(who) \(fixed(row.distance?.distance, 3, 8)) m \(fixed(degrees, 1, 7))° \(position) \(sigma)  \(state)"
  }

  static func json(_ row: LocateRow) -> String {
    var line = JSONLine()
    let estimate = row.estimate
    line.add("t", row.time / .seconds(1), decimals: 6)
    line.add("object", text: row.object)
    line.add("tag", text: row.tag)
    line.add("distance", row.distance?.distance, decimals: 4)
    line.add("sigma", row.distance?.sigma, decimals: 4)
    if let place = estimate?.positionInWorld, let estimate {
      line.add("position", json: array([place.x, place.y, place.z]))
      line.add("positionSigma", json: array([estimate.horizontalSigma, estimate.verticalSigma]))
    } else {
      line.add("position", json: "null")
      line.add("positionSigma", json: "null")
    }
    line.add("horizontalAngle", estimate?.horizontalAngle, decimals: 5)
    line.add("vertical", text: (estimate?.vertical ?? .unknown).rawValue)
    line.add("convergence", text: convergence(estimate))
    let reasons = (estimate?.reasons.names ?? []).map(JSONLine.quoted)
    line.add("reasons", json: "[" + reasons.joined(separator: ",") + "]")
    return line.closed()
  }

  private static func convergence(_ estimate: AssistanceEstimate?) -> String {
    guard let estimate else { return "unknown" }
    return estimate.isConverged ? "converged" : "notConverged"
  }

  private static func array(_ values: [Double]) -> String {
    "[" + values.map { NumberFormat.fixed($0, 4) }.joined(separator: ",") + "]"
  }

  // MARK: Summary

  static func summary(_ summary: LocateSummary, _ distances: ReplaySummary.Score?) -> String {
    var out = "\(summary.ranges) ranges of \(summary.runs.count) pairs\n"
    if let figures = distances?.biasRemoved {
      out += "distance, pair bias removed: RMSE \(NumberFormat.fixed(figures.rmse, 3)) m, "
      out += "95 % within \(NumberFormat.fixed(figures.percentile95, 3)) m, "
      out += "largest error \(NumberFormat.fixed(figures.largest, 3)) m\n"
    }
    guard summary.runs.contains(where: { $0.finalHorizontal != nil }) else {
      return out
    }
    out += "\nobject  tag   horizontal      3D   azimuth   under 0.3 m   converged   error then\n"
    for run in summary.runs { out += line(run) }
    return out
  }

  /// Why there are no errors to report; `nil` if there are.
  static func remark(hasPosition: Bool, hasTruth: Bool) -> String? {
    if !hasPosition {
      return "no object was located: it has to stand still while the device moves around it"
    }
    return hasTruth ? nil : "no true positions are recorded (objects_gt.csv), so errors are unknown"
  }

  private static func line(_ run: LocateSummary.Run) -> String {
    func fixed(_ value: Double?, _ decimals: Int, _ width: Int, _ unit: String) -> String {
      NumberFormat.padded(value.map { NumberFormat.fixed($0, decimals) + unit } ?? "-", width)
    }
    let who = "\(NumberFormat.padded(run.object, 6)) \(NumberFormat.padded(run.tag ?? "-", 4))"
    let errors = fixed(run.finalHorizontal, 3, 11, " m") + fixed(run.final3D, 3, 9, " m")
    let azimuth = fixed(run.azimuthMedian.map { $0 * 180 / Double.pi }, 2, 9, "°")
    let times = fixed(run.settledAfter, 1, 12, " s") + fixed(run.convergedAfter, 1, 11, " s")
    return "\(who) \(errors)\(azimuth)  \(times) \(fixed(run.errorAtConvergence, 3, 11, " m"))\n"
  }

  static func summaryJSON(_ summary: LocateSummary, _ distances: ReplaySummary.Score?) -> String {
    var line = JSONLine()
    line.add("ranges", summary.ranges)
    line.add("distance", json: ReplayText.json(distances))
    line.add("runs", json: "[" + summary.runs.map(json).joined(separator: ",") + "]")
    return line.closed()
  }

  private static func json(_ run: LocateSummary.Run) -> String {
    var line = JSONLine()
    line.add("object", text: run.object)
    line.add("tag", text: run.tag)
    line.add("horizontal", run.finalHorizontal, decimals: 4)
    line.add("error3D", run.final3D, decimals: 4)
    line.add("azimuth", run.azimuthMedian, decimals: 5)
    line.add("settled", run.settledAfter, decimals: 3)
    line.add("converged", run.convergedAfter, decimals: 3)
    line.add("errorThen", run.errorAtConvergence, decimals: 4)
    return line.closed()
  }
}
