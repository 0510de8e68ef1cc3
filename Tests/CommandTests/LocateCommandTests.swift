import Foundation
import NearbyRuntime
import Recordings
import Testing

@testable import nearby

/// Runs the command on words, and keeps what it said.
private func run(_ words: [String]) -> (code: ExitCode, output: String, errors: String) {
  let (context, output, errors) = CommandContext.recording()
  let code = NearbyCommand.run(words, in: context)
  return (code, output.text, errors.text)
}

@Suite("nearby locate")
final class LocateCommandTests {
  private let folder: URL
  private let object = SIMD3(4.0, 3.0, 0.5)

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("nearby-locate-\(UUID().uuidString)")
    var ranges: [RecordedRange] = []
    var path: [RecordedPose] = []
    for step in 0..<600 {
      let time = Double(step) * 0.1
      let place = SIMD3(1.5 * cos(time / 1.5), 1.5 * sin(time / 1.5), 0.5 * sin(time / 2))
      path.append(RecordedPose(time: .milliseconds(step * 100), position: place))
      let across = object - place - SIMD3(0.1, 0, 0)
      // A wave for noise, and the radio's offset.
      let range = (across * across).sum().squareRoot() + 0.2 + 0.04 * sin(37 * time)
      ranges.append(RecordedRange(time: .milliseconds(step * 100), tag: "1", object: "a", range: range))
    }
    try Recording(
      ranges: ranges, truePath: path, objects: [RecordedPoint(name: "a", position: object)],
      tags: [RecordedPoint(name: "1", position: SIMD3(0.1, 0, 0))]
    ).write(to: folder)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  @Test("Prints an object a line with exactly the keys promised, and finds the object")
  func jsonLines() throws {
    let result = run(["locate", folder.path, "--json", "--radio-offset", "0.2"])
    #expect(result.code == .success)
    #expect(result.errors.isEmpty)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 600)
    for line in lines {
      let found = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(
        found.keys.sorted() == [
          "convergence", "distance", "horizontalAngle", "object", "position", "positionSigma", "reasons",
          "sigma", "t", "tag", "vertical",
        ])
      #expect((found["position"] is NSNull) == (found["positionSigma"] is NSNull))
      let hasReasons = (found["reasons"] as? [String])?.isEmpty == false
      #expect(hasReasons == (found["convergence"] as? String == "notConverged"))
    }
    let first = try #require(lines.first)
    #expect(first.contains(#""position":null,"positionSigma":null,"horizontalAngle":null"#), "\(first)")
    let last = try #require(lines.last)
    let end = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
    #expect(end["convergence"] as? String == "converged")
    let position = try #require(end["position"] as? [Double])
    #expect(abs(position[0] - object.x) < 0.1 && abs(position[1] - object.y) < 0.1, "\(position)")
  }

  @Test("The summary tells the error, and says the same each time")
  func summary() {
    let words = ["locate", folder.path, "--truth-trajectory", "--summary", "--radio-offset", "0.2"]
    let result = run(words)
    #expect(result.code == .success)
    #expect(result.output.contains("600 ranges of 1 pairs"))
    #expect(result.output.contains("horizontal"))
    #expect(run(words).output == result.output)
  }

  @Test("Says which track is missing")
  func missingTrack() throws {
    let result = run(["locate", folder.path, "--vio"])
    #expect(result.code == .noInput)
    #expect(result.errors.contains("traj_vio_semisynthetic.csv"))
    try FileManager.default.removeItem(at: folder.appendingPathComponent("traj_gt.csv"))
    #expect(run(["locate", folder.path]).code == .noInput)
  }
}
