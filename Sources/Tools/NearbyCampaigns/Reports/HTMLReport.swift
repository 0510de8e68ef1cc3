import NearbyTextForms

/// A campaign as one HTML file with plots. It loads nothing from anywhere else and has no script.
package enum HTMLReport {
  private static let listedSeeds = 200

  package static func text(_ report: CampaignReport, against before: CampaignReport? = nil) -> String {
    var body = "<h1>Campaign</h1>\n<p>\(summary(report))</p>\n"
    body += plots(report)
    for group in report.groups { body += section(group) }
    if let before { body += section(CampaignComparison(before: before, after: report)) }
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>Campaign</title>
      <meta name="viewport" content="width=device-width">
      <style>\(style)</style></head>
      <body>
      \(body)</body></html>

      """
  }

  private static let style = """
    body{font:15px/1.5 system-ui,sans-serif;max-width:62em;margin:2em auto;padding:0 1em;color:#222;background:#fff}
    table{border-collapse:collapse;margin:1em 0}th,td{padding:.25em .8em;text-align:right;border-bottom:1px solid #ddd}
    th:first-child,td:first-child{text-align:left}code{font-size:.9em}.bad{color:#b00020}svg{max-width:100%}
    figure{margin:1em 0}figcaption{font-weight:600}
    @media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}th,td{border-color:#444}svg{filter:invert(.87)}}
    """

  private static func summary(_ report: CampaignReport) -> String {
    let failed = report.failedCount
    let jobs = ReportText.count(report.count, "job")
    return failed == 0 ? "\(jobs), none failed." : "<span class=\"bad\">\(failed) of \(jobs) failed.</span>"
  }

  private static func plots(_ report: CampaignReport) -> String {
    var names: [String] = []
    for group in report.groups {
      for score in group.scores where !names.contains(score.name) { names.append(score.name) }
    }
    return names.map { name in
      let curves = report.groups.compactMap { group in
        group.scores.first { $0.name == name }.map {
          DistributionPlot.Curve(title: group.title, sorted: $0.sorted)
        }
      }
      return
        "<figure><figcaption>\(Markup.escaped(name))</figcaption>\n\(DistributionPlot.svg(curves))</figure>\n"
    }.joined()
  }

  private static func section(_ group: CampaignReport.Group) -> String {
    var out = "<h2>\(Markup.escaped(group.title))</h2>\n"
    out +=
      "<p>Version \(Markup.escaped(group.version)), \(ReportText.count(group.results.count, "seed"))</p>\n"
    out += "<table><tr><th>Score</th><th>Median</th><th>95 % interval</th><th>p90</th><th>Runs</th>"
    out += "<th>No value</th></tr>\n"
    for score in group.scores {
      let cells = [
        ReportText.number(score.median), ReportText.interval(score.interval), ReportText.number(score.p90),
        "\(score.sorted.count)", "\(score.missing)",
      ]
      out += "<tr><td>\(Markup.escaped(score.name))</td>"
      out += cells.map { "<td>\($0)</td>" }.joined() + "</tr>\n"
    }
    out += "</table>\n"
    let failed = group.failed
    guard !failed.isEmpty else { return out }
    out += "<p class=\"bad\">\(ReportText.count(failed.count, "seed")) failed:</p>\n<ul>\n"
    for result in failed.prefix(listedSeeds) {
      out += "<li>Seed \(result.seed): \(Markup.escaped(result.failures.joined(separator: "; ")))<br>"
      out += "<code>\(Markup.escaped(result.command))</code></li>\n"
    }
    if failed.count > listedSeeds { out += "<li>and \(failed.count - listedSeeds) more</li>\n" }
    return out + "</ul>\n"
  }

  private static func section(_ comparison: CampaignComparison) -> String {
    var out = "<h2>Compared</h2>\n<pre>"
    for line in ReportText.lines(comparison) { out += Markup.escaped(line) + "\n" }
    return out + "</pre>\n"
  }
}
