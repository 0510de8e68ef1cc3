import Foundation
import NearbyCommandLine
import Testing

@testable import nearby

@Suite("nearby replay of bodies with several antennas")
final class BodyReplayTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "nearby-bodies-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let places: [SIMD2<Double>] = [SIMD2(0.3, 0), SIMD2(0, 0.3), SIMD2(-0.3, 0), SIMD2(0, -0.3)]
    var antennas = "agent,antenna,bx_m,by_m,bz_m\n"
    for agent in 1...2 {
      for (index, place) in places.enumerated() {
        antennas += "\(agent),\(index + 1),\(place.x),\(place.y),0\n"
      }
    }
    try Data(antennas.utf8).write(to: folder.appendingPathComponent("antennas.csv"))
    // The target is 3 m ahead and 4 m to the left, and turned by a quarter.
    var header = "t_s,rel_x_m,rel_y_m,rel_z_m,rel_yaw_deg"
    var row = "0,3,4,0,90"
    for (i, base) in places.enumerated() {
      for (j, target) in places.enumerated() {
        let arm = SIMD2(-target.y, target.x)
        let across: SIMD2<Double> = SIMD2(3, 4) + arm - base
        let range = (across * across).sum().squareRoot()
        header += ",r\(i + 1)\(j + 1)_m"
        row += ",\(range)"
      }
    }
    let missing = "1,3,4,0,90" + String(repeating: ",nan", count: 16)
    try Data("\(header)\n\(row)\n\(missing)\n".utf8)
      .write(to: folder.appendingPathComponent("base1_targ2.csv"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  @Test("Prints one JSON object per line with exactly the documented keys, and null without a pose")
  func jsonLines() throws {
    let result = run(["replay", folder.path, "--json"])
    #expect(result.code == .success)
    let objects = try result.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects.count == 2)
    let keys = [
      "agreeing", "azimuth", "azimuthSigma", "base", "covariance", "distance", "errors", "orientation",
      "position", "sequence", "sigma", "t", "target", "used", "yaw", "yawSigma",
    ]
    for object in objects { #expect(object.keys.sorted() == keys) }
    #expect(abs(try #require(objects[0]["azimuth"] as? Double) - atan2(4, 3)) < 0.01)
    #expect(abs(try #require(objects[0]["yaw"] as? Double) - .pi / 2) < 0.01)
    #expect(abs(try #require(objects[0]["distance"] as? Double) - 5) < 0.05)
    #expect((objects[0]["covariance"] as? [[Double]])?.map(\.count) == [6, 6, 6, 6, 6, 6])
    #expect(objects[1]["position"] is NSNull)
    #expect(objects[1]["errors"] is NSNull)
  }

  @Test("The summary compares with the truth, and counts what is missing")
  func summary() throws {
    let text = run(["replay", folder.path, "--summary"])
    #expect(
      text.output.hasPrefix(
        "2 moments of 1 pair of bodies; 1 pose\n16 missing ranges: blank, nan or infinite\n"))
    #expect(text.output.contains("place in the plane"))
    #expect(run(["replay", folder.path]).output.hasSuffix(text.output))
    let json = run(["replay", folder.path, "--summary", "--json"])
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(object["missing_ranges"] as? Int == 16)
    let error = try #require((object["error"] as? [String: Any])?["azimuth"] as? [String: Any])
    #expect(try #require(error["median"] as? Double) < 0.01)
  }

  @Test("Options of single distances are refused")
  func refusesOptions() {
    #expect(run(["replay", folder.path, "--object", "1"]).code == .badData)
    #expect(run(["replay", folder.path, "--plot", folder.path + "/a.svg"]).code == .badData)
  }
}
