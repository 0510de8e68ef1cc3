import Foundation
import NearbyCommandLine
import NearbySteppedWorld
import TestSupport
import Testing

/// Runs campaigns as processes, whose main thread waits for the pool.
@Suite(
  "nearby campaign as a process", .ownThreads,
  .enabled(if: ProgramRun.command != nil, "the command is not built"))
struct CampaignProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let meeting = """
    {
      duration: 4,
      devices: [{ name: "anna", motion: { stand: [0, 0] } }, { name: "ben", motion: { stand: [2, 0] } }],
    }
    """

  /// Whether programs may have a network of their own here.
  private static let runsPrograms: Bool = {
    guard let command = ProgramRun.command,
      let library = try? TimeLibrary.path(
        environment: [:], programFolder: URL(fileURLWithPath: command).deletingLastPathComponent().path)
    else { return false }
    return ProgramNetwork.unavailability(library: library) == nil && !Sanitizers.isActive
  }()

  @Test(
    "Programs are the devices of a campaign, and each run of a seed gives the same scores",
    .enabled(if: runsPrograms))
  func programs() throws {
    let scenario = try folder.write(Self.meeting, to: "x.json")
    let output = folder.url.appendingPathComponent("r.jsonl").path
    func lines() throws -> [String] {
      let run = try ProgramRun(
        [
          "campaign", "run", scenario, "--seeds", "1..4", "--out", output, "--force", "--run",
          "anna=nearby cerca --plain", "--run", "ben=nearby cerca --plain",
        ], in: folder)
      #expect(run.end() == 0, "\(run.text)")
      let text = try String(contentsOfFile: output, encoding: .utf8)
      // All but the time that a job took.
      return text.split(separator: "\n").compactMap { $0.components(separatedBy: ",\"ms\"").first }.sorted()
    }
    let first = try lines()
    #expect(first.count == 4)
    #expect(first.allSatisfy { $0.contains(#""error p50":0."#) && $0.contains(#""heard":0.9"#) })
    #expect(try lines() == first)
  }

  @Test("A phone's session with an accessory is scored", .enabled(if: runsPrograms))
  func accessory() throws {
    let scenario = try folder.write(Self.meeting, to: "x.json")
    let run = try ProgramRun(
      [
        "campaign", "run", scenario, "--seeds", "1", "--run", "anna=nearby example speaker-app", "--run",
        "ben=nearby example speaker",
      ], in: folder)
    #expect(run.end() == 0, "\(run.text)")
    #expect(run.line(with: #""error p50":0."#) != nil, "\(run.text)")
  }

  @Test(
    "A program's score and its failure are in the result, with the command that runs it again",
    .enabled(if: runsPrograms))
  func failure() throws {
    let scenario = try folder.write(Self.meeting, to: "x.json")
    let output = folder.url.appendingPathComponent("r.jsonl").path
    let command =
      #"echo "{\"score\": \"seed\", \"value\": $NEARBY_SEED}"; sleep 1; echo lost; exit $NEARBY_SEED"#
    let run = try ProgramRun(
      ["campaign", "run", scenario, "--seeds", "0..1", "--out", output, "--run", "ben=\(command)"], in: folder
    )
    #expect(run.end() == 65, "\(run.text)")
    let report = try ProgramRun(["campaign", "report", output], in: folder)
    #expect(report.end() == 65)
    #expect(report.line(with: "seed 1: ben: exited with status 1: ", "lost") != nil, "\(report.text)")
    #expect(report.line(with: "nearby campaign run", "--seeds 1 --run 'ben=echo") != nil, "\(report.text)")
    #expect(report.all.contains { $0.hasPrefix("  seed ") }, "\(report.text)")
  }

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
