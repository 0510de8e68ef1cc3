import Foundation
import NearbyCampaigns
import NearbyMaths
import NearbySchedule
import Testing

@Suite("Report of a campaign")
struct ReportTests {
  private static func report(_ results: [JobResult]) -> CampaignReport {
    CampaignReport(CampaignResults(results))
  }

  private static func results(
    _ seeds: ClosedRange<UInt64>, settings: String? = nil, version: String = "1", _ value: (UInt64) -> Double?
  ) -> [JobResult] {
    seeds.map { seed in
      let found = value(seed)
      let isBad = found.map { $0 > 90 } ?? false
      return ResultsTests.result(
        seed: seed, settings: settings,
        scores: [ScoreValue(name: "error <p90>", value: found, failure: isBad ? "error & more" : nil)],
        version: version)
    }
  }

  @Test("Median, p90, missing values and failing seeds of each group")
  func summary() throws {
    let report = Self.report(
      Self.results(1...100) { $0 == 50 ? nil : Double($0) }
        + Self.results(1...3, settings: "loss=0.5") { _ in 1 })
    #expect(report.groups.map(\.title) == ["x.json", "x.json loss=0.5"])
    let score = try #require(report.groups[0].scores.first)
    #expect(score.sorted.count == 99 && score.missing == 1)
    #expect(score.median == 51)
    let p90 = try #require(score.p90)
    #expect(abs(p90 - 90.2) < 1e-9)
    let interval = try #require(score.interval)
    #expect(interval.contains(50.5) && interval.upperBound - interval.lowerBound > 10)
    #expect(report.groups[0].failed.map(\.seed) == Array(91...100))
    #expect(report.count == 103 && report.failedCount == 10)
  }

  @Test("The interval is the same each time, and holds the true median about as often as it says")
  func bootstrap() throws {
    var hits = 0
    let trials = 400
    for trial in 0..<trials {
      var noise = NoiseStream(seed: UInt64(trial))
      let sample = (0..<60).map { _ in noise.normal() }.sorted()
      let interval = try #require(Bootstrap.median(ofSorted: sample, seed: 9))
      #expect(Bootstrap.median(ofSorted: sample, seed: 9) == interval)
      if interval.contains(0) { hits += 1 }
    }
    // 95 % of 400 is 380, with a standard deviation of 4.4; the percentile method is a little too narrow.
    #expect((355...395).contains(hits), "\(hits)")
    #expect(Bootstrap.median(ofSorted: [], seed: 1) == nil)
    #expect(Bootstrap.median(ofSorted: [3], seed: 1) == 3...3)
  }

