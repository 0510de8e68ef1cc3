import Foundation
import NearbyCommandLine
import NearbyEstimation
import Testing

@testable import nearby

@Suite("nearby nlos")
final class NLOSCommandTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("nearby-nlos-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func file(_ text: String) throws -> String {
    let file = folder.appendingPathComponent("features.csv")
    try Data(text.utf8).write(to: file)
    return file.path
  }

  private static let header = "range_m,rx_dbm,fp_dbm,fp_amp1,fp_amp2,fp_amp3,rxpacc,noise_std\n"
  private static let clear = "6.1,-79.8,-83.0,4100,5200,3900,101,44\n"
  private static let blocked = "7.5,-81.2,-97.4,610,900,1300,101,28\n"

  /// `count` rows of each kind from a radio whose powers are lower by `loss` dB.
  private static func hall(_ count: Int, clear: Bool = true, blocked: Bool = true, loss: Double) -> String {
    var text = "range_m,rx_dbm,fp_dbm\n"
    for row in 0..<count {
      let wave = Double(row % 11) / 10 - 0.5
      if clear { text += "\(6 + wave),\(-80.8 - loss + wave),\(-84 - loss + wave)\n" }
      if blocked { text += "\(8 + wave),\(-86 - loss + 2 * wave),\(-100 - loss + 2 * wave)\n" }
    }
    return text
  }

  @Test("Prints one JSON object per row, in order, with exactly the documented keys")
  func jsonLines() throws {
    let path = try file(Self.header + Self.clear + Self.blocked + Self.clear)
    let result = run("nlos", path, "--json")
    #expect(result.code == .success)
    #expect(result.errors.isEmpty)
    #expect(
      result.output == """
        {"row":0,"probability":0.039065}
        {"row":1,"probability":0.980942}
        {"row":2,"probability":0.039065}

        """)
  }

  @Test("A row without usable figures gets the prior, and a missing column does not stop the others")
  func missing() throws {
    let path = try file("range_m,rx_dbm,env\n6.1,-90.5,hall\n6.1,-inf,hall\nnan,,hall\n")
    let lines = run("nlos", path, "--json").output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0] == #"{"row":0,"probability":0.995487}"#)
    #expect(lines[1] == #"{"row":1,"probability":0.500000}"#)
    #expect(lines[2] == #"{"row":2,"probability":0.500000}"#)
    let summary = run("nlos", path).output
    #expect(
      summary == """
        3 rows, 1 more likely blocked than not (33.3 %)
        mean probability of a blocked path: 0.665
        columns not in this file: fp_dbm, fp_amp1, fp_amp2, fp_amp3, rxpacc, noise_std
        3 missing values
        2 rows without usable figures: probability 0.5

        """)
  }

  @Test("--adapt finds the threshold of a site with both kinds of path")
  func adapts() throws {
    let path = try file(Self.hall(400, loss: 1.5))
    let before = probabilities(run("nlos", path, "--json").output)
    let after = run("nlos", path, "--json", "--adapt")
    #expect(after.code == .success)
    let adapted = probabilities(after.output)
    #expect(balanced(adapted) >= balanced(before))
    #expect(balanced(adapted) > 0.95)
    #expect(run("nlos", path, "--adapt").output.contains("adapted to this site: threshold at log odds"))
  }

  @Test("--adapt leaves a site with one kind of path as it is, and says why")
  func oneKind() throws {
    for (clear, blocked) in [(true, false), (false, true)] {
      let path = try file(Self.hall(800, clear: clear, blocked: blocked, loss: 0))
      #expect(run("nlos", path, "--json").output == run("nlos", path, "--json", "--adapt").output)
      #expect(run("nlos", path, "--adapt").output.contains("not adapted: the scores do not form two groups"))
    }
    let few = try file(Self.hall(20, loss: 0))
    #expect(
      run("nlos", few, "--adapt").output.contains("not adapted: 40 usable rows, at least 300 are needed"))
  }

  @Test("Errors name the file and line, with the exit codes of all commands")
  func errors() throws {
    let missing = run("nlos", folder.path + "/none.csv")
    #expect(missing.code == .noInput)
    #expect(missing.errors == "nearby: \(folder.path)/none.csv: no such file\n")
    #expect(run("nlos", folder.path).code == .noInput)
    #expect(run("nlos", folder.path, "--adapt").code == .noInput)
    let wrong = try file(Self.header + Self.clear + "6.1,loud,1,1,1,1,1,1\n")
    let result = run("nlos", wrong, "--json")
    #expect(result.code == .badData)
    #expect(result.errors == "nearby: \(wrong):3: rx_dbm: found \"loud\"; expected a number\n")
    #expect(run("nlos", try file(Self.header)).code == .badData)
    #expect(run("nlos", try file("a,b\n1,2\n")).errors.contains("no column rx_dbm; found a, b"))
    #expect(run("nlos").code == .usage)
    #expect(run("nlos", "/dev/null", "--adapt").errors.contains("not a regular file"))
  }

  private func probabilities(_ output: String) -> [Double] {
    output.split(separator: "\n").compactMap { line in
      line.split(separator: ":").last.flatMap { Double($0.dropLast()) }
    }
  }

  /// Balanced accuracy where every second row is blocked.
  private func balanced(_ probabilities: [Double]) -> Double {
    let right = probabilities.enumerated().count { ($0.element > 0.5) == !$0.offset.isMultiple(of: 2) }
    return Double(right) / Double(max(probabilities.count, 1))
  }
}
