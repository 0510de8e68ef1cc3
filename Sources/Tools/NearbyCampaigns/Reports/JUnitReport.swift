import NearbyTextForms

/// A campaign as JUnit XML, which the pages of continuous integration show: a test suite for each scenario with its
/// settings, a test case for each seed.
package enum JUnitReport {
  package static func text(_ report: CampaignReport) -> String {
    var out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    out += "<testsuites tests=\"\(report.count)\" failures=\"\(report.failedCount)\">\n"
    for group in report.groups { out += suite(group) }
    return out + "</testsuites>\n"
  }

  private static func suite(_ group: CampaignReport.Group) -> String {
    let title = Markup.escaped(group.title)
    let seconds = group.results.reduce(0) { $0 + $1.milliseconds } / 1000
    var out =
      "  <testsuite name=\"\(title)\" tests=\"\(group.results.count)\" failures=\"\(group.failed.count)\" "
    out += "time=\"\(NumberFormat.fixed(seconds, 3))\">\n"
    for result in group.results {
      let time = NumberFormat.fixed(result.milliseconds / 1000, 3)
      out += "    <testcase classname=\"\(title)\" name=\"seed \(result.seed)\" time=\"\(time)\""
      guard !result.failures.isEmpty else {
        out += "/>\n"
        continue
      }
      let message = Markup.escaped(result.failures.joined(separator: "; "))
      out += ">\n      <failure message=\"\(message)\">\(Markup.escaped(result.command))</failure>\n"
      out += "    </testcase>\n"
    }
    return out + "  </testsuite>\n"
  }
}
