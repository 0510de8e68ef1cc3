import Foundation
import NearbyCommandLine
import Testing

@testable import nearby

@Suite("nearby demo")
struct DemoCommandTests {
  @Test(
    "The same seed gives the same output, and another seed a different one", arguments: ["--json", "--plain"])
  func deterministic(form: String) {
    let first = run(["demo", "--speed", "max", "--seconds", "5", form])
    #expect(first.code == .success)
    #expect(first.errors.isEmpty)
    #expect(first.output == run(["demo", "--speed", "max", "--seconds", "5", form, "--seed", "1"]).output)
    #expect(first.output != run(["demo", "--speed", "max", "--seconds", "5", form, "--seed", "2"]).output)
  }

  @Test("The speed does not change the output")
  func speedChangesNothing() {
    let slow = run(["demo", "--speed", "40", "--seconds", "3", "--json"])
    #expect(slow.output == run(["demo", "--speed", "max", "--seconds", "3", "--json"]).output)
  }

  @Test("As JSON, both phones report that they run, and then updates several times per second")
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

  @Test("The museum demo guides the visitor until the sphere is placed")
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

  @Test("An unknown scene, two scenes, and a scenario for the museum are refused")
  func scenes() {
    #expect(
      run(["demo", "musem"]).errors.contains(
        "found 'musem', expected meeting, museum, position, cerca, world, radar or site")
    )
    #expect(run(["demo", "museum", "meeting"]).code == .usage)
    #expect(run(["demo", "museum", "--scenario", "x.json"]).code == .usage)
    #expect(run(["demo", "meeting", "--speed", "max"]).output == run(["demo", "--speed", "max"]).output)
  }

  @Test("On a terminal it draws pictures and ends with one line of summary")
  func picture() {
    let terminal = TerminalInfo(columns: 80, rows: 24, hasColour: false)
    let result = run(["demo", "--speed", "40", "--seconds", "6"], terminal: terminal)
    let frames = result.output.components(separatedBy: "\u{1B}[H")
    #expect(frames.count > 3)
    #expect(frames.last?.contains("● Bob") == true)
    #expect(
      result.output.firstMatch(of: /Alice → Bob after 6\.0 s: \d\.\d\d m  .+  \(\d+ updates\)\n$/) != nil)
  }

  @Test("A scenario's devices range under their names, and invalid or missing files are errors")
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
    #expect(result.output.contains("left → right  session running"))
    #expect(result.output.contains(/right → left +[23]\.\d\d m/))
    try Data("{ devices: [ { nam: \"x\" } ] }".utf8).write(to: file)
    let wrong = run(["demo", "--scenario", file.path])
    #expect(wrong.code == .badData)
    #expect(wrong.errors.hasPrefix("nearby: \(file.path):1:"))
    let missing = run(["demo", "--scenario", file.path + "x"])
    #expect(missing.code == .noInput)
    #expect(missing.errors.contains("no such file; "))
    #expect(missing.errors.contains("Examples/Scenarios"))
  }

  @Test("An interrupt ends the demo")
  func interrupted() {
    let (context, _, errors) = CommandContext.recording()
    context.interrupt.raise()
    #expect(NearbyCommand.run(["demo"], in: context) == .interrupted)
    #expect(errors.text.isEmpty)
  }
}
