import Foundation
import NearbyCommandLine
import NearbyRecordings
import Testing

@testable import nearby

@Suite("nearby beacon replay")
final class BeaconReplayCommandTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "nearby-beacon-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ text: String) throws -> String {
    let file = folder.appendingPathComponent("walk.csv")
    try Data(text.utf8).write(to: file)
    return file.path
  }

  /// Two beacons, one beside us and one across the hall, for 20 s.
  private var walk: String {
    (0..<200).reduce("t_s,beacon,rssi_dbm,gt_distance_m\n") { text, step in
      let wave = [0, 3, -2, 4, -5][step % 5]
      return text
        + "\(Double(step) / 10),\(step.isMultiple(of: 2) ? "a,\(-59 + wave),1" : "b,\(-79 + wave),10")\n"
    }
  }

  @Test("Prints one JSON object per line with exactly the documented keys")
  func jsonLines() throws {
    let result = run(["beacon", "replay", try write(walk), "--json", "--power", "-59"])
    #expect(result.code == .success)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 200)
    for (index, line) in lines.enumerated() {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object.keys.sorted() == ["beacon", "distance", "rssi", "sigma", "t", "zone"])
      #expect(object["t"] as? Double == Double(index) / 10)
      #expect(object["beacon"] as? String == (index.isMultiple(of: 2) ? "a" : "b"))
    }
    #expect(lines[0].hasPrefix(#"{"t":0.000000,"beacon":"a","rssi":-59.0,"distance":"#))
    #expect(lines[198].hasSuffix(#""zone":"near"}"#))
    #expect(lines[199].hasSuffix(#""zone":"far"}"#))
  }

  @Test("The summary scores near and far beacons separately and names the source of the measured power")
  func summary() throws {
    let path = try write(walk)
    let result = run(["beacon", "replay", path, "--summary"])
    #expect(result.code == .success)
    #expect(
      result.output.hasPrefix(
        "200 packets in 19.9 s; 2 beacons, evaluated separately; power at 1 m: -59 dBm, the median")
    )
    #expect(result.output.contains("truth below 4 m"))
    #expect(result.output.contains("truth from 4 m on"))
    let json = run(["beacon", "replay", path, "--summary", "--json", "--beacon", "b", "--power", "-60"])
      .output
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(object["packets"] as? Int == 100)
    #expect(object["power"] as? Double == -60)
    #expect(object["near"] is NSNull)
  }

  @Test("Prints a table, and says if a recording has no ground truth")
  func table() throws {
    let result = run(["beacon", "replay", try write("t_s,rssi_dbm\n0,-50\n1,127\n")])
    #expect(result.code == .success)
    #expect(result.output.split(separator: "\n").count == 5)
    #expect(result.output.contains("power at 1 m: -59 dBm, assumed"))
    #expect(result.output.hasSuffix("no ground truth in this recording\n"))
  }

  @Test("Errors say what is wrong with a file or an option, and where")
  func errors() throws {
    let path = try write("t_s,rssi_dbm\n0,-50\n1,loud\n")
    let result = run(["beacon", "replay", path])
    #expect(result.code == .badData)
    #expect(result.errors == "nearby: \(path):3: rssi_dbm: found \"loud\"; expected a number\n")
    #expect(run(["beacon", "replay", path + "x"]).code == .noInput)
    #expect(run(["beacon", "replay", folder.path]).code == .noInput)
    #expect(run(["beacon", "replay", path, "--power", "200"]).code == .usage)
    let unknown = run(["beacon", "replay", try write(walk), "--beacon", "c"])
    #expect(unknown.errors == "nearby: --beacon: found 'c', expected one of a, b\n")
  }
}
