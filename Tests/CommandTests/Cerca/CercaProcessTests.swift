import Cerca
import Foundation
import NearbyCommandLine
import NearbyFiles
import TestSupport
import Testing

@testable import nearby

/// Processes of Cerca on one air, each its own device.
@Suite(
  "nearby cerca in processes", .tags(.slow), .ownThreads,
  .enabled(if: ProgramRun.command != nil, "the command is not built"))
struct CercaProcessTests {
  private let folder: TemporaryFolder
  private let scenario: String

  init() throws {
    folder = try TemporaryFolder()
    scenario = try folder.write(
      """
      // \(UUID().uuidString)
      { devices: [
        { name: "ann", motion: { stand: [0, 0] }, facing: { device: "ben" } },
        { name: "ben", motion: { stand: [0, 3] }, facing: { device: "ann" } },
      ] }
      """, to: "scenario.json")
  }

  private func cerca(_ name: String, _ words: [String] = []) throws -> ProgramRun {
    try ProgramRun(["cerca", "--scenario", scenario, "--as", name, "--json"] + words, in: folder)
  }

  /// Waits until no process serves the air any more.
  private func awaitServerEnd() throws {
    let text = try Data(contentsOf: URL(fileURLWithPath: scenario))
    let name = "air-" + String(SharedAir.identity(text, seed: 1), radix: 16)
    let lock = try FileLock(folder.url.path + "/swift-nearby/\(name).server")
    lock.lockExclusively()
    #expect(lock.text.isEmpty)
  }

