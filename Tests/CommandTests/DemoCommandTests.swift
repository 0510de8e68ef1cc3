import Foundation
import Testing

@testable import nearby

private func run(_ words: [String], terminal: TerminalInfo? = nil) -> (
  code: ExitCode, output: String, errors: String
) {
  let (context, output, errors) = CommandContext.recording(terminal: terminal)
  let code = NearbyCommand.run(words, in: context)
  return (code, output.text, errors.text)
}

@Suite("nearby demo")
struct DemoCommandTests {
  @Test("The same seed gives the same output, another seed another", arguments: ["--json", "--plain"])
  func deterministic(form: String) {
    let first = run(["demo", "--speed", "max", "--seconds", "5", form])
    #expect(first.code == .success)
    #expect(first.errors.isEmpty)
    #expect(first.output == run(["demo", "--speed", "max", "--seconds", "5", form, "--seed", "1"]).output)
    #expect(first.output != run(["demo", "--speed", "max", "--seconds", "5", form, "--seed", "2"]).output)
  }

  @Test("How fast it runs changes nothing of what is said")
  func speedChangesNothing() {
    let slow = run(["demo", "--speed", "40", "--seconds", "3", "--json"])
    #expect(slow.output == run(["demo", "--speed", "max", "--seconds", "3", "--json"]).output)
  }

  @Test("Both phones run, then hear of each other several times a second, as JSON")
  func jsonLines() throws {
    let lines = run(["demo", "--speed", "max", "--json"]).output.split(separator: "\n")
    var updates = 0
    var seen: [String] = []
    for line in lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let event = try #require(object["event"] as? String)
      if event == "update" { updates += 1 } else { seen.append("\(object["observer"] ?? "") \(event)") }
      #expect((object["t"] as? Double ?? -1) <= 10)
      if let distance = object["distance"] as? Double { #expect((0.5...10).contains(distance)) }
      if let direction = object["direction"] as? [Double] {
        #expect(abs(direction.reduce(0) { $0 + $1 * $1 } - 1) < 0.01)
      }
    }
    #expect(seen.prefix(2) == ["Alice running", "Bob running"])
    #expect(updates > 80)
  }

