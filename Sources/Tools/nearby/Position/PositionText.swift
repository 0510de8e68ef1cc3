import NearbyPosition
import NearbyTextForms

/// The output of `nearby position`.
enum PositionText {
  static func json(_ estimate: PositionEstimate) -> String {
    var line = JSONLine()
    line.add("t", estimate.time, decimals: 6)
    line.add("position", json: vector(estimate.position))
    line.add("positionSigma", json: vector(estimate.position == nil ? nil : estimate.positionSigma))
    line.add("velocity", json: vector(estimate.velocity))
    line.add("used", estimate.used)
    line.add("rejected", estimate.rejected)
    line.add("unavailable", text: estimate.unavailable?.rawValue)
    return line.closed()
  }

  private static func vector(_ vector: SIMD3<Double>?) -> String {
    guard let vector else { return "null" }
    return "[" + (0..<3).map { NumberFormat.fixed(vector[$0], 4) }.joined(separator: ",") + "]"
  }

  static func summary(_ score: PositionScore, _ solver: PositionSolver, hasInertial: Bool) -> String {
    var out =
      "\(score.rows) estimates in \(NumberFormat.fixed(score.duration, 1)) s, \(score.positions) with a "
    out += "position\(hasInertial ? "; inertial readings steady the height" : "")\n"
    out += "measurements: \(solver.used) used, \(solver.rejected) rejected\(reasons(solver))\n"
    guard let rmse = score.rmse, let horizontal = score.horizontalRMSE, let vertical = score.verticalRMSE,
      let share = score.fittingShare
    else { return out + "no ground truth in this recording\n" }
    out += "\nerror against the truth, after 5 s and above 0.3 m\n"
    for (name, value) in [("RMSE", rmse), ("horizontal RMSE", horizontal), ("vertical RMSE", vertical)] {
      out += row(name, value)
    }
    out += row("median", score.quantile(0.5) ?? .nan) + row("95 %", score.quantile(0.95) ?? .nan)
    return out + "within 2.5 sigma   \(NumberFormat.padded(NumberFormat.fixed(100 * share, 1), 6)) %\n"
  }

  private static func row(_ name: String, _ metres: Double) -> String {
    let label = name + String(repeating: " ", count: max(0, 18 - name.count))
    return "\(label) \(NumberFormat.padded(NumberFormat.fixed(metres, 3), 6)) m\n"
  }

  private static func reasons(_ solver: PositionSolver) -> String {
    let counts = MeasurementRejection.allCases.map { ($0, solver.rejected(for: $0)) }.filter { $0.1 > 0 }
    guard !counts.isEmpty else { return "" }
    return " (" + counts.map { "\($0.1) \(words($0.0))" }.joined(separator: ", ") + ")"
  }

  static func words(_ reason: MeasurementRejection) -> String {
    switch reason {
    case .notFinite: "not finite"
    case .unknownAnchor: "of unknown anchors"
    case .sameAnchor: "between an anchor and itself"
    case .outOfOrder: "out of order"
    case .impossible: "impossible"
    case .disagrees: "in disagreement"
    case .clock: "without a clock rate"
    }
  }
}