  @Test("Two processes range; a third with a taken name is refused; the air ends with the last process")
  func meeting() throws {
    let ann = try cerca("ann")
    let ben = try cerca("ben")
    #expect(ann.line(with: #""state":"near","peer":"ben","distance":"#) != nil, "\(ann.text)")
    #expect(ben.line(with: #""state":"near","peer":"ann","distance":"#) != nil, "\(ben.text)")
    let other = try cerca("ben")
    #expect(other.end() == 69)
    #expect(
      other.text == "nearby: another process already is 'ben' on this air; choose another device with --as")
    let distances = ann.all.compactMap { line -> Float? in
      guard case .near(let sighting) = CercaReport(json: line)?.state else { return nil }
      return sighting.distance
    }
    #expect(distances.allSatisfy { abs($0 - 3) < 0.6 }, "\(distances)")
    let before = ben.all.count
    ann.signal(SIGINT)
    #expect(ann.end() == 0)
    #expect(ben.line(from: before, with: #""state":"searching""#) != nil, "\(ben.text)")
    ben.signal(SIGTERM)
    #expect(ben.end() == 0)
    try awaitServerEnd()
  }

  @Test(
    "A killed process that is started again ranges again, even if it had started the air",
    arguments: ["ann", "ben"])
  func killed(name: String) throws {
    let first = try cerca("ann")
    // Wait for output, so that Ann's process starts the air.
    _ = first.line(with: #""state""#) ?? 0
    let pair = ["ann": first, "ben": try cerca("ben")]
    for run in pair.values { #expect(run.line(with: #""state":"near""#) != nil, "\(run.text)") }
    let victim = try #require(pair[name])
    let other = try #require(pair.first { $0.key != name }?.value)
    victim.signal(SIGKILL)
    #expect(victim.end() == SIGKILL)
    let before = other.all.count
    let again = try cerca(name)
    #expect(again.line(with: #""state":"near""#) != nil, "\(again.text)\n\n\(other.text)")
    #expect(other.line(from: before, with: #""state":"near""#) != nil, "\(other.text)")
  }

  @Test("A stopped process counts as an app in the background, and ranges again when continued")
  func suspended() throws {
    let (ann, ben) = (try cerca("ann"), try cerca("ben"))
    for run in [ann, ben] { #expect(run.line(with: #""state":"near""#) != nil, "\(run.text)") }
    let beforeStop = (ann.all.count, ben.all.count)
    ben.signal(SIGTSTP)
    #expect(ann.line(from: beforeStop.0, with: #""state":"lost","peer":"ben""#) != nil, "\(ann.text)")
    let beforeReturn = (ann.all.count, ben.all.count)
    ben.signal(SIGCONT)
    let back = try #require(ben.line(from: beforeReturn.1, with: #""state":"near""#), "\(ben.text)")
    #expect(ann.line(from: beforeReturn.0, with: #""state":"near""#) != nil, "\(ann.text)")
    // The second time is like the first.
    ben.signal(SIGTSTP)
    Self.awaitStop(of: ben)
    ben.signal(SIGCONT)
    #expect(ben.line(from: back, with: #""state":"suspended""#) != nil, "\(ben.text)")
    #expect(ben.all[beforeStop.1...].contains { $0.contains(#""state":"suspended""#) }, "\(ben.text)")
  }

  /// Blocks until a process is stopped; the process stays a child to be waited for.
  private static func awaitStop(of run: ProgramRun) {
    var info = siginfo_t()
    while waitid(P_PID, id_t(run.processID), &info, WSTOPPED | WNOWAIT) != 0 {
      guard errno != EINTR else { continue }
      Issue.record("process \(run.processID) does not stop: errno \(errno)")
      return
    }
  }

  @Test("An interrupted process is gone immediately, and is found again when it is restarted")
  func leaving() throws {
    let (ann, ben) = (try cerca("ann"), try cerca("ben"))
    for run in [ann, ben] { #expect(run.line(with: #""state":"near""#) != nil, "\(run.text)") }
    ben.signal(SIGINT)
    #expect(ben.end() == 0)
    let gone = try #require(ann.line(with: #""state":"searching""#), "\(ann.text)")
    let again = try cerca("ben")
    #expect(again.line(with: #""state":"near""#) != nil, "\(again.text)")
    #expect(ann.line(from: gone, with: #""state":"near""#) != nil, "\(ann.text)")
  }

  @Test("Processes on the chips of NEARBY_RADIO range with each other, not with those of a scenario")
  func chips() throws {
    let chips = try ProgramRun(["chip", "--listen", "127.0.0.1:0", "--spacing", "3"], in: folder)
    _ = try #require(chips.line(with: "listening on 127.0.0.1:"))
    let address = try #require(chips.all.first?.split(separator: " ").last)
    let simulated = try cerca("ann")
    let pair = try ["Ann", "Ben"].map { name in
      try ProgramRun(
        ["cerca", "--as", name, "--json"], in: folder, environment: ["NEARBY_RADIO": "tcp:\(address)"])
    }
    #expect(pair[0].line(with: #""state":"near","peer":"Ben","distance":"#) != nil, "\(pair[0].text)")
    #expect(pair[1].line(with: #""state":"near","peer":"Ann","distance":"#) != nil, "\(pair[1].text)")
    #expect(!simulated.text.contains("near"), "\(simulated.text)")
  }

  @Test("A process that finds no other device in time exits with 69 and says so")
  func alone() throws {
    let ann = try cerca("ann", ["--seconds", "1"])
    #expect(ann.end() == 69)
    #expect(ann.line(with: "nearby: no other device was found in time") != nil)
  }

  @Test("The demo's two devices meet, lose each other and meet again, and the demo exits with 0")
  func demo() throws {
    let demo = try ProgramRun(["demo", "cerca", "--json"], in: folder)
    #expect(demo.end() == 0, "\(demo.text)")
    try check(demo)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).contains("scenario.json"))
  }

  private func check(_ demo: ProgramRun) throws {
    for name in ["Alice", "Bob"] {
      let start = "\"name\":\"\(name)\",\"state\":"
      let near = try #require(demo.line(with: start + "\"near\""), "\(demo.text)")
      let lost = try #require(demo.line(from: near, with: start + "\"lost\""), "\(demo.text)")
      #expect(demo.line(from: lost, with: start + "\"near\"") != nil, "\(demo.text)")
    }
  }

  @Test(
    "The demo needs no network but loopback",
    .needs(.ip, .unshare), .enabled(if: getuid() == 0, "a network namespace needs root"))
  func demoOnLoopback() throws {
    let unshare = try #require(InstalledTool.unshare.path)
    let demo = try ProgramRun(
      ["demo", "cerca", "--json"], in: folder,
      wrapper: [unshare, "--net", "/bin/sh", "-c", "ip link set lo up && exec \"$@\"", "sh"])
    #expect(demo.end() == 0, "\(demo.text)")
    try check(demo)
  }

  @Test("An interrupt ends the demo and both of its processes")
  func demoInterrupted() throws {
    let demo = try ProgramRun(["demo", "cerca", "--json"], in: folder)
    #expect(demo.line(with: "\"state\":\"meeting\"") != nil, "\(demo.text)")
    demo.signal(SIGINT)
    #expect(demo.end() == 130)
    // The pipe to all of them is closed.
    #expect(demo.awaitClosedOutput())
  }

  @Test(
    "An unusable chip, world or token is reported by one error with the true cause",
    arguments: ["NEARBY_RADIO", "NEARBY_WORLD", "NEARBY_TOKEN"])
  func trueCause(variable: String) throws {
    var environment = [variable: variable == "NEARBY_RADIO" ? "tcp:127.0.0.1:1" : "127.0.0.1:1"]
    var expected = "swift-nearby: \(variable)=\(environment[variable] ?? ""): connect: Connection refused"
    var world: ProgramRun?
    if variable == "NEARBY_TOKEN" {
      let run = try ProgramRun(["world", "--listen", "127.0.0.1:0", "--token", "right"], in: folder)
      _ = try #require(run.line(with: "listening on 127.0.0.1:"), "\(run.text)")
      let address = try #require(run.all.first?.split(separator: " ").last)
      environment = ["NEARBY_WORLD": "\(address)", "NEARBY_TOKEN": "wrong"]
      expected = "swift-nearby: NEARBY_WORLD=\(address): refused: wrong token"
      world = run
    }
    for words in [["cerca", "--as", "Ben", "--plain"], ["accessory"]] {
      let run = try ProgramRun(words, in: folder, environment: environment)
      #expect(run.end() == 69, "\(run.text)")
      let errors = run.all.filter { !$0.contains("Looking for") }
      #expect(errors.count == 1 && errors[0].hasPrefix(expected), "\(run.text)")
    }
    withExtendedLifetime(world) {}
  }

  @Test("A missing chip and a denied permission are reported with what to do")
  func errors() throws {
    let bare = try ProgramRun(["cerca", "--as", "Ben"], in: folder)
    #expect(bare.end() == 69)
    #expect(bare.line(with: "no UWB chip that can range; set NEARBY_RADIO or NEARBY_WORLD") != nil)
    #expect(!bare.text.contains("This device can't"), "\(bare.text)")
    let refused = try ProgramRun(
      ["cerca", "--scenario", scenario, "--as", "ann"], in: folder,
      environment: ["NEARBY_PERMISSION": "denied"])
    let ben = try cerca("ben")
    #expect(ben.line(with: #""state""#) != nil)
    #expect(refused.end() == 69)
    #expect(
      refused.line(with: "nearby: Cerca isn't allowed to find nearby devices.") != nil, "\(refused.text)")
    ben.signal(SIGINT)
    #expect(ben.end() == 0)
  }
}

