import Foundation
import NearbyCommandLine
import TestSupport
import Testing

/// Runs campaigns as processes, whose main thread waits for the pool.
@Suite(
  "nearby campaign as a process", .ownThreads,
  .enabled(if: ProgramRun.command != nil, "the command is not built"))
struct CampaignProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A campaign ends whose scenario suspends and resumes apps")
  func suspensions() throws {
    let scenario = try folder.write(
      """
      {
        duration: 5,
        devices: [{ name: "anna", motion: { stand: [0, 0] } }, { name: "ben", motion: { stand: [2, 0] } }],
        events: [{ at: 2, do: "suspend", device: "ben" }, { at: 4, do: "resume", device: "ben" }],
      }
      """, to: "x.json")
    let output = folder.url.appendingPathComponent("r.jsonl").path
    let run = try ProgramRun(["campaign", "run", scenario, "--seeds", "1..4", "--out", output], in: folder)
    #expect(run.end() == 0, "\(run.text)")
    #expect(run.line(with: "4 jobs in") != nil)
  }
}
