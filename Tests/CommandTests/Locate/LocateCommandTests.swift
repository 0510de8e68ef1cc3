import Foundation
import NearbyCommandLine
import NearbyRecordings
import Testing

@testable import NearbyPlots
@testable import nearby

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

  @Test("Prints one JSON object per line with exactly the documented keys, and finds the object")
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
    #expect(abs(position[0] - object.x) < 0.1, "\(position)")
    #expect(abs(position[1] - object.y) < 0.1, "\(position)")
  }

  @Test("The summary shows the error, and is the same each time")
  func summary() {
    let words = ["locate", folder.path, "--truth-trajectory", "--summary", "--radio-offset", "0.2"]
    let result = run(words)
    #expect(result.code == .success)
    #expect(result.output.contains("600 ranges of 1 pairs"))
    #expect(result.output.contains("horizontal"))
    #expect(run(words).output == result.output)
  }

  @Test("If nothing was located, the message and the plot say why")
  func nothingLocated() throws {
    var recording = try Recording(folder: folder)
    // Three ranges are too few to locate an object.
    recording.objects = []
    recording.ranges = recording.ranges.prefix(3).map { $0 }
    try recording.write(to: folder)
    let file = folder.appendingPathComponent("plot.svg")
    let result = run(["locate", folder.path, "--summary", "--plot", file.path])
    #expect(result.code == .success)
    #expect(result.errors.contains("no object was located: it has to stand still"), "\(result.errors)")
    let svg = try String(contentsOf: file, encoding: .utf8)
    #expect(svg.contains("No position found: the object has to stand still"))
  }

  @Test("--plot accepts only file names that end in .svg", arguments: ["locate", "replay"])
  func plotName(command: String) {
    let result = run([command, folder.path, "--plot", "plot.png"])
    #expect(result.code == .usage)
    #expect(
      result.errors.hasPrefix("nearby: --plot: found 'plot.png', expected a file name that ends in .svg"))
  }

  @Test("The error names the missing track")
  func missingTrack() throws {
    let result = run(["locate", folder.path, "--vio"])
    #expect(result.code == .noInput)
    #expect(result.errors.contains("traj_vio_semisynthetic.csv"))
    try FileManager.default.removeItem(at: folder.appendingPathComponent("traj_gt.csv"))
    #expect(run(["locate", folder.path]).code == .noInput)
  }

  // MARK: Picture

  @Test("The plot is well-formed, with a plan and the errors over time, and the same each time")
  func plot() throws {
    let file = folder.appendingPathComponent("plot.svg")
    let words = ["locate", folder.path, "--summary", "--radio-offset", "0.2", "--plot", file.path]
    #expect(run(words).code == .success)
    let svg = try String(contentsOf: file, encoding: .utf8)
    #expect(svg.hasPrefix("<?xml"))
    #expect(svg.hasSuffix("</svg>\n"))
    #expect(XMLChecker.isWellFormed(svg))
    for part in ["way", "truth", "band", "error", "said"] {
      #expect(svg.contains("class=\"\(part)\" d=\"M"), "\(part)")
    }
    #expect(svg.contains("<ellipse"))
    #expect(svg.contains(">object a, tag 1</text>"))
    #expect(!svg.contains("nan"))
    #expect(!svg.contains("inf"))
    _ = run(words)
    #expect(try String(contentsOf: file, encoding: .utf8) == svg, "a second run draws another plot")
    let wrong = run(["locate", folder.path, "--plot", "/no-such-folder/plot.svg", "--summary"])
    #expect(wrong.code == .inputOutput)
    #expect(wrong.errors.hasPrefix("nearby: /no-such-folder/plot.svg: can't be written"))
  }

  @Test("The plot is well-formed with a hostile name, a single range and no truth")
  func hostilePlot() throws {
    let hostile = "</text><script>alert(1)</script>&\"'"
    let recording = Recording(
      ranges: [RecordedRange(time: .zero, tag: nil, object: hostile, range: 3)],
      truePath: [RecordedPose(time: .zero, position: .zero)])
    try FileManager.default.removeItem(at: folder)
    try recording.write(to: folder)
    let file = folder.appendingPathComponent("plot.svg")
    #expect(run(["locate", folder.path, "--summary", "--plot", file.path]).code == .success)
    let svg = try String(contentsOf: file, encoding: .utf8)
    #expect(XMLChecker.isWellFormed(svg))
    #expect(!svg.contains("<script"))
    #expect(svg.contains("&lt;script&gt;"))
    #expect(!svg.contains("nan"))
    #expect(!svg.contains("inf"))
  }

  @Test("The plan has the same scale in both directions")
  func equalScale() {
    var plot = LocatePlot(title: "tall")
    plot.path = [SIMD2(0, 0), SIMD2(1, 30)]
    for path in [[SIMD2(0.0, 0.0), SIMD2(1, 30)], [SIMD2(0, 0), SIMD2(50, 0.1)], [SIMD2(2, 2)], []] {
      plot.path = path
      let frame = plot.planFrame()
      let across = (frame.x(1) - frame.x(0), frame.y(0) - frame.y(1))
      #expect(abs(across.0 - across.1) < 1e-9 * across.0, "\(path)")
    }
  }

  // MARK: A separate track

  @Test("--track reads a TUM file, with the same results as that track in the recording")
  func ownTrack() throws {
    let recording = try Recording(folder: folder)
    let lines = recording.truePath.map { pose in
      "\(pose.time / .seconds(1)) \(pose.position.x) \(pose.position.y) \(pose.position.z) 0 0 0 1\n"
    }
    let file = folder.appendingPathComponent("track.tum")
    try Data(("# mine\n" + lines.joined()).utf8).write(to: file)
    let own = run(["locate", folder.path, "--track", file.path, "--json"])
    #expect(own.code == .success)
    var same = recording
    same.trackedPath = recording.truePath
    try same.write(to: folder)
    #expect(own.output == run(["locate", folder.path, "--vio", "--json"]).output)
    #expect(run(["locate", folder.path, "--track", file.path, "--vio"]).code == .usage)
    try Data("0 1 2 3 0 0 0 1\n0 1 2 3 0 0 0 0.5\n".utf8).write(to: file)
    let wrong = run(["locate", folder.path, "--track", file.path])
    #expect(wrong.code == .badData)
    #expect(wrong.errors.contains("track.tum:2: qx qy qz qw: found a quaternion of length 0.5"))
    #expect(run(["locate", folder.path, "--track", "/none.tum"]).code == .noInput)
    try Data("# nothing\n".utf8).write(to: file)
    #expect(run(["locate", folder.path, "--track", file.path]).errors.contains("track.tum: empty"))
  }

  // MARK: Bad recordings

  private static let poses = "t_s,px_m,py_m,pz_m,qw,qx,qy,qz\n"
  private static let ranges = "t_s,tag_id,object_id,range_m\n"

  @Test(
    "A bad recording is refused with its file, line and column, and nothing else is printed",
    arguments: [
      ("ranges.csv", "t_s,tag_id,object_id\n0,1,a\n", "ranges.csv:1: no column range_m"),
      ("ranges.csv", ranges + "0,1,a,nan\n", "ranges.csv:2: range_m: found \"nan\""),
      ("ranges.csv", ranges + "0,1,,2\n", "ranges.csv:2: object_id: empty"),
      ("ranges.csv", ranges + "1,1,a,2\n0.5,1,a,2\n", "ranges.csv:3: t_s: found 0.5 after 1.0"),
      ("ranges.csv", ranges + "0,1,a,2\n1,7,a,2\n", "ranges.csv:3: tag_id: found \"7\""),
      ("traj_gt.csv", "t_s,px_m,py_m,pz_m,qw,qx,qy\n0,0,0,0,1,0,0\n", "traj_gt.csv:1: no column qz"),
      ("traj_gt.csv", poses + "0,0,inf,0,1,0,0,0\n", "traj_gt.csv:2: py_m: found \"inf\""),
      ("traj_gt.csv", poses + "0,0,0,0,0.5,0,0,0\n", "traj_gt.csv:2: qw, qx, qy, qz: found a quaternion"),
      (
        "traj_gt.csv", poses + "1,0,0,0,1,0,0,0\n0,0,0,0,1,0,0,0\n",
        "traj_gt.csv:3: t_s: found 0.0 after 1.0"
      ),
      (
        "traj_vio_semisynthetic.csv", poses + "1,0,0,0,1,0,0,0\n2,0,0,0,1,0,nan,0\n",
        "traj_vio_semisynthetic.csv:3: qy: found \"nan\""
      ),
      (
        "objects_gt.csv", "object_id,x_m,y_m,z_m\na,1,2,3\na,1,2,3\n",
        "objects_gt.csv:3: object_id: found \"a\" a second time"
      ),
      ("tags.csv", "tag_id,bx_m,by_m\n1,0,0\n", "tags.csv:1: no column bz_m"),
    ])
  func badRecordings(file: String, text: String, expected: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(file))
    for mode in ["--json", "--summary"] {
      let result = run(["locate", folder.path, mode])
      #expect(result.code == .badData)
      #expect(result.output.isEmpty)
      #expect(result.errors.contains("/" + expected), "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }
}

/// Whether an XML text is well-formed.
private enum XMLChecker {
  /// Tags open and close in order, attributes are quoted, no bare `<` or `&` is in any text.
  static func isWellFormed(_ text: String) -> Bool {
    var open: [Substring] = []
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      guard isText(rest[..<start]), let end = rest[start...].firstIndex(of: ">") else { return false }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("?") { continue }
      if tag.hasPrefix("/") {
        guard open.popLast() == tag.dropFirst() else { return false }
        continue
      }
      guard !tag.contains("<"), tag.count(where: { $0 == "\"" }).isMultiple(of: 2), isText(tag) else {
        return false
      }
      if !tag.hasSuffix("/") { open.append(tag.prefix { $0 != " " && $0 != "\n" }) }
    }
    return open.isEmpty && isText(rest)
  }

  private static func isText(_ text: Substring) -> Bool {
    text.split(separator: "&", omittingEmptySubsequences: false).dropFirst()
      .allSatisfy { $0.prefix { $0 != ";" && $0 != " " }.count < 6 && $0.contains(";") }
  }
}