@Suite("nearby cerca: options")
struct CercaCommandTests {
  private func run(_ words: [String]) throws -> (code: ExitCode, errors: String) {
    let folder = try TemporaryFolder()
    let (context, _, errors) = CommandContext.recording(environment: folder.environment)
    let code = NearbyCommand.run(["cerca"] + words, in: context)
    return (code, errors.text)
  }

  private func scenario(in folder: TemporaryFolder) throws -> String {
    try folder.write(#"{ devices: [{ name: "ann", motion: { stand: [0, 0] } }] }"#, to: "one.json")
  }

  @Test("--scenario needs a known --as, names are limited, and --json excludes --plain")
  func usage() throws {
    let folder = try TemporaryFolder()
    let file = try scenario(in: folder)
    #expect(try run(["--scenario", file]).errors.contains("missing option: --as NAME"))
    let stranger = try run(["--scenario", file, "--as", "eve"])
    #expect(stranger.code == .usage)
    #expect(stranger.errors.contains("--as: found 'eve', expected one of ann"))
    #expect(try run(["--as", String(repeating: "x", count: 64)]).code == .usage)
    #expect(try run(["--json", "--plain"]).code == .usage)
    #expect(try run(["--scenario", "/nowhere.json", "--as", "ann"]).code == .noInput)
  }

  @Test("A folder that others may enter is not used")
  func folderOfOthers() throws {
    let folder = try TemporaryFolder()
    let file = try scenario(in: folder)
    let shared = folder.url.appendingPathComponent("swift-nearby").path
    #expect(mkdir(shared, 0o755) == 0)
    chmod(shared, 0o755)
    let (context, _, errors) = CommandContext.recording(environment: folder.environment)
    #expect(NearbyCommand.run(["cerca", "--scenario", file, "--as", "ann"], in: context) == .unavailable)
    #expect(errors.text.contains("expected a folder that only you can enter"))
  }

  @Test("A report survives a round trip through JSON, and an invalid one is refused")
  func reports() {
    let sighting = Sighting(peer: "B\"en", distance: 1.25, direction: [0, 0.6, -0.8])
    let states: [CercaState] = [
      .unsupported, .searching, .meeting(peer: "Ben"), .near(sighting),
      .near(Sighting(peer: "Ben", distance: nil, direction: nil)), .lost(peer: "Ben"), .suspended, .refused,
      .noNetwork, .failed(reason: "no \\ reason"),
    ]
    for state in states {
      let report = CercaReport(time: .milliseconds(1250), name: "ann", state: state)
      #expect(CercaReport(json: report.json) == report, "\(report.json)")
    }
    #expect(CercaReport(json: "{}") == nil)
    #expect(CercaReport(json: #"{"t":1,"name":"x","state":"asleep"}"#) == nil)
  }
}