  @Test("In the museum the visitor is led until the sphere is placed")
  func museum() throws {
    let lines = run(["demo", "museum", "--speed", "max", "--json"]).output.split(separator: "\n")
    var phases: [String] = []
    for line in lines {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object["event"] as? String == "guidance")
      let phase = try #require(object["phase"] as? String)
      if !phases.contains(phase) { phases.append(phase) }
    }
    #expect(phases == ["moveSideToSide", "followArrow", "moveUpAndDown", "placed"])
    let last = try #require(lines.last)
    let end = try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any]
    #expect((end?["sphereError"] as? Double ?? 9) < 0.7)
    let terminal = TerminalInfo(columns: 80, rows: 24, hasColour: false)
    let picture = run(["demo", "museum", "--speed", "max"], terminal: terminal).output
    #expect(picture.contains("follow the arrow"))
    #expect(picture.contains("here it is: sphere placed"))
  }

  @Test("A scene that is not there, and a scenario for the museum, are refused")
  func scenes() {
    #expect(
      run(["demo", "musem"]).errors.contains("found 'musem', expected meeting, museum, cerca, world or radar")
    )
    #expect(run(["demo", "museum", "meeting"]).code == .usage)
    #expect(run(["demo", "museum", "--scenario", "x.json"]).code == .usage)
    #expect(run(["demo", "meeting", "--speed", "max"]).output == run(["demo", "--speed", "max"]).output)
  }

  @Test("On a terminal it draws pictures and leaves one line")
  func picture() {
    let terminal = TerminalInfo(columns: 80, rows: 24, hasColour: false)
    let result = run(["demo", "--speed", "40", "--seconds", "6"], terminal: terminal)
    let frames = result.output.components(separatedBy: "\u{1B}[H")
    #expect(frames.count > 3)
    #expect(frames.last?.contains("● Bob") == true)
    #expect(
      result.output.firstMatch(of: /Alice → Bob after 6\.0 s: \d\.\d\d m  .+  \(\d+ updates\)\n$/) != nil)
  }

  @Test("A scenario's devices range by their names")
  func scenario() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("nearby-demo-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let text = """
      { duration: 4, devices: [
        { name: "left", motion: { stand: [0, 0] } }, { name: "right", motion: { stand: [0, 3] }, facing: { device: "left" } } ] }
      """
    try Data(text.utf8).write(to: file)
    let result = run(["demo", "--scenario", file.path, "--speed", "max"])
    #expect(result.code == .success, "\(result.errors)")
    #expect(result.output.contains("left → right  runs"))
    #expect(result.output.contains(/right → left +[23]\.\d\d m/))
    try Data("{ devices: [ { nam: \"x\" } ] }".utf8).write(to: file)
    let wrong = run(["demo", "--scenario", file.path])
    #expect(wrong.code == .badData)
    #expect(wrong.errors.hasPrefix("nearby: \(file.path):1:"))
    #expect(run(["demo", "--scenario", file.path + "x"]).code == .noInput)
  }

  @Test("An interrupt ends it")
  func interrupted() {
    let (context, _, errors) = CommandContext.recording()
    context.interrupt.raise()
    #expect(NearbyCommand.run(["demo"], in: context) == .interrupted)
    #expect(errors.text.isEmpty)
  }

  @Test("Every command of the table has code behind it")
  func everyCommand() {
    for (path, command) in Completion.paths(CommandTable.root) where command.subcommands.isEmpty {
      let (context, _, _) = CommandContext.recording()
      context.interrupt.raise()
      // Wrong or missing arguments are enough to see that somebody reads them.
      #expect(NearbyCommand.run(path + ["--help"], in: context) == .success)
      #expect(NearbyCommand.commands.contains(path.joined(separator: " ")))
    }
  }
}

@Suite("nearby simulate")
final class SimulateCommandTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("nearby-simulate-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ scenario: String) throws -> String {
    let file = folder.appendingPathComponent("scenario.json")
    try Data(scenario.utf8).write(to: file)
    return file.path
  }

  private var walk: String {
    """
    { seed: 3, duration: 8, devices: [
      { name: "walker", motion: { walk: [[0, 0], [0, 6]] } },
      { name: "post", motion: { stand: [1, 7] }, kind: "accessory", facing: { device: "walker" } },
      { name: "pole", motion: { stand: [-1, 7] }, kind: "accessory", facing: { device: "walker" } } ],
      pairs: [["walker", "post"], ["walker", "pole"]] }
    """
  }

  @Test("Writes a recording that replay reads, with ranges the truth confirms")
  func roundTrip() throws {
    let file = try write(walk)
    let out = folder.appendingPathComponent("out").path
    let result = run(["simulate", file, "--out", out])
    #expect(result.code == .success, "\(result.errors)")
    #expect(result.output.isEmpty)
    let names = try FileManager.default.contentsOfDirectory(atPath: out)
    for name in ["ranges.csv", "traj_gt.csv", "objects_gt.csv", "tags.csv", "meta.json"] {
      #expect(names.contains(name))
    }
    let replayed = run(["replay", out, "--json"])
    #expect(replayed.code == .success)
    #expect(replayed.output.split(separator: "\n").count > 60)
    for object in ["post", "pole"] { #expect(replayed.output.contains("\"object\":\"\(object)\"")) }
    let summary = run(["replay", out, "--summary", "--json"]).output
    let object = try JSONSerialization.jsonObject(with: Data(summary.utf8)) as? [String: Any]
    let score = (object?["range"] as? [String: Any])?["as_measured"] as? [String: Any]
    #expect((score?["rmse"] as? Double ?? 1) < 0.3)
  }

  @Test("The same seed writes the same octets, another seed others")
  func deterministic() throws {
    let file = try write(walk)
    let places = ["a", "b", "c"].map { folder.appendingPathComponent($0) }
    for (place, seed) in zip(places, ["5", "5", "6"]) {
      #expect(
        run(["simulate", file, "--out", place.path, "--seed", seed, "--seconds", "3"]).code == .success)
    }
    let ranges = try places.map { try Data(contentsOf: $0.appendingPathComponent("ranges.csv")) }
    #expect(ranges[0] == ranges[1])
    #expect(ranges[0] != ranges[2])
  }

  @Test("Overwrites nothing unasked")
  func keepsFiles() throws {
    let file = try write(walk)
    let refused = run(["simulate", file, "--out", folder.path])
    #expect(refused.code == .inputOutput)
    #expect(refused.errors == "nearby: \(folder.path): not empty; --force writes into it all the same\n")
    #expect(run(["simulate", file, "--out", folder.path, "--force", "--seconds", "1"]).code == .success)
  }

  @Test("Says what is wrong")
  func wrong() throws {
    let file = try write(walk)
    let out = folder.appendingPathComponent("none").path
    #expect(run(["simulate", file]).code == .usage)
    #expect(run(["simulate", file + "x", "--out", out]).code == .noInput)
    let device = run(["simulate", file, "--out", out, "--device", "walkr"])
    #expect(device.code == .badData)
    #expect(
      device.errors == "nearby: --device: found 'walkr', expected one of the scenario's: walker, post, pole\n"
    )
    let interval = run(["simulate", file, "--out", out, "--interval", "10ms"])
    #expect(interval.code == .badData)
    #expect(interval.errors == "nearby: --interval: 2 peers need at least 50ms\n")
    let far = try write(
      "{ duration: 2, devices: [ { name: \"a\", motion: { stand: [0, 0] } }, { name: \"b\", motion: { stand: [0, 900] } } ] }"
    )
    let nothing = run(["simulate", far, "--out", out])
    #expect(nothing.code == .badData)
    #expect(nothing.errors.contains("no range came about"))
    #expect(!FileManager.default.fileExists(atPath: out))
  }
}
