import NearbyEstimation
import NearbyRecordings
import NearbyTextForms

/// The output of `nearby replay` for ranges between bodies.
enum BodyReplayText {
  static let header =
    "       time  base  target  distance   sigma   azimuth       yaw              position  ranges"

  private static let degrees = 180 / Double.pi

  static func line(_ row: BodyReplayRow) -> String {
    func fixed(_ value: Double?, _ decimals: Int, _ width: Int) -> String {
      NumberFormat.padded(value.map { NumberFormat.fixed($0, decimals) } ?? "-", width)
    }
    let pose = row.pose
    let place = pose?.positionInBase
    let position = [place?.x, place?.y, place?.z].map { fixed($0, 2, 7) }.joined()
    var out = fixed(row.time / .seconds(1), 3, 9) + " s"
    out += NumberFormat.padded(row.base, 6) + NumberFormat.padded(row.target, 8)
    out += fixed(pose?.distance, 3, 9) + " m" + fixed(pose?.distanceSigma, 3, 7)
    out += fixed(pose.map { $0.azimuth * degrees }, 1, 9) + "°"
    out += fixed(pose.map { $0.yaw * degrees }, 1, 9) + "° " + position
    return out + NumberFormat.padded(pose.map { "\($0.agreeing)/\($0.used)" } ?? "-", 8)
  }

  static func json(_ row: BodyReplayRow) -> String {
    var line = JSONLine()
    let pose = row.pose
    line.add("t", row.time / .seconds(1), decimals: 6)
    line.add("sequence", text: row.sequence)
    line.add("base", text: row.base)
    line.add("target", text: row.target)
    line.add("distance", pose?.distance, decimals: 4)
    line.add("sigma", pose?.distanceSigma, decimals: 4)
    line.add("azimuth", pose?.azimuth, decimals: 5)
    line.add("azimuthSigma", pose?.azimuthSigma, decimals: 5)
    line.add("yaw", pose?.yaw, decimals: 5)
    line.add("yawSigma", pose?.yawSigma, decimals: 5)
    let place = pose.map { [$0.positionInBase.x, $0.positionInBase.y, $0.positionInBase.z] }
    line.add("position", json: place.map { array($0, 4) } ?? "null")
    let turn = pose.map {
      [$0.baseFromTarget.x, $0.baseFromTarget.y, $0.baseFromTarget.z, $0.baseFromTarget.w]
    }
    line.add("orientation", json: turn.map { array($0, 6) } ?? "null")
    let covariance = pose.map { "[" + $0.covariance.map { array($0, 6) }.joined(separator: ",") + "]" }
    line.add("covariance", json: covariance ?? "null")
    line.add("agreeing", pose?.agreeing)
    line.add("used", pose?.used)
    line.add("errors", json: row.errors.map(json) ?? "null")
    return line.closed()
  }

  private static func json(_ errors: BodyReplayErrors) -> String {
    var line = JSONLine()
    line.add("distance", errors.range, decimals: 4)
    line.add("plane", errors.plane, decimals: 4)
    line.add("space", errors.space, decimals: 4)
    line.add("azimuth", errors.azimuth, decimals: 5)
    line.add("yaw", errors.yaw, decimals: 5)
    return line.closed()
  }

  private static func array(_ values: [Double], _ decimals: Int) -> String {
    "[" + values.map { NumberFormat.fixed($0, decimals) }.joined(separator: ",") + "]"
  }

  // MARK: Summary

  static func summary(_ summary: BodyReplaySummary) -> String {
    func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
    let pairs = summary.pairs == 1 ? "1 pair of bodies" : "\(summary.pairs) pairs of bodies"
    var out = "\(counted(summary.rows, "moment")) of \(pairs); "
    out += "\(counted(summary.poses, "pose"))\n"
    if summary.missingRanges > 0 {
      out += "\(counted(summary.missingRanges, "missing range")): blank, nan or infinite\n"
    }
    if summary.unknownColumns > 0 {
      out += "\(counted(summary.unknownColumns, "column")) of antennas that antennas.csv does not list\n"
    }
    if summary.unknownFiles > 0 {
      out += "\(counted(summary.unknownFiles, "file")) of bodies that antennas.csv does not list\n"
    }
    guard let score = summary.score else { return out + "no ground truth in this recording\n" }
    out += "\nerror against the truth        median     90 %   within 2.5 stated sigmas\n"
    out += figures("distance", score.range, "m", 3, 1, score.within.x)
    out += figures("place in the plane", score.plane, "m", 3, 1, score.within.y)
    out += figures("place in space", score.space, "m", 3, 1, nil)
    out += figures("azimuth", score.azimuth, "°", 1, degrees, score.within.z)
    out += figures("yaw", score.yaw, "°", 1, degrees, score.within.w)
    return out
  }

  private static func figures(
    _ name: String, _ values: BodyReplaySummary.Quantiles, _ unit: String, _ decimals: Int, _ scale: Double,
    _ within: Double?
  ) -> String {
    func fixed(_ value: Double) -> String {
      NumberFormat.padded(NumberFormat.fixed(value * scale, decimals), 8) + unit
    }
    let label = name + String(repeating: " ", count: max(0, 28 - name.count))
    let share = within.map { NumberFormat.padded(NumberFormat.fixed(100 * $0, 1), 12) + " %" } ?? ""
    return label + fixed(values.half) + fixed(values.most) + share + "\n"
  }

  static func summaryJSON(_ summary: BodyReplaySummary) -> String {
    var line = JSONLine()
    line.add("moments", summary.rows)
    line.add("pairs", summary.pairs)
    line.add("poses", summary.poses)
    line.add("missing_ranges", summary.missingRanges)
    line.add("unknown_columns", summary.unknownColumns)
    line.add("unknown_files", summary.unknownFiles)
    line.add("error", json: summary.score.map(json) ?? "null")
    return line.closed()
  }

  private static func json(_ score: BodyReplaySummary.Score) -> String {
    func pair(_ values: BodyReplaySummary.Quantiles, _ within: Double?) -> String {
      var line = JSONLine()
      line.add("median", values.half, decimals: 5)
      line.add("p90", values.most, decimals: 5)
      line.add("within", within, decimals: 4)
      return line.closed()
    }
    var line = JSONLine()
    line.add("distance", json: pair(score.range, score.within.x))
    line.add("plane", json: pair(score.plane, score.within.y))
    line.add("space", json: pair(score.space, nil))
    line.add("azimuth", json: pair(score.azimuth, score.within.z))
    line.add("yaw", json: pair(score.yaw, score.within.w))
    return line.closed()
  }
}
