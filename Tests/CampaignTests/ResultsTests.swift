import Foundation
import NearbyCampaigns
import NearbyScenarios
import NearbyTextForms
import TestSupport
import Testing

@Suite("Results of a campaign")
struct ResultsTests {
  static func result(
    seed: UInt64, settings: String? = nil, scores: [ScoreValue], milliseconds: Double = 1,
    version: String = "1"
  ) -> JobResult {
    let settings = settings.flatMap { ScenarioSetting.list(parsing: $0) } ?? []
    let job = CampaignJob(
      file: "x.json", fileDigest: "d", settings: settings, seed: seed, version: version)
    return JobResult(job, scores: scores, milliseconds: milliseconds)
  }

  static let sample: JobResult = result(
    seed: .max, settings: "loss=0.1",
    scores: [
      ScoreValue(name: "a \"b\"\u{1F600}", value: 0.1 + 0.2, failure: "a: found 0.3, expected at most 0.2"),
      ScoreValue(name: "c", value: nil, failure: nil), ScoreValue(name: "d", value: -1e-300, failure: nil),
    ])

  @Test("A line reads back as the same result")
  func roundTrip() throws {
    #expect(try JobResult(parsing: Self.sample.line.utf8) == Self.sample)
    let small = Self.result(seed: 7, scores: [])
    #expect(small.line.contains("\"seed\":7,"))
    #expect(try JobResult(parsing: small.line.utf8) == small)
  }

  @Test("Every cut line is refused, and no changed octet traps")
  func cut() {
    let line = Array(Self.sample.line.utf8)
    for length in line.indices {
      #expect(throws: JobResult.Failure.self) { () throws(JobResult.Failure) in
        try JobResult(parsing: line[..<length])
      }
    }
    for index in line.indices {
      for octet in [0, 0x20, 0x22, 0x30, 0x5B, 0x7B, 0xFF] as [UInt8] {
        var changed = line
        changed[index] = octet
        if let read = try? JobResult(parsing: changed) { #expect(read.digest.utf8.count == 64) }
      }
    }
  }

  @Test(
    "Says what a line lacks",
    arguments: [
      ("3", "one JSON object"), ("{}", "'job' is missing"), ("{\"job\":3}", "'job' has the wrong type"),
      ("{\"job\":\"xyz\"}", "'job' has the wrong type"), ("[]", "one JSON object"),
      ("\u{0}", "one JSON object"),
    ])
  func refuses(line: String, message: String) {
    do throws(JobResult.Failure) {
      _ = try JobResult(parsing: line.utf8)
      Issue.record("the line was accepted")
    } catch {
      #expect(error.description.contains(message), "\(error)")
    }
  }

  @Test("Wrong types inside a result are refused")
  func wrongTypes() {
    let line = Self.sample.line
    let changes = [
      ("\"seed\":\"18446744073709551615\"", "\"seed\":-1"),
      ("\"seed\":\"18446744073709551615\"", "\"seed\":1.5"),
      ("\"settings\":{\"loss\":\"0.1\"}", "\"settings\":{\"loss\":0.1}"),
      ("\"settings\":{\"loss\":\"0.1\"}", "\"settings\":[]"), ("\"c\":null", "\"c\":\"x\""),
      ("\"c\":null", "\"c\":[]"), ("\"c\":null", "\"c\":Infinity"), ("\"c\":null", "\"c\":-1e999"),
      ("\"c\":null", "\"c\":NaN"), ("\"c\":null", "\"c\":1e16"),
    ]
    for (old, new) in changes {
      let changed = line.replacing(old, with: new)
      #expect(changed != line)
      #expect(throws: JobResult.Failure.self, "\(new)") { () throws(JobResult.Failure) in
        try JobResult(parsing: changed.utf8)
      }
    }
  }

  @Test("A file is resumed behind its last whole line, and keeps what it has")
  func resumes() throws {
    let folder = try TemporaryFolder()
    let lines = (1...3).map { Self.result(seed: $0, scores: []).line }
    let path = try folder.write(lines[0] + "\n" + lines[1] + "\n" + lines[2].prefix(100), to: "r.jsonl")
    let file = try ResultFile(path, existing: .resume)
    #expect(
      file.done == Set([Self.result(seed: 1, scores: []), Self.result(seed: 2, scores: [])].map(\.digest)))
    try file.append(Self.result(seed: 3, scores: []))
    try file.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == lines.joined(separator: "\n") + "\n")
  }

  @Test("A file that exists is left alone, unless it is resumed or replaced")
  func existing() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("precious\n", to: "r.jsonl")
    #expect(throws: ResultFile.Failure.exists(path: path)) { () throws(ResultFile.Failure) in
      try ResultFile(path, existing: .refuse)
    }
    #expect(throws: ResultFile.Failure.noResult(path: path, line: 1)) { () throws(ResultFile.Failure) in
      try ResultFile(path, existing: .resume)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious\n")
    let file = try ResultFile(path, existing: .replace)
    try file.append(Self.sample)
    try file.finish()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.sample.line + "\n")
  }

  @Test("A full disk is an error that names the file")
  func diskFull() throws {
    let file = try ResultFile("/dev/full", existing: .refuse)
    do throws(ResultFile.Failure) {
      try file.append(Self.sample)
      try file.finish()
      Issue.record("the line was written")
    } catch {
      #expect(error.description == "/dev/full: can't write: No space left on device")
    }
    #expect(throws: ResultFile.Failure.self) { () throws(ResultFile.Failure) in
      try ResultFile("/nowhere/r.jsonl", existing: .refuse)
    }
  }

  @Test("Several files are one campaign; a job that came twice counts once, and a cut last line is left out")
  func reads() throws {
    let folder = try TemporaryFolder()
    let lines = (1...4).map { Self.result(seed: $0, scores: []).line }
    let one = try folder.write(lines[2] + "\n\n" + lines[0] + "\n", to: "1.jsonl")
    let two = try folder.write(lines[1] + "\n" + lines[0] + "\n" + lines[3].dropLast(), to: "2.jsonl")
    let results = try CampaignResults(reading: [one, two])
    #expect(results.results.map(\.seed) == [1, 2, 3])
    #expect(results.duplicates == 1)
    #expect(results.cutFiles == [two])
  }

  @Test("A damaged line in the middle is an error with its number; so are endless lines and empty files")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let line = Self.sample.line
    func message(_ text: String) throws -> String {
      let path = try folder.write(text, to: "r.jsonl")
      do throws(CampaignResults.Failure) {
        _ = try CampaignResults(reading: [path])
        return ""
      } catch {
        return error.description
      }
    }
    #expect(
      try message(line + "\n{\"job\":\n" + line + "\n").contains("r.jsonl:2: expected a result as one JSON"))
    #expect(try message("").hasSuffix("no results"))
    #expect(try message(String(repeating: "x", count: 3 << 20)).contains("r.jsonl:1: longer than"))
    #expect(throws: CampaignResults.Failure.self) { () throws(CampaignResults.Failure) in
      try CampaignResults(reading: [folder.url.appendingPathComponent("none").path])
    }
    #expect(throws: CampaignResults.Failure.self) { () throws(CampaignResults.Failure) in
      try CampaignResults(reading: [folder.url.path])
    }
  }
}
