import Foundation
import NearbyCommandLine
import Testing

@testable import nearby

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

  @Test("Writes a recording that replay reads, with ranges near the truth")
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

  @Test("Given a recording's folder, it simulates the recording's path, which replay reads")
  func repeatedRecording() throws {
    let first = folder.appendingPathComponent("first").path
    let second = folder.appendingPathComponent("second").path
    #expect(run(["simulate", try write(walk), "--out", first]).code == .success)
    let result = run(["simulate", first, "--out", second, "--radio", "module", "--place", "outdoors"])
    #expect(result.code == .success, "\(result.errors)")
    #expect(result.errors.contains("ranges for"))
    #expect(run(["replay", second, "--summary"]).code == .success)
    let third = folder.appendingPathComponent("third").path
    #expect(run(["simulate", first, "--out", third, "--radio", "bluetooth"]).code == .success)
    let header = try String(contentsOfFile: third + "/ranges.csv", encoding: .utf8).prefix { $0 != "\n" }
    #expect(header.contains("rssi_dbm"))
  }

  @Test("A recording without a path is refused, and nothing is written")
  func incompleteRecording() throws {
    let source = folder.appendingPathComponent("bare")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    try Data("t_s,object_id,range_m\n0,1,2\n".utf8).write(to: source.appendingPathComponent("ranges.csv"))
    let out = folder.appendingPathComponent("none").path
    let result = run(["simulate", source.path, "--out", out])
    #expect(result.code == .badData)
    #expect(result.errors.contains("traj_gt.csv"))
    #expect(!FileManager.default.fileExists(atPath: out))
  }

  @Test("The same seed writes the same octets, and another seed different ones")
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

  @Test("Writes into a folder that is not empty only with --force")
  func keepsFiles() throws {
    let file = try write(walk)
    let refused = run(["simulate", file, "--out", folder.path])
    #expect(refused.code == .inputOutput)
    #expect(refused.errors == "nearby: \(folder.path): not empty; use --force to write into it anyway\n")
    #expect(run(["simulate", file, "--out", folder.path, "--force", "--seconds", "1"]).code == .success)
  }

  @Test("Invalid options and scenarios are reported with the reason")
  func wrong() throws {
    let file = try write(walk)
    let out = folder.appendingPathComponent("none").path
    #expect(run(["simulate", file]).code == .usage)
    #expect(run(["simulate", file + "x", "--out", out]).code == .noInput)
    let device = run(["simulate", file, "--out", out, "--device", "walkr"])
    #expect(device.code == .badData)
    #expect(
      device.errors == "nearby: --device: found 'walkr', expected one of walker, post, pole\n"
    )
    let interval = run(["simulate", file, "--out", out, "--interval", "10ms"])
    #expect(interval.code == .badData)
    #expect(interval.errors == "nearby: --interval: 2 peers need at least 50ms\n")
    let far = try write(
      "{ duration: 2, devices: [ { name: \"a\", motion: { stand: [0, 0] } }, { name: \"b\", motion: { stand: [0, 900] } } ] }"
    )
    let nothing = run(["simulate", far, "--out", out])
    #expect(nothing.code == .badData)
    #expect(nothing.errors.contains("no range was measured"))
    #expect(!FileManager.default.fileExists(atPath: out))
  }
}
