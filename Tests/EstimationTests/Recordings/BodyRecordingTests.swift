import Foundation
import NearbyEstimation
import NearbyRecordings
import Testing

@Suite("Recordings of bodies with several antennas")
final class BodyRecordingTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "nearby-bodies-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("trial1"), withIntermediateDirectories: true)
    try write(
      "antennas.csv", "agent,antenna,bx_m,by_m,bz_m\n1,1,0.3,0,0\n1,2,-0.3,0,0\n2,1,0,0.3,0\n2,2,0,-0.3,0\n")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  @Test("Reads antennas, ranges and truth; missing ranges and unknown antennas and bodies are counted")
  func reads() throws {
    try write(
      "trial1/base1_targ2.csv",
      "t_s,rel_x_m,rel_y_m,rel_z_m,rel_yaw_deg,r11_m,r12_m,r21_m,r2_2_m,r13_m\n"
        + "0,3,4,0,90,5.1,nan,,-inf,7\n1,,,,,5,5,5,5,5\n")
    try write("trial1/base1_targ9.csv", "t_s,r11_m\n0,5\n")
    let recording = try BodyRecording(folder: folder)
    let pair = try #require(recording.pairs.first)
    #expect(recording.pairs.count == 1)
    #expect((pair.sequence, pair.base, pair.target) == ("trial1", "1", "2"))
    #expect(pair.baseAntennas == [SIMD3(0.3, 0, 0), SIMD3(-0.3, 0, 0)])
    #expect(recording.missingRanges == 3)
    #expect(recording.unknownColumns == 1)
    #expect(recording.unknownFiles == 1)
    #expect(pair.rows.map(\.ranges.count) == [1, 4])
    let truth = try #require(pair.rows[0].truth)
    #expect(truth.position == SIMD3(3, 4, 0))
    #expect(abs(truth.yaw - .pi / 2) < 1e-12)
    #expect(pair.rows[1].truth == nil)
    let rows = recording.replay()
    #expect(rows[0].pose == nil)
    #expect(abs(try #require(rows[1].pose).distance - 5) < 0.2)
    // The folder of one sequence finds the list of antennas above it.
    #expect(try BodyRecording(folder: folder.appendingPathComponent("trial1")).pairs.count == 1)
  }

  @Test("Refuses files with faults, naming file and line")
  func refuses() throws {
    func error(_ name: String, _ text: String) throws -> RecordingError? {
      try write(name, text)
      do throws(RecordingError) {
        _ = try BodyRecording(folder: folder)
        return nil
      } catch {
        return error
      }
    }
    let file = folder.appendingPathComponent("trial1/base1_targ2.csv").path
    #expect(
      try error("trial1/base1_targ2.csv", "t_s,r11_m\n1,5\n0,5\n")
        == .timeBackwards(file: file, line: 3, column: "t_s", found: 0, latest: 1))
    #expect(try error("trial1/base1_targ2.csv", "t_s,r11_m\n") == .empty(file: file))
    #expect(
      try error("trial1/base1_targ2.csv", "t_s,r77_m\n1,5\n")
        == .missingColumn(file: file, column: "r11_m", found: ["t_s", "r77_m"]))
    let list = folder.appendingPathComponent("antennas.csv").path
    #expect(
      try error("antennas.csv", "agent,antenna,bx_m,by_m,bz_m\n1,1,0,0,0\n1,1,0,0,0\n")
        == .duplicateName(file: list, line: 3, column: "antenna", found: "1"))
    #expect(
      try error("antennas.csv", "agent,antenna,bx_m,by_m,bz_m\n7,1,0,0,0\n")
        == .unknownName(file: file, line: 1, column: "agent", found: "1, 2", list: "antennas.csv"))
    #expect(!BodyRecording.isRecording(folder.appendingPathComponent("none")))
  }
}
