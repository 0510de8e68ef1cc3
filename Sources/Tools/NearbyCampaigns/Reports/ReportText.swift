import NearbyTextForms

/// A campaign as text for a terminal, and as JSON lines.
package enum ReportText {
  /// Failing seeds that are listed for each group.
  private static let listedSeeds = 20

  package static func lines(_ report: CampaignReport) -> [String] {
    var lines: [String] = []
    for group in report.groups {
      lines.append("\(group.title)  (version \(group.version), \(count(group.results.count, "seed")))")
      lines += table(group.scores)
      lines += failures(group)
      lines.append("")
    }
    if report.duplicates > 0 { lines.append("\(count(report.duplicates, "result")) came more than once") }
    let (all, failed) = (report.count, report.failedCount)
    lines.append(
      failed == 0 ? "\(count(all, "job")), none failed" : "\(failed) of \(count(all, "job")) failed")
    return lines
  }

  static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  private static func table(_ scores: [CampaignReport.ScoreSummary]) -> [String] {
    let width = max(5, scores.map(\.name.count).max() ?? 0)
    let heads = ["median", "95 % interval", "p90", "runs", "no value"]
    let rows = scores.map { score in
      [
        number(score.median), interval(score.interval), number(score.p90), "\(score.sorted.count)",
        "\(score.missing)",
      ]
    }
    let widths = heads.indices.map { column in
      ([heads[column]] + rows.map { $0[column] }).map(\.count).max() ?? 0
    }
    func line(_ name: String, _ cells: [String]) -> String {
      let padded = zip(cells, widths).map { NumberFormat.padded($0, $1) }
      return "  " + name + String(repeating: " ", count: max(0, width - name.count)) + "  "
        + padded.joined(separator: "  ")
    }
    return [line("score", heads)] + zip(scores, rows).map { line($0.name, $1) }
  }

  static func number(_ value: Double?) -> String { value.map { NumberFormat.fixed($0, 3) } ?? "-" }

  static func interval(_ interval: ClosedRange<Double>?) -> String {
    interval.map { "\(number($0.lowerBound)) to \(number($0.upperBound))" } ?? "-"
  }

  private static func failures(_ group: CampaignReport.Group) -> [String] {
    let failed = group.failed
    guard !failed.isEmpty else { return [] }
    var lines = ["  \(count(failed.count, "seed")) failed:"]
    for result in failed.prefix(listedSeeds) {
      lines.append("  seed \(result.seed): \(result.failures.joined(separator: "; "))")
      lines.append("    \(result.command)")
    }
    if failed.count > listedSeeds { lines.append("  and \(failed.count - listedSeeds) more") }
    return lines
  }

  // MARK: Comparison

  package static func lines(_ comparison: CampaignComparison) -> [String] {
    var lines: [String] = []
    for group in comparison.groups {
      lines.append("\(group.title)  (\(count(group.pairs, "seed")) in both)")
      for score in group.scores { lines.append("  " + line(score)) }
      for (title, results) in [("newly failed", group.newlyFailed), ("newly passed", group.newlyPassed)]
      where !results.isEmpty {
        let seeds = results.prefix(listedSeeds).map { "\($0.seed)" }.joined(separator: ", ")
        lines.append("  \(title): seeds \(seeds)" + (results.count > listedSeeds ? ", …" : ""))
      }
      lines.append("")
    }
    for title in comparison.onlyBefore { lines.append("only before: \(title)") }
    for title in comparison.onlyAfter { lines.append("only after: \(title)") }
    return lines
  }

  private static func line(_ score: CampaignComparison.ScoreChange) -> String {
    let medians = "\(score.name): median \(number(score.before)) before, \(number(score.after)) after"
    guard let difference = score.difference else { return medians }
    let change = "\(difference >= 0 ? "+" : "")\(number(difference)) (\(interval(score.interval)))"
    return "\(medians), \(score.isClear ? "changed" : "not clearly changed") by \(change) per seed"
  }

  // MARK: JSON

  package static func json(_ report: CampaignReport) -> [String] { report.groups.map(json) }

  private static func json(_ group: CampaignReport.Group) -> String {
    var line = JSONLine()
    line.add("scenario", text: group.file)
    line.add("settings", json: CampaignJob.json(group.settings))
    line.add("version", text: group.version)
    line.add("seeds", group.results.count)
    var scores = JSONLine()
    for score in group.scores {
      var values = JSONLine()
      values.add("median", exactly: score.median)
      values.add("p90", exactly: score.p90)
      values.add("low", exactly: score.interval?.lowerBound)
      values.add("high", exactly: score.interval?.upperBound)
      values.add("runs", score.sorted.count)
      values.add("missing", score.missing)
      scores.add(score.name, json: values.closed())
    }
    line.add("scores", json: scores.closed())
    var failed = JSONArray()
    for result in group.failed {
      var entry = JSONLine()
      entry.add("seed", text: "\(result.seed)")
      entry.add("failures", json: JSONArray.of(result.failures))
      entry.add("command", text: result.command)
      failed.add(json: entry.closed())
    }
    line.add("failed", json: failed.closed())
    return line.closed()
  }

  package static func json(_ comparison: CampaignComparison) -> [String] {
    comparison.groups.map { group in
      var line = JSONLine()
      line.add("group", text: group.title)
      line.add("seeds", group.pairs)
      var scores = JSONLine()
      for score in group.scores {
        var values = JSONLine()
        values.add("before", exactly: score.before)
        values.add("after", exactly: score.after)
        values.add("difference", exactly: score.difference)
        values.add("low", exactly: score.interval?.lowerBound)
        values.add("high", exactly: score.interval?.upperBound)
        values.add("clear", score.isClear)
        scores.add(score.name, json: values.closed())
      }
      line.add("scores", json: scores.closed())
      line.add("newlyFailed", json: JSONArray.of(group.newlyFailed.map { "\($0.seed)" }))
      line.add("newlyPassed", json: JSONArray.of(group.newlyPassed.map { "\($0.seed)" }))
      return line.closed()
    }
  }
}
