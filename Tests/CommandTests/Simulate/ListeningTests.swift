import Foundation
import NearbyCommandLine
import NearbyRecordings
import NearbyScenarios
import Testing

@testable import nearby

@Suite("nearby simulate --anchors")
final class ListeningTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("nearby-listening-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ scenario: String) throws -> String {
    let file = folder.appendingPathComponent("scenario.json")
    try Data(scenario.utf8).write(to: file)
    return file.path
  }

  /// Recorded flights among eight DW1000 anchors: median within 0.02 m; robust sigma 0.18 to 0.31 m; 0.2 to
  /// 10 % off by more than 1 m; each pair's median over a second spreads by 0.13 to 0.26 m, the rest by 0.08
  /// to 0.11 m.
  @Test(
    "The differences spread as recorded ones do", arguments: Scenario.AnchorOrder.allCases, [UInt64(1), 2, 3])
  func spread(order: Scenario.AnchorOrder, seed: UInt64) throws {
    var scenario = try Scenario(
      parsing: Data(AnchorHall.scenario(duration: 30).utf8), file: "hall.json")
    scenario.seed = seed
    let plan = Scenario.ListeningPlan(
      device: 0, anchors: scenario.listenedAnchors,
      round: .milliseconds(order == .centralised ? 24 : 40), order: order)
    let recording = try #require(scenario.listening(plan))
    let spread = DifferenceSpread(recording)
    #expect(abs(spread.median) < 0.04, "\(spread)")
    #expect((0.18...0.33).contains(spread.robustSigma), "\(spread)")
    #expect((0.02...0.1).contains(spread.wild), "\(spread)")
    #expect((0.13...0.3).contains(spread.slow), "\(spread)")
    #expect((0.07...0.15).contains(spread.fast), "\(spread)")
  }

  @Test("A wall between tag and anchors makes the differences worse")
  func walls() throws {
    func sigma(_ walls: String) throws -> Double {
      let scenario = try Scenario(
        parsing: Data(AnchorHall.scenario(walls: walls).utf8), file: "hall.json")
      let plan = Scenario.ListeningPlan(
        device: 0, anchors: scenario.listenedAnchors, round: .milliseconds(40))
      return DifferenceSpread(try #require(scenario.listening(plan))).robustSigma
    }
    let blocked = try sigma("{ from: [-2.5, -4], to: [-2.5, 4], material: \"concrete\" }")
    #expect(try sigma("") < blocked - 0.05)
  }

  @Test("Writes a folder that position replays", arguments: ["centralised", "decentralised"])
  func roundTrip(order: String) throws {
    let file = try write(AnchorHall.scenario())
    let out = folder.appendingPathComponent("out")
    let result = run(["simulate", file, "--out", out.path, "--anchors", order, "--interval", "30ms"])
    #expect(result.code == .success, "\(result.errors)")
    #expect(result.errors.contains("8 anchors"))
    let names = try FileManager.default.contentsOfDirectory(atPath: out.path).sorted()
    #expect(names == ["anchors.csv", "imu.csv", "meta.json", "tdoa.csv", "truth.csv"])
    let recording = try PositionRecording(folder: out)
    #expect(recording.anchors.count == 8)
    // A resting accelerometer measures gravity upwards, and the phone does not fall.
    let forces = recording.inertial.map { ($0.acceleration * $0.acceleration).sum().squareRoot() }
    #expect(abs(DifferenceSpread.median(forces) - 9.8) < 0.3)
    let replayed = run(["position", out.path])
    #expect(replayed.code == .success)
    let line = try #require(replayed.output.split(separator: "\n").first { $0.hasPrefix("RMSE ") })
    let rmse = try #require(Double(line.split(separator: " ")[1]))
    #expect(rmse < 0.5, "\(line)")
  }

  @Test("The same seed writes the same octets, and another seed different ones")
  func deterministic() throws {
    let file = try write(AnchorHall.scenario(duration: 2))
    let texts = try [("a", "5"), ("b", "5"), ("c", "6")].map { name, seed in
      let out = folder.appendingPathComponent(name)
      let result = run([
        "simulate", file, "--out", out.path, "--anchors", "decentralised", "--seed", seed,
      ])
      #expect(result.code == .success, "\(result.errors)")
      return try ["tdoa.csv", "imu.csv", "truth.csv"].map {
        try String(contentsOf: out.appendingPathComponent($0), encoding: .utf8)
      }
    }
    #expect(texts[0] == texts[1])
    #expect(texts[0][0] != texts[2][0])
  }

  @Test("Too few anchors, no tag, too much and unknown names are errors")
  func errors() throws {
    let out = folder.appendingPathComponent("out").path
    let base = ["--out", out, "--anchors", "centralised"]
    let few = try write(AnchorHall.scenario(anchors: 2))
    #expect(run(["simulate", few] + base).errors.contains("2 anchors; expected at least 3"))
    let file = try write(AnchorHall.scenario())
    #expect(run(["simulate", file] + base + ["--device", "nobody"]).errors.contains("expected one of tag"))
    let much = run(["simulate", file] + base + ["--interval", "1ms", "--seconds", "1000"])
    #expect(much.code == .badData && much.errors.contains("at most 5000000"))
    #expect(!FileManager.default.fileExists(atPath: out))
  }
}
