import Foundation
import NearbyCommandLine
import NearbyRecordings
import Testing

@testable import nearby

@Suite("nearby replay")
final class ReplayCommandTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("nearby-replay-\(UUID().uuidString)")
    var ranges: [RecordedRange] = []
    for step in 0..<200 {
      let seconds = Double(step) * 0.05
      let truth = 5 + 0.5 * seconds
      // A wave for noise, and one range that is metres off.
      let noise = 0.05 * Double((step * 7) % 5 - 2)
      let range = step == 100 ? truth + 6 : truth + 0.1 + noise
      ranges.append(
        RecordedRange(
          time: .milliseconds(step * 50), tag: "1", object: step.isMultiple(of: 2) ? "a" : "b\"<&",
          range: range, trueRange: truth))
    }
    try Recording(ranges: ranges).write(to: folder)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  @Test("Prints one JSON object per line with exactly the documented keys, and null without an estimate")
  func jsonLines() throws {
    let result = run(["replay", folder.path, "--json"])
    #expect(result.code == .success)
    #expect(result.errors.isEmpty)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 200)
    for (index, line) in lines.enumerated() {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object.keys.sorted() == ["distance", "object", "range", "sigma", "t", "tag"])
      #expect(object["t"] as? Double == Double(index * 50) / 1000)
      #expect(object["tag"] as? String == "1")
      #expect((object["distance"] is NSNull) == (object["sigma"] is NSNull))
    }
    #expect(lines[0].hasPrefix(#"{"t":0.000000,"object":"a","tag":"1","range":5."#))
    #expect(lines[0].hasSuffix(#""distance":null,"sigma":null}"#))
    #expect(lines[1].contains(#""object":"b\"<&""#))
  }

  @Test("The estimate follows the truth and ignores an outlier")
  func followsTruth() throws {
    let rows = try Recording(folder: folder).replay(rangeOffset: 0.1)
    let summary = ReplaySummary(rows, rangeOffset: 0.1)
    let estimates = try #require(summary.estimateScore)
    let ranges = try #require(summary.rangeScore)
    #expect(ranges.asMeasured.largest > 5)
    #expect(estimates.asMeasured.largest < 0.5)
    #expect(estimates.asMeasured.rmse < ranges.asMeasured.rmse)
    #expect(abs(ranges.bias) < 0.06)
    #expect(summary.pairs == 2)
    #expect(summary.duration == .milliseconds(199 * 50))
  }

  @Test("Prints lines and a summary as text, or only the summary")
  func humanText() {
    let all = run(["replay", folder.path])
    #expect(all.output.hasPrefix(ReplayText.header + "\n"))
    #expect(all.output.contains("200 ranges of 2 pairs in 10.0 s"))
    #expect(all.output.contains("estimate, as measured"))
    let summary = run(["replay", folder.path, "--summary"])
    #expect(all.output.hasSuffix(summary.output))
    #expect(summary.output.hasPrefix("200 ranges"))
  }

  @Test("The summary as JSON is one object")
  func jsonSummary() throws {
    let result = run(["replay", folder.path, "--summary", "--json"])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(object["ranges"] as? Int == 200)
    #expect(object["missing_values"] as? Int == 0)
    let estimate = try #require(object["estimate"] as? [String: Any])
    #expect((estimate["as_measured"] as? [String: Any])?["rmse"] is Double)
  }

  @Test("The summary counts values that are not finite, in columns that the estimator does not need")
  func missingValues() throws {
    let text = "t_s,object_id,range_m,rx_dbm\n0,a,5,-inf\n0.1,a,5.1,-80\n0.2,a,5.05,nan\n"
    try Data(text.utf8).write(to: folder.appendingPathComponent("ranges.csv"))
    let result = run(["replay", folder.path, "--summary"])
    #expect(result.code == .success)
    #expect(result.output.contains("2 missing values: nan or infinite\n"))
    try Data("t_s,object_id,range_m\n0,a,-inf\n".utf8).write(to: folder.appendingPathComponent("ranges.csv"))
    #expect(run(["replay", folder.path, "--summary"]).code == .badData)
  }

  @Test("--object selects one object, and an unknown one is an error that lists the known ones")
  func chooses() {
    let one = run(["replay", folder.path, "--object", "a", "--json"])
    #expect(one.output.split(separator: "\n").count == 100)
    let none = run(["replay", folder.path, "--object", "c"])
    #expect(none.code == .badData)
    #expect(none.errors == "nearby: --object: found 'c', expected one of a, b\"<&\n")
    #expect(none.output.isEmpty)
  }

  @Test("The plot is well-formed and has every series")
  func plot() throws {
    let file = folder.appendingPathComponent("plot.svg")
    #expect(run(["replay", folder.path, "--summary", "--plot", file.path]).code == .success)
    let svg = try String(contentsOf: file, encoding: .utf8)
    #expect(svg.hasPrefix("<?xml"))
    #expect(svg.hasSuffix("</svg>\n"))
    #expect(svg.contains("object b&quot;&lt;&amp;, tag 1"))
    for style in ["raw", "estimate", "band", "truth", "far"] {
      #expect(svg.contains("class=\"\(style)\" d=\""), "\(style)")
    }
    let opened = svg.matches(of: /<(g|svg|text|style|title)[ >]/).count
    #expect(opened == svg.matches(of: /<\/(g|svg|text|style|title)>/).count)
    #expect(!svg.contains("nan"))
    #expect(!svg.contains("inf"))
    let wrong = run(["replay", folder.path, "--plot", "/no-such-folder/plot.svg", "--summary"])
    #expect(wrong.code == .inputOutput)
    #expect(wrong.errors.hasPrefix("nearby: /no-such-folder/plot.svg: can't be written"))
  }

  @Test("The error for a wrong folder says what is wrong, and which subfolders have recordings")
  func wrongFolders() throws {
    let missing = run(["replay", folder.path + "/none"])
    #expect(missing.code == .noInput)
    #expect(missing.errors == "nearby: \(folder.path)/none: no such folder\n")
    let file = run(["replay", folder.path + "/ranges.csv"])
    #expect(file.code == .noInput)
    #expect(file.errors.contains("expected a folder with a ranges.csv, found a file"))
    let parent = folder.appendingPathComponent("set")
    try FileManager.default.createDirectory(
      at: parent.appendingPathComponent("one"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: folder.appendingPathComponent("ranges.csv"),
      to: parent.appendingPathComponent("one/ranges.csv"))
    #expect(
      run(["replay", parent.path]).errors.hasSuffix("no ranges.csv in this folder; found one in: one\n"))
  }

  @Test("A bad row is refused with its file, line and column")
  func badRow() throws {
    let file = folder.appendingPathComponent("ranges.csv")
    try Data("t_s,object_id,range_m\n0,a,1\n0.1,a,far\n".utf8).write(to: file)
    let result = run(["replay", folder.path])
    #expect(result.code == .badData)
    #expect(result.errors.contains("ranges.csv:3: range_m: found \"far\"; expected a number"))
    #expect(result.output.isEmpty)
  }

  @Test("Without ground truth there is a summary, but no score")
  func withoutTruth() throws {
    let file = folder.appendingPathComponent("ranges.csv")
    try Data("t_s,object_id,range_m\n0,a,1\n0.1,a,1.01\n".utf8).write(to: file)
    let result = run(["replay", folder.path, "--summary"])
    #expect(result.output == "2 ranges of 1 pair in 0.1 s; 1 estimate\nno ground truth in this recording\n")
    #expect(run(["replay", folder.path, "--json"]).output.contains(#""tag":null"#))
  }

  @Test("An interrupt ends the replay")
  func interrupted() {
    let (context, _, errors) = CommandContext.recording()
    context.interrupt.raise()
    #expect(NearbyCommand.run(["replay", folder.path], in: context) == .interrupted)
    #expect(errors.text.isEmpty)
  }
}
