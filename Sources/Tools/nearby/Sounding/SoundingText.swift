import NearbyEstimation
import NearbyRecordings
import NearbySounding
import NearbyTextForms

/// The output of `nearby sounding`.
enum SoundingText {
  static let header = "       time       ifft      phase        rtt   distance   sigma"

  static func line(_ row: SoundingReplayRow) -> String {
    func fixed(_ value: Double?, _ decimals: Int, _ width: Int) -> String {
      NumberFormat.padded(value.map { NumberFormat.fixed($0, decimals) } ?? "-", width)
    }
    let result = row.result
    let measured = [result.impulseResponse, result.phaseSlope, result.roundTrip]
    var out = fixed(result.time / .seconds(1), 3, 9) + " s"
    for distance in measured { out += fixed(distance, 3, 9) + " m" }
    return out + fixed(row.estimate?.distance, 2, 9) + " m" + fixed(row.estimate?.sigma, 2, 8)
  }

  static func json(_ row: SoundingReplayRow) -> String {
    var line = JSONLine()
    line.add("row", row.index)
    line.add("t", row.result.time / .seconds(1), decimals: 6)
    line.add("distance", row.estimate?.distance, decimals: 4)
    line.add("distanceSigma", row.estimate?.sigma, decimals: 4)
    return line.closed()
  }

  // MARK: Summary

  static func summary(_ summary: SoundingReplaySummary) -> String {
    let seconds = NumberFormat.fixed(summary.duration / .seconds(1), 1)
    func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
    var out = "\(counted(summary.rows, "procedure")) in \(seconds) s; "
    out += "\(counted(summary.estimates, "estimate"))\n"
    guard let score = summary.score else { return out + "no ground truth in this recording\n" }
    func metres(_ value: Double) -> String { NumberFormat.fixed(value, 3) + " m" }
    out += "error against the truth, after the first 5 s: RMSE \(metres(score.rmse)), "
    out +=
      "bias \(metres(score.bias)), spread \(metres(score.spread)), 90 % within \(metres(score.percentile90))\n"
    out +=
      "\(NumberFormat.fixed(100 * score.share, 1)) % of errors within 2.5 stated sigmas (ideal: 98.8 %)\n"
    return out
  }

  static func summaryJSON(_ summary: SoundingReplaySummary) -> String {
    var line = JSONLine()
    line.add("procedures", summary.rows)
    line.add("seconds", summary.duration / .seconds(1), decimals: 3)
    line.add("estimates", summary.estimates)
    line.add("error", json: json(summary.score))
    return line.closed()
  }

  private static func json(_ score: SoundingReplaySummary.Score?) -> String {
    guard let score else { return "null" }
    var line = JSONLine()
    line.add("rmse", score.rmse, decimals: 4)
    line.add("bias", score.bias, decimals: 4)
    line.add("spread", score.spread, decimals: 4)
    line.add("p90", score.percentile90, decimals: 4)
    line.add("within", score.share, decimals: 4)
    return line.closed()
  }
}
