import Foundation
import NearbyCommandLine
import Testing

@testable import nearby

@Suite("nearby position and nearby tdoa")
final class PositionCommandTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "nearby-position-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let places = [
      SIMD3(-4.0, -4, 0.2), SIMD3(-4, 4, 3), SIMD3(4, 4, 0.2), SIMD3(4, -4, 3), SIMD3(-4, -4, 3),
      SIMD3(4, 4, 3.1),
    ]
    var anchors = "anchor_id,x_m,y_m,z_m\n"
    for (id, place) in places.enumerated() { anchors += "\(id),\(place.x),\(place.y),\(place.z)\n" }
    var differences = "t_s,anchor_a,anchor_b,tdoa_m\n"
    var truth = "t_s,x_m,y_m,z_m,qw,qx,qy,qz\n"
    for step in 0..<2000 {
      let time = Double(step) * 0.005
      let place = SIMD3(1.5 * cos(time / 2), 1.5 * sin(time / 2), 1.3)
      truth += "\(time),\(place.x),\(place.y),\(place.z - 0.1),1,0,0,0\n"
      func distance(_ id: Int) -> Double { ((place - places[id]) * (place - places[id])).sum().squareRoot() }
      let (a, b) = (step % 6, (step * 5 + 1) % 6)
      guard a != b else { continue }
      // A wave for noise.
      differences += "\(time),\(a),\(b),\(distance(b) - distance(a) + 0.05 * sin(37 * time))\n"
    }
    try write("anchors.csv", anchors)
    try write("tdoa.csv", differences)
    try write("truth.csv", truth)
    try write("meta.json", #"{"antenna_in_body_m":[0,0,0.1]}"#)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  private func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test("Prints JSON lines often enough, with exactly the documented keys, and finds the tag")
  func jsonLines() throws {
    let result = run("position", folder.path, "--json")
    #expect(result.code == .success)
    #expect(result.errors.isEmpty)
    let lines = try objects(result.output)
    #expect(lines.count > 20 * 9)
    for line in lines {
      #expect(
        line.keys.sorted() == [
          "position", "positionSigma", "rejected", "t", "unavailable", "used", "velocity",
        ])
      #expect((line["position"] is NSNull) == (line["positionSigma"] is NSNull))
      #expect((line["position"] is NSNull) != (line["unavailable"] is NSNull))
    }
    let last = try #require(lines.last)
    let position = try #require(last["position"] as? [Double])
    let time = try #require(last["t"] as? Double)
    #expect(abs(position[0] - 1.5 * cos(time / 2)) < 0.15, "\(position)")
    #expect(abs(position[1] - 1.5 * sin(time / 2)) < 0.15, "\(position)")
    #expect(abs(position[2] - 1.3) < 0.2, "\(position)")
  }

  @Test("Estimates depend only on what came before")
  func causal() throws {
    let whole = run("position", folder.path, "--json").output.split(separator: "\n")
    let path = folder.appendingPathComponent("tdoa.csv")
    let text = try String(contentsOf: path, encoding: .utf8)
    try write("tdoa.csv", text.split(separator: "\n").prefix(800).joined(separator: "\n"))
    let part = run("position", folder.path, "--json").output.split(separator: "\n")
    #expect(part.count > 100)
    #expect(part == Array(whole.prefix(part.count)))
  }

  @Test("The summary compares with the truth of the antenna, and works without")
  func summary() throws {
    let plot = folder.appendingPathComponent("plan.svg").path
    let result = run("position", folder.path, "--plot", plot)
    #expect(result.code == .success)
    let line = try #require(result.output.split(separator: "\n").first { $0.hasPrefix("RMSE ") })
    let rmse = try #require(Double(line.split(separator: " ")[1]))
    #expect(rmse < 0.15, "\(line)")
    let svg = try String(contentsOfFile: plot, encoding: .utf8)
    #expect(svg.hasPrefix("<?xml") && svg.contains("true track") && svg.hasSuffix("</svg>\n"))
    #expect(!svg.contains("nan"))
    try FileManager.default.removeItem(at: folder.appendingPathComponent("truth.csv"))
    #expect(run("position", folder.path).output.contains("no ground truth"))
  }

  @Test(
    "Bad files are errors that name file, line and field",
    arguments: [
      ("tdoa.csv", "t_s,anchor_a,anchor_b,tdoa_m\n0,1,2,x\n", "tdoa.csv:2: tdoa_m"),
      ("tdoa.csv", "t_s,anchor_a,anchor_b,tdoa_m\n0,1,2,1\n0,1.5,2,1\n", "tdoa.csv:3: anchor_a"),
      ("tdoa.csv", "t_s,anchor_a,anchor_b,tdoa_m\n0,1,2,nan\n", "tdoa.csv:2: tdoa_m"),
      ("tdoa.csv", "t_s,anchor_a,tdoa_m\n0,1,1\n", "tdoa.csv:1: no column anchor_b"),
      ("tdoa.csv", "", "tdoa.csv: empty"), ("anchors.csv", "anchor_id,x_m,y_m,z_m\n", "anchors.csv: empty"),
      ("anchors.csv", "anchor_id,x_m,y_m,z_m\n0,0,0,0\n1,1,1,inf\n", "anchors.csv:3: z_m"),
      (
        "anchors.csv", "anchor_id,x_m,y_m,z_m\n0,0,0,0\n1,1,1,1\n2,1,1,1\n",
        "anchors 1 and 2 are at the same place"
      ),
      ("anchors.csv", "anchor_id,x_m,y_m,z_m\n0,0,0,0\n1,1,1,1\n", "2 anchors"),
      ("imu.csv", "t_s,wx_rad_s\n0,1\n", "imu.csv:1: no column"),
      ("meta.json", #"{"antenna_in_body_m":[1]}"#, "antenna_in_body_m"),
    ])
  func badFiles(file: String, content: String, message: String) throws {
    try write(file, content)
    let result = run("position", folder.path, "--json")
    #expect(result.code == .badData)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test("Rows that no solver can use are counted, not fatal")
  func rejectedRows() throws {
    let path = folder.appendingPathComponent("tdoa.csv")
    let text = try String(contentsOf: path, encoding: .utf8)
    try write("tdoa.csv", text + "1,0,1,0\n99,0,77,0\n99,3,3,0\n99,0,1,40\n")
    let result = run("position", folder.path)
    #expect(result.code == .success)
    for words in ["1 of unknown anchors", "1 between an anchor and itself", "1 out of order", "1 impossible"]
    {
      #expect(result.output.contains(words), "\(result.output)")
    }
  }

  @Test("A clock that was set back in the recording is a reason, and positions return")
  func clockSetBack() throws {
    let path = folder.appendingPathComponent("tdoa.csv")
    let rows = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
    try write("tdoa.csv", (rows + rows.dropFirst()).joined(separator: "\n") + "\n")
    let result = run("position", folder.path, "--json")
    #expect(result.code == .success)
    let lines = try objects(result.output)
    let rejected = try #require(lines.last?["rejected"] as? Int)
    #expect(rejected >= 10)
    let times = lines.compactMap { $0["t"] as? Double }
    // The time went back once, and after it there are positions on the new clock.
    #expect(zip(times, times.dropFirst()).filter { $0.0 > $0.1 }.count == 1)
    #expect(lines.contains { $0["unavailable"] as? String == "clock" })
    let position = try #require(lines.last?["position"] as? [Double])
    let time = try #require(times.last)
    #expect(abs(position[0] - 1.5 * cos(time / 2)) < 0.3, "\(position)")
    #expect(lines.count > 700)
  }

  @Test("Without the ground truth the plot has the track and the stated error only")
  func plotWithoutTruth() throws {
    try FileManager.default.removeItem(at: folder.appendingPathComponent("truth.csv"))
    let plot = folder.appendingPathComponent("plan.svg").path
    #expect(run("position", folder.path, "--plot", plot).code == .success)
    let svg = try String(contentsOfFile: plot, encoding: .utf8)
    #expect(svg.contains("no true track recorded") && !svg.contains(">true track<"))
    #expect(svg.contains("class=\"band\"") && !svg.contains("nan"))
  }

  // MARK: Learned biases

  private func addConstant(_ metres: Double, to anchor: String) throws {
    let path = folder.appendingPathComponent("tdoa.csv")
    let rows = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
    let changed = try rows.dropFirst().map { row in
      let fields = row.split(separator: ",")
      let sign = fields[2] == anchor ? 1.0 : fields[1] == anchor ? -1 : 0
      let value = try #require(Double(fields[3])) + sign * metres
      return (fields.prefix(3) + ["\(value)"]).joined(separator: ",")
    }
    try write("tdoa.csv", (rows.prefix(1) + changed.map { $0[...] }).joined(separator: "\n") + "\n")
  }

  private func rmse(_ options: String...) throws -> Double {
    let result = run(["position", folder.path] + options)
    #expect(result.code == .success, "\(result.errors)")
    let line = try #require(result.output.split(separator: "\n").first { $0.hasPrefix("RMSE ") })
    return try #require(Double(line.split(separator: " ")[1]))
  }

  @Test("Learned biases make the error smaller")
  func learned() throws {
    try addConstant(0.4, to: "2")
    let file = folder.appendingPathComponent("room.json").path
    let lesson = run("position", folder.path, "--learn", file)
    #expect(lesson.code == .success, "\(lesson.errors)")
    #expect(lesson.output.contains("biases of 6 anchors"))
    let without = try rmse()
    let with = try rmse("--bias", file)
    #expect(with < 0.8 * without, "\(with) with, \(without) without")
    // A folder of recordings teaches the same.
    let parent = folder.deletingLastPathComponent()
    let group = parent.appendingPathComponent("group-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: group, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: group) }
    for name in ["a", "b"] {
      try FileManager.default.copyItem(at: folder, to: group.appendingPathComponent(name))
    }
    #expect(run("position", group.path, "--learn", file).output.contains("2 recordings"))
  }

  @Test("Lessons and files that can't be used are errors that say why")
  func badLessons() throws {
    let file = folder.appendingPathComponent("room.json").path
    #expect(run("position", folder.path, "--bias", file).code == .noInput)
    for (text, message) in [
      ("{", "'nearby position --learn' wrote"), (#"{"version":2,"anchors":[]}"#, "version 2; expected 1"),
      (#"{"version":1,"anchors":[{"id":1,"position":[0,0],"terms":[]}]}"#, "expected three coordinates"),
    ] {
      try write("room.json", text)
      let result = run("position", folder.path, "--bias", file)
      #expect(result.code == .badData)
      #expect(result.errors.contains(message), "\(result.errors)")
    }
    #expect(run("position", folder.path, "--learn", file).code == .success)
    let anchors = folder.appendingPathComponent("anchors.csv")
    let text = try String(contentsOf: anchors, encoding: .utf8)
    let moved = text.split(separator: "\n").map { $0.hasPrefix("2,") ? "2,9,9,9" : $0 }
    try write("anchors.csv", moved.joined(separator: "\n"))
    #expect(run("position", folder.path, "--bias", file).errors.contains("anchor 2 is not where it was"))
    try write("anchors.csv", text)
    #expect(run("position", folder.path, "--bias", file, "--learn", file).code == .usage)
    try FileManager.default.removeItem(at: folder.appendingPathComponent("truth.csv"))
    #expect(run("position", folder.path, "--learn", file).errors.contains("no truth.csv"))
    #expect(run("position", folder.path + "/none", "--learn", file).code == .noInput)
  }

  @Test("Missing folders and files are no input")
  func missing() throws {
    #expect(run("position", folder.path + "/none").code == .noInput)
    #expect(run("tdoa", folder.path).code == .noInput)
    try FileManager.default.removeItem(at: folder.appendingPathComponent("anchors.csv"))
    #expect(run("position", folder.path).code == .noInput)
  }

  @Test("Overheard rows give one JSON object each")
  func overheard() throws {
    let speed = 299_702_547.0
    var text =
      "listener,initiator,responder,l1_rx_ns,l2_rx_ns,l3_rx_ns,r1_rx_ns,r2_tx_ns,r3_tx_ns,twr_range_m,"
    text += "initiator_x_m,initiator_y_m,initiator_z_m,responder_x_m,responder_y_m,responder_z_m,gt_tdoa_m\n"
    let (near, far) = (2e9 / speed, 4e9 / speed)
    for row in 0..<20 {
      let start = Double(row) * 1e8
      let stamps = [start + near, start + 3e5 + far, start + 2e6 + far].map { "\($0 * 1.000_004)" }
      let flight = 5e9 / speed
      let replies = [start + flight, start + 3e5, start + 2e6].map { "\($0)" }
      let range = row == 7 ? "" : "5"
      text += "9,1,2," + (stamps + replies + [range]).joined(separator: ",") + ",0,0,0,5,0,0,2\n"
    }
    try write("passive.csv", text)
    let result = run("tdoa", folder.path, "--json")
    #expect(result.code == .success)
    let lines = try objects(result.output)
    #expect(lines.count == 20)
    for (index, line) in lines.enumerated() {
      #expect(line["row"] as? Int == index)
      if index == 7 {
        #expect(line["tdoa"] is NSNull && line["rejected"] as? String == "notFinite")
      } else {
        let metres = try #require(line["tdoa"] as? Double)
        #expect(abs(metres - 2) < 0.02, "\(metres)")
        #expect((line["tdoaSigma"] as? Double ?? 0) > 0)
      }
    }
    #expect(run("tdoa", folder.path).output.contains("20 exchanges, 19 with a difference"))
  }
}
