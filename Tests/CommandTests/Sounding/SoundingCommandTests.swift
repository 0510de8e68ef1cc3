import Foundation
import NearbyCommandLine
import Testing

@testable import nearby

@Suite("nearby sounding")
final class SoundingCommandTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "nearby-sounding-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent("sounding.csv"))
  }

  /// A device 10 m away for 30 s: impulse responses 0.6 m short, phases 1 m long, round trips that scatter.
  private func stand(withTruth: Bool = true) throws {
    var text = "t_s,ifft_m,phase_m,rtt_m,good_tones,rssi_dbm\(withTruth ? ",gt_distance_m" : "")\n"
    for step in 0..<60 {
      let wave = Double((step * 7) % 5 - 2)
      let ifft = step.isMultiple(of: 3) ? "" : "\(9.4 + 0.05 * wave)"
      text += "\(Double(step) / 2),\(ifft),\(11 + 0.2 * wave),\(10 + wave),1,-60\(withTruth ? ",10" : "")\n"
    }
    try write(text)
  }

  @Test("Prints one JSON object per row with exactly the documented keys")
  func jsonLines() throws {
    try stand()
    let result = run(["sounding", folder.path, "--json", "--ifft-offset", "-0.6", "--phase-offset=1"])
    #expect(result.code == .success)
    #expect(result.errors.isEmpty)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 60)
    for (index, line) in lines.enumerated() {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object.keys.sorted() == ["distance", "distanceSigma", "row", "t"])
      #expect(object["row"] as? Int == index)
      #expect(object["t"] as? Double == Double(index) / 2)
      guard index > 10 else { continue }
      #expect((try #require(object["distance"] as? Double) - 10).magnitude < 0.3)
      #expect(try #require(object["distanceSigma"] as? Double) > 0.3)
    }
    #expect(lines[0].hasPrefix(#"{"row":0,"t":0.000000,"distance":"#))
  }

  @Test("Offsets are subtracted from their own method")
  func offsets() throws {
    try stand()
    func bias(_ options: String...) throws -> Double {
      let output = run(["sounding", folder.path, "--summary", "--json"] + options).output
      let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
      let error = try #require(object?["error"] as? [String: Any])
      return try #require(error["bias"] as? Double)
    }
    let none = try bias()
    #expect(try bias("--ifft-offset", "-0.6") > none + 0.3)
    #expect(try bias("--phase-offset", "5") < none - 0.02)
    #expect(try bias("--rtt-offset", "5") < none - 0.02)
    let all = try bias("--ifft-offset", "1", "--phase-offset", "1", "--rtt-offset", "1")
    // At 10 m a measured metre is 1.08 of a true one.
    #expect((all - none + 1.08).magnitude < 0.05)
  }

  @Test("Without --json it prints a table and a summary, which compares with the truth if there is one")
  func table() throws {
    try stand()
    let result = run(["sounding", folder.path, "--ifft-offset", "-0.6", "--phase-offset", "1"])
    #expect(result.code == .success)
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == SoundingText.header[...])
    #expect(lines[1].contains("    0.000 s "))
    #expect(Set(lines[0...60].map(\.count)) == [SoundingText.header.count])
    #expect(result.output.contains("\n60 procedures in 29.5 s; 60 estimates\nerror against the truth"))
    let summary = run(["sounding", folder.path, "--summary"]).output
    #expect(summary.hasPrefix("60 procedures in 29.5 s; 60 estimates\n"))
    try stand(withTruth: false)
    #expect(
      run(["sounding", folder.path, "--summary"]).output.hasSuffix("no ground truth in this recording\n"))
  }

  @Test("Rows before the first distance have null, and a device without distances has no estimate")
  func nothing() throws {
    try write("t_s,ifft_m,rtt_m\n0,,\n1,-1,\n2,5,\n")
    let lines = run(["sounding", folder.path, "--json"]).output.split(separator: "\n")
    #expect(lines[0] == #"{"row":0,"t":0.000000,"distance":null,"distanceSigma":null}"#)
    #expect(lines[1] == #"{"row":1,"t":1.000000,"distance":null,"distanceSigma":null}"#)
    #expect(!lines[2].contains("null"))
  }

  @Test("Errors name file and line, or what was found instead of a recording")
  func errors() throws {
    #expect(run(["sounding", folder.path]).code == .noInput)
    #expect(run(["sounding", folder.path]).errors.contains("no sounding.csv in this folder"))
    try write("t_s,ifft_m\n0,1\n1,far\n")
    let bad = run(["sounding", folder.path, "--json"])
    #expect(bad.code == .badData)
    #expect(bad.output.isEmpty)
    #expect(bad.errors.contains("sounding.csv:3: ifft_m: found \"far\"; expected a number"))
    let above = run(["sounding", folder.deletingLastPathComponent().path + "/nearby-nowhere"])
    #expect(above.code == .noInput)
    #expect(run(["sounding", folder.path, "--ifft-offset", "nan"]).code == .usage)
  }
}
