import Testing

@testable import NearbySourceCheck

@Suite("Trials of a module")
struct ModuleTrialTests {
  private func error(_ path: String?, _ text: String = "no", line: Int = 1) -> CompilerMessage {
    CompilerMessage(path: path, place: SourcePlace(line: line, column: 1), text: text)
  }

  @Test("Files with errors are dropped with their first one, until the rest is accepted")
  func rounds() {
    var trial = ModuleTrial(files: ["A", "B", "C"])
    trial.received(.rejected([error("B", "first", line: 4), error("B", "second", line: 9)]))
    #expect(trial.state == .compiling)
    #expect(trial.files == ["A", "C"])
    trial.received(.rejected([error("C", "needs B")]))
    trial.received(.accepted)
    #expect(trial.state == .accepted)
    #expect(trial.files == ["A"])
    #expect(trial.dropped.map(\.file) == ["B", "C"])
    #expect(trial.dropped.map(\.reason) == ["first", "needs B"])
    #expect(trial.dropped.first?.place.line == 4)
  }

  @Test("A file whose error causes those of others is dropped first, and alone")
  func causes() {
    var trial = ModuleTrial(files: ["A", "B", "C"])
    trial.received(.rejected([error("C", "'X' is ambiguous"), error("B", "invalid redeclaration of 'X'")]))
    #expect(trial.files == ["A", "C"])
    trial.received(.accepted)
    #expect(trial.dropped.map(\.file) == ["B"])
  }

  @Test("A file that its owner changes is compiled again instead of dropped")
  func changes() {
    var trial = ModuleTrial(files: ["A", "B"])
    trial.received(.rejected([error("A", line: 3), error("A", line: 30), error("B")])) {
      $0 == "A" && $1 == 30
    }
    #expect(trial.files == ["A"])
    #expect(trial.dropped.map(\.file) == ["B"])
    trial.received(.rejected([error("A", line: 3)]))
    #expect(trial.state == .rejected)
    #expect(trial.dropped.map(\.file) == ["B", "A"])
  }

  @Test("A crash drops the file that the compiler was working on")
  func crash() {
    var trial = ModuleTrial(files: ["Sources/A.swift", "Sources/B.swift"])
    let dump = """
      Please submit a bug report
      Stack dump:
      0.\tProgram arguments: swift-frontend Sources/A.swift Sources/B.swift
      1.\tWhile evaluating request TypeCheckSourceFileRequest(source_file "Sources/B.swift")
      """
    trial.received(.crashed(output: dump))
    #expect(trial.files == ["Sources/A.swift"])
    #expect(trial.dropped.map(\.reason) == ["the compiler crashed on this file"])
  }

  @Test(
    "A failure that names no file ends the trial with a reason for each file",
    arguments: [
      (
        ModuleTrial.Outcome.crashed(output: "Stack dump:\n0.\tProgram arguments: A"),
        "did not say on which file"
      ),
      (.crashed(output: ""), "did not say on which file"),
      (.timedOut(seconds: 9), "within 9 s"),
      (.rejected([]), "without an error"),
      (
        .rejected([CompilerMessage(path: nil, place: SourcePlace(line: 1, column: 1), text: "bad option")]),
        "bad option"
      ),
    ])
  func givingUp(outcome: ModuleTrial.Outcome, words: String) {
    var trial = ModuleTrial(files: ["A", "B"])
    trial.received(outcome)
    #expect(trial.state == .rejected)
    #expect(trial.files.isEmpty)
    #expect(trial.dropped.map(\.file) == ["A", "B"])
    #expect(trial.dropped.allSatisfy { $0.reason.contains(words) })
  }

  @Test("A trial ends after its limit of rounds")
  func limit() {
    var trial = ModuleTrial(files: (0..<9).map { "\($0)" }, mostRounds: 3)
    for round in 0..<3 { trial.received(.rejected([error("\(round)")])) }
    #expect(trial.state == .rejected)
    #expect(trial.dropped.count == 9)
  }

  @Test("A module without files is rejected at once")
  func empty() { #expect(ModuleTrial(files: []).state == .rejected) }
}
