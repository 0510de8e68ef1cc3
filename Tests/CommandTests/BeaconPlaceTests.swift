import Foundation
import Testing

@testable import nearby

private let scenario = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .appendingPathComponent("../../Examples/Scenarios/beacons.json").standardized.path

private func run(_ words: String...) -> (code: ExitCode, output: String, errors: String) {
  let (context, output, errors) = CommandContext.recording()
  let code = NearbyCommand.run(words, in: context)
  return (code, output.text, errors.text)
}

private func objects(_ text: String) throws -> [[String: Any]] {
  try text.split(separator: "\n").map { line in
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }
}

@Suite("nearby beacon in a scenario")
struct BeaconPlaceTests {
  private static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

  @Test("A scan tells of every beacon once a second, and of one that is off no longer")
  func scan() throws {
    let result = run("beacon", "scan", "--scenario", scenario, "--speed", "max", "--json", "--seconds", "40")
    #expect(result.code == .success && result.errors.isEmpty)
    let rows = try objects(result.output)
    #expect(Set(rows.compactMap { $0["uuid"] as? String }) == [Self.uuid])
    let door = rows.filter { $0["major"] as? Int == 1 && $0["minor"] as? Int == 1 }
    let times = door.compactMap { $0["t"] as? Double }
    #expect(times.count >= 20 && (times.max() ?? 99) < 26)
    #expect(door.last?["zone"] as? String == "unknown" && door.last?["distance"] is NSNull)
    #expect(
      Set(rows[0].keys)
        == ["t", "uuid", "major", "minor", "rssi", "distance", "sigma", "zone", "age"])
  }

  @Test("The same seed gives the same table")
  func deterministic() {
    let words = ["beacon", "scan", "--scenario", scenario, "--speed", "max", "--seconds", "10"]
    func run(_ more: [String]) -> String {
      let (context, output, _) = CommandContext.recording()
      _ = NearbyCommand.run(words + more, in: context)
      return output.text
    }
    #expect(run([]) == run(["--seed", "1"]))
    #expect(run([]) != run(["--seed", "2"]))
    #expect(run([]).hasPrefix(BeaconText.header))
  }

  @Test("Monitor tells of coming and going")
  func monitor() throws {
    let result = run(
      "beacon", "monitor", "--uuid", Self.uuid, "--major", "1", "--minor", "1", "--scenario", scenario,
      "--speed", "max", "--json")
    #expect(result.code == .success)
    let events = try objects(result.output).compactMap { $0["event"] as? String }
    #expect(events == ["entered", "inside", "left", "outside", "entered", "inside"])
  }

  @Test("Who advertises is heard by the others")
  func advertise() throws {
    let result = run(
      "beacon", "advertise", "--uuid", Self.uuid, "--major", "9", "--minor", "300", "--power", "-61",
      "--scenario", scenario, "--as", "ben", "--speed", "max", "--json", "--seconds", "5")
    #expect(result.code == .success)
    let rows = try objects(result.output)
    #expect(rows.first?["event"] as? String == "advertising" && rows.first?["power"] as? Int == -61)
    #expect(rows.dropFirst().count >= 4)
    #expect(rows.dropFirst().allSatisfy { $0["by"] as? String == "anna" && $0["minor"] as? Int == 300 })
  }

  @Test(
    "What cannot be is refused",
    arguments: [
      (["beacon", "advertise"], ExitCode.usage), (["beacon", "monitor", "--uuid", "4"], .usage),
      (["beacon", "monitor", "--uuid", uuid, "--minor", "1"], .usage),
      (["beacon", "scan", "--as", "anna"], .usage), (["beacon", "scan", "--speed", "2"], .usage),
      (["beacon", "scan", "--scenario", "none.json"], .noInput),
      (["beacon", "scan", "--scenario", scenario, "--as", "nobody"], .usage),
    ])
  func refused(words: [String], code: ExitCode) {
    let (context, _, _) = CommandContext.recording()
    #expect(NearbyCommand.run(words, in: context) == code)
  }

  @Test("The treasure hunt ends with all found, whatever the form")
  func radar() throws {
    let result = run("demo", "radar", "--speed", "max", "--json")
    #expect(result.code == .success)
    let rows = try objects(result.output)
    #expect(rows.last?["found"] as? Int == 3)
    #expect(run("demo", "radar", "--speed", "max").output.contains("All 3 treasures are found."))
    #expect(
      run("demo", "radar", "--speed", "max", "--seconds", "5", "--json").output.count < result.output.count)
  }

  @Test("Keys walk: arrows in both forms, WASD, vi's")
  func keys() {
    #expect(WalkKey.keys(in: Array("\u{1B}[A\u{1B}OBdh".utf8)) == [.north, .south, .east, .west])
    #expect(WalkKey.keys(in: Array("q\u{1B}[5~x\u{1B}".utf8)).first == .quit)
    #expect(WalkKey.keys(in: [0xFF, 0x1B, 0x5B]) == [])
  }
}