  @Test("Large samples get nearly the interval that resampling gives")
  func largeSample() throws {
    var noise = NoiseStream(seed: 3)
    let sample = (0..<20_001).map { _ in noise.uniform() }.sorted()
    let quick = try #require(Bootstrap.median(ofSorted: sample, seed: 1))
    let full = try #require(Bootstrap.median(ofSorted: Array(sample.dropLast()), seed: 1))
    #expect(
      abs(quick.lowerBound - full.lowerBound) < 0.002 && abs(quick.upperBound - full.upperBound) < 0.002)
  }

  @Test("Quantiles interpolate between neighbours")
  func quantiles() {
    #expect(Quantile.of([3, 1, 2], 0.5) == 2)
    #expect(Quantile.of([1, 2], 0.5) == 1.5)
    #expect(Quantile.of([1, 2, 3, 4, 5], 0.9) == 4.6)
    #expect(Quantile.of([], 0.5) == nil)
    #expect(Quantile.of([7], 1) == 7)
    #expect(Quantile.of([1, 2], 5) == 2 && Quantile.of([1, 2], -1) == 1)
  }

  @Test("Text names failing seeds with the command that runs each again")
  func text() {
    let text = ReportText.lines(Self.report(Self.results(89...92, settings: "a=it's") { Double($0) }))
      .joined(separator: "\n")
    #expect(text.contains("2 seeds failed:"))
    #expect(
      text.contains("seed 91: error & more\n    nearby campaign run x.json --seeds 91 --set 'a=it'\\''s'"))
    #expect(text.hasSuffix("2 of 4 jobs failed"))
  }

  @Test("JUnit is XML with a test case for each seed")
  func junit() throws {
    let text = JUnitReport.text(Self.report(Self.results(90...91, settings: "a=<b>") { Double($0) }))
    let parser = XMLCounter(text)
    #expect(parser.isValid)
    #expect(parser.count == ["testsuites": 1, "testsuite": 1, "testcase": 2, "failure": 1])
    #expect(text.contains("failure message=\"error &amp; more\""))
    #expect(text.contains("name=\"x.json a=&lt;b&gt;\" tests=\"2\" failures=\"1\""))
  }

  @Test("The page is one file without scripts and outside resources, and escapes names")
  func html() {
    let report = Self.report(Self.results(1...100, settings: "a=<script>") { Double($0) })
    let text = HTMLReport.text(report, against: report)
    #expect(
      !text.contains("<script") && !text.contains("src=") && !text.contains("href=") && !text.contains("url(")
    )
    #expect(text.contains("a=&lt;script&gt;") && text.contains("error &lt;p90&gt;"))
    #expect(text.contains("<svg") && text.contains("Compared"))
    #expect(HTMLReport.text(Self.report(Self.results(1...2) { _ in nil })).contains("no run has a value"))
    #expect(HTMLReport.text(Self.report(Self.results(1...2) { _ in 5 })).contains("<svg"))
  }

  @Test("A comparison pairs seeds, and says what clearly changed and which seeds failed newly")
  func comparison() throws {
    let before = Self.report(Self.results(1...80, version: "1") { Double($0) })
    let after = Self.report(Self.results(11...100, version: "2") { Double($0) + 2 })
    let change = try #require(CampaignComparison(before: before, after: after).groups.first)
    #expect(change.pairs == 70)
    #expect(change.scores[0].difference == 2 && change.scores[0].isClear)
    #expect(change.newlyFailed.isEmpty)
    var noise = NoiseStream(seed: 4)
    let same = Self.report(Self.results(1...80, version: "3") { Double($0) + noise.normal() })
    let unclear = try #require(CampaignComparison(before: before, after: same).groups.first)
    #expect(!unclear.scores[0].isClear)
    let worse = Self.report(Self.results(1...80, version: "4") { Double($0) + 20 })
    let failing = try #require(CampaignComparison(before: before, after: worse).groups.first)
    #expect(failing.newlyFailed.map(\.seed) == Array(71...80) && failing.newlyPassed.isEmpty)
    let other = Self.report(Self.results(1...2, settings: "loss=1") { _ in 1 })
    let apart = CampaignComparison(before: before, after: other)
    #expect(apart.groups.isEmpty && apart.onlyBefore == ["x.json"] && apart.onlyAfter == ["x.json loss=1"])
  }

  @Test("JSON has a line for each group")
  func json() throws {
    let lines = ReportText.json(Self.report(Self.results(91...92) { Double($0) }))
    let line = try #require(lines.first)
    let read = try JSONSerialization.jsonObject(with: Data(line.utf8))
    let object = try #require(read as? [String: Any])
    let scores = try #require(object["scores"] as? [String: [String: Any]])
    #expect(scores["error <p90>"]?["median"] as? Double == 91.5)
    #expect((object["failed"] as? [[String: Any]])?.count == 2)
  }
}

/// Counts the elements of an XML text: a small parser, since Foundation's is a library of its own on Linux.
private struct XMLCounter {
  private(set) var count: [String: Int] = [:]
  private(set) var isValid = true

  init(_ text: String) {
    var open: [Substring] = []
    for piece in text.split(separator: "<").dropFirst(text.hasPrefix("<?xml") ? 1 : 0) {
      guard let end = piece.firstIndex(of: ">") else {
        isValid = false
        return
      }
      let tag = piece[..<end]
      let name = tag.drop { $0 == "/" }.prefix { $0.isLetter }
      if tag.hasPrefix("/") {
        isValid = isValid && open.popLast() == name
      } else {
        count[String(name), default: 0] += 1
        if !tag.hasSuffix("/") { open.append(name) }
      }
    }
    isValid = isValid && open.isEmpty
  }
}
