import Foundation
import NearbyCampaigns
import NearbyCommandLine
import TestSupport
import Testing

@testable import nearby

@Suite("nearby campaign")
struct CampaignCommandTests {
  private let folder: TemporaryFolder
  private let scenario: String

  init() throws {
    folder = try TemporaryFolder()
    scenario = try folder.write(
      TestScenario.text("scores: [{ of: 'heard', atLeast: 0.5 }],", seconds: 3), to: "x.json")
  }

  private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

  private func run(
    _ words: [String], environment: [String: String] = [:], interrupts: Bool = false
  ) -> (code: ExitCode, output: String, errors: String) {
    let (context, output, errors) = CommandContext.recording(environment: environment)
    if interrupts { context.interrupt.raise() }
    let code = NearbyCommand.run(["campaign"] + words, in: context)
    return (code, output.text, errors.text)
  }

  @Test("Writes a line for each seed and setting, and reports them")
  func runs() throws {
    let file = path("r.jsonl")
    let ran = run(["run", scenario, "--seeds", "1..3", "--set", "loss=0,0.9", "--out", file])
    #expect(ran.code == .badData, "\(ran.errors)")
    #expect(ran.errors.contains("nearby: 6 jobs in"))
    #expect(ran.errors.contains("3 of 6 runs broke a bound"))
    #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 6)
    let report = run(["report", file, "--junit", path("j.xml"), "--html", path("h.html")])
    #expect(report.code == .badData)
    #expect(report.output.contains("x.json loss=0  (version 0.1.0, 3 seeds)"))
    #expect(report.output.contains("3 of 6 jobs failed"))
    #expect(try String(contentsOfFile: path("j.xml"), encoding: .utf8).contains("failures=\"3\""))
    #expect(try String(contentsOfFile: path("h.html"), encoding: .utf8).contains("<svg"))
    let compared = run(["report", file, "--against", file, "--json"])
    #expect(compared.output.contains("\"difference\":0.0"))
  }

  @Test("Programs run on this machine, as devices that exist")
  func wrongPrograms() {
    let remote = run(["run", scenario, "--run", "anna=true", "--nats", "nats://localhost"])
    #expect(remote.code == .usage && remote.errors.contains("--run runs programs of this machine"))
    let unknown = run(["run", scenario, "--run", "zoe=true"])
    #expect(unknown.code == .usage && unknown.errors.contains("no device 'zoe' in the scenario"))
    let shapeless = run(["run", scenario, "--run", "anna"])
    #expect(shapeless.code == .usage && shapeless.errors.contains("DEVICE=COMMAND"))
    let missing = run(
      ["run", scenario, "--run", "anna=true"], environment: ["NEARBY_TIME_LIBRARY": path("none.so")])
    #expect(missing.code == .unavailable && missing.errors.contains("none.so"))
  }

  @Test("The parts together have every job once, and the rerun command gives the same line")
  func shards() throws {
    for part in 1...3 {
      let ran = run(
        ["run", scenario, "--seeds", "1..20", "--out", path("p\(part).jsonl")],
        environment: ["NEARBY_SHARD": "\(part)/3"])
      #expect(ran.code == .success, "\(ran.errors)")
      #expect(ran.errors.contains("nearby: part \(part)/3: "))
    }
    let results = try CampaignResults(reading: (1...3).map { path("p\($0).jsonl") })
    #expect(results.results.map(\.seed) == Array(1...20) && results.duplicates == 0)
    let words = results.results[6].command.split(separator: " ").dropFirst(2).map(String.init)
    let again = run(words)
    #expect(again.code == .success)
    #expect(
      try JobResult(parsing: again.output.dropLast().utf8).lineWithoutTime
        == results.results[6].lineWithoutTime)
  }

  @Test("An interrupt keeps what is done, and --resume runs only what is missing")
  func resumes() throws {
    let file = path("r.jsonl")
    #expect(run(["run", scenario, "--seeds", "1..5", "--out", file]).code == .success)
    let stopped = run(["run", scenario, "--seeds", "1..9", "--out", file, "--resume"], interrupts: true)
    #expect(stopped.code == .interrupted)
    #expect(stopped.errors.contains("stopped after 0 of 4 jobs; continue with --resume"))
    let rest = run(["run", scenario, "--seeds", "1..9", "--out", file, "--resume"])
    #expect(
      rest.code == .success && rest.errors.contains("4 jobs in") && rest.errors.contains("5 were done before")
    )
    #expect(try CampaignResults(reading: [file]).results.map(\.seed) == Array(1...9))
    #expect(run(["run", scenario, "--seeds", "1..9", "--out", file]).errors.contains("exists; use --resume"))
    #expect(run(["run", scenario, "--seeds", "1", "--out", file, "--force"]).code == .success)
    #expect(try CampaignResults(reading: [file]).results.count == 1)
  }

  @Test(
    "Says what is wrong with a call",
    arguments: [
      (["--seeds", "5..1"], ExitCode.usage, "expected the smaller seed first"),
      (["--seeds", "x"], .usage, "found 'x', expected seeds such as 1..1000"),
      (["--seeds", "1..99999999"], .usage, "more than"), (["--set", "loss"], .usage, "expected KEY=VALUE"),
      (["--set", "lost=1"], .badData, "unknown key \"lost\"; did you mean \"loss\"?"),
      (["--set", "loss=9"], .badData, "with loss=9: "),
      (["--set", "loss=0", "--set", "loss=1"], .usage, "set twice"),
      (["--set", "devices.carl.loss=1"], .usage, "no entry 'devices.carl'"),
      (["--shard", "5/3"], .usage, "--shard: found '5/3', expected a part such as 2/5"),
      (["--resume"], .usage, "--resume needs --out"), (["--workers", "0"], .usage, "from 1 to 1024"),
      (["--out", "/dev/full"], .inputOutput, "/dev/full: can't write: No space left on device"),
      (["--out", "/nowhere/r"], .inputOutput, "/nowhere/r: can't open: No such file or directory"),
      (["--nats", "nats://127.0.0.1:1"], .unavailable, "connect to nats://127.0.0.1:1: no answer"),
      (
        ["--nats", "nats://anna:secret@127.0.0.1:1"], .unavailable, "connect to nats://127.0.0.1:1: no answer"
      ),
      (["--nats", "%%"], .unavailable, "nearby: can't connect"),
      (["--nats", "nats://x", "--workers", "2"], .usage, "an option of the workers"),
    ] as [([String], ExitCode, String)])
  func refuses(words: [String], code: ExitCode, message: String) {
    let ran = run(["run", scenario] + words)
    #expect(ran.code == code, "\(ran.errors)")
    #expect(ran.errors.contains(message), "\(ran.errors)")
  }

  @Test("Says what is wrong with a scenario, the environment and results")
  func badInput() throws {
    let broken = try folder.write("{ devices: [ }", to: "broken.json")
    #expect(run(["run", broken]).errors.contains("broken.json:1:14"))
    #expect(run(["run", path("none.json")]).code == .noInput)
    let sharded = run(["run", scenario], environment: ["JOB_COMPLETION_INDEX": "3"])
    #expect(sharded.code == .usage && sharded.errors.contains("set NEARBY_SHARD_COUNT"))
    #expect(run(["report", path("none.jsonl")]).code == .noInput)
    let cut = try folder.write("{\"job\":\n{}\n", to: "cut.jsonl")
    #expect(run(["report", cut]).errors.contains("cut.jsonl:1: expected a result"))
    #expect(run(["report"]).code == .usage)
  }
}
