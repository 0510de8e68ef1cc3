import NearbyRecordings
import NearbyTextForms

/// The output of `nearby replay`.
enum ReplayText {
  static let header = "       time  object  tag      range   estimate   sigma"

  static func line(_ row: ReplayRow) -> String {
    let time = NumberFormat.padded(NumberFormat.fixed(row.time / .seconds(1), 3), 9)
    let object = NumberFormat.padded(row.object, 6)
    let tag = NumberFormat.padded(row.tag ?? "-", 4)
    let range = NumberFormat.padded(NumberFormat.fixed(row.range, 3), 8)
    let distance = NumberFormat.padded(row.distance.map { NumberFormat.fixed($0, 3) } ?? "-", 8)
    let sigma = NumberFormat.padded(row.sigma.map { NumberFormat.fixed($0, 3) } ?? "-", 6)
    return "\(time) s  \(object) \(tag) \(range) m \(distance) m \(sigma)"
  }

  static func json(_ row: ReplayRow) -> String {
    var line = JSONLine()
    line.add("t", row.time / .seconds(1), decimals: 6)
    line.add("object", text: row.object)
    line.add("tag", text: row.tag)
    line.add("range", exactly: row.range)
    line.add("distance", row.distance, decimals: 4)
    line.add("sigma", row.sigma, decimals: 4)
    return line.closed()
  }

  // MARK: Summary

  static func summary(_ summary: ReplaySummary) -> String {
    let seconds = NumberFormat.fixed(summary.duration / .seconds(1), 1)
    func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
    var out = "\(counted(summary.ranges, "range")) of \(counted(summary.pairs, "pair")) in \(seconds) s; "
    out += "\(counted(summary.estimateCount, "estimate"))\n"
    if summary.missingValues > 0 {
      out += "\(counted(summary.missingValues, "missing value")): nan or infinite\n"
    }
    guard let ranges = summary.rangeScore, let estimates = summary.estimateScore else {
      return out + "no ground truth in this recording\n"
    }
    out += "\nerror against the truth, metres            RMSE   sigma     95%     max    bias\n"
    out += figures("range, as measured", ranges.asMeasured, bias: ranges.bias)
    out += figures("estimate, as measured", estimates.asMeasured, bias: estimates.bias)
    if let removed = ranges.biasRemoved { out += figures("range, pair bias removed", removed, bias: nil) }
    if let removed = estimates.biasRemoved {
      out += figures("estimate, pair bias removed", removed, bias: nil)
    }
    if let lag = estimates.lag { out += "lag of the estimate: \(NumberFormat.fixed(lag, 3)) s\n" }
    if let normalised = estimates.normalisedError {
      out += "error over stated sigma: \(NumberFormat.fixed(normalised, 2)) (ideal: 1)\n"
    }
    if let within = estimates.within {
      out += "within 2.5 stated sigmas: \(NumberFormat.fixed(100 * within, 1)) % (ideal: 98.8)\n"
    }
    return out
  }

  private static func figures(_ name: String, _ figures: ReplaySummary.Figures, bias: Double?) -> String {
    let label = name + String(repeating: " ", count: max(0, 38 - name.count))
    let all = [figures.rmse, figures.sigma, figures.percentile95, figures.largest]
    let numbers = all.map { NumberFormat.padded(NumberFormat.fixed($0, 3), 8) }
    let last = bias.map { NumberFormat.padded(NumberFormat.fixed($0, 3), 8) } ?? ""
    return label + " " + numbers.joined() + last + "\n"
  }

  static func summaryJSON(_ summary: ReplaySummary) -> String {
    var line = JSONLine()
    line.add("ranges", summary.ranges)
    line.add("pairs", summary.pairs)
    line.add("seconds", summary.duration / .seconds(1), decimals: 3)
    line.add("estimates", summary.estimateCount)
    line.add("missing_values", summary.missingValues)
    line.add("range", json: json(summary.rangeScore))
    line.add("estimate", json: json(summary.estimateScore))
    return line.closed()
  }

  static func json(_ score: ReplaySummary.Score?) -> String {
    guard let score else { return "null" }
    var line = JSONLine()
    line.add("count", score.count)
    line.add("bias", score.bias, decimals: 4)
    line.add("as_measured", json: json(score.asMeasured))
    line.add("bias_removed", json: score.biasRemoved.map(json) ?? "null")
    line.add("lag", score.lag, decimals: 4)
    line.add("normalised_error", score.normalisedError, decimals: 3)
    line.add("within", score.within, decimals: 4)
    return line.closed()
  }

  private static func json(_ figures: ReplaySummary.Figures) -> String {
    var line = JSONLine()
    line.add("rmse", figures.rmse, decimals: 4)
    line.add("sigma", figures.sigma, decimals: 4)
    line.add("p95", figures.percentile95, decimals: 4)
    line.add("max", figures.largest, decimals: 4)
    return line.closed()
  }
}
