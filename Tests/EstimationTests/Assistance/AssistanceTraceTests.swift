import Foundation
import NearbyEstimation
import NearbySimulator
import TestSupport
import Testing

/// Committed searches, to be rewritten (`NEARBY_REWRITE=1`) only by a change that is meant to alter results.
@Suite("Committed searches")
struct AssistanceTraceTests {
  private static let grounds: [(name: String, ground: SearchGround)] = [
    ("dive", .room(.dive, seed: 21)), ("drifting-sweep", .room(.sweep, isDrifting: true, seed: 22)),
    ("carried", .room(.planar, fate: .carried, seed: 23)), ("line", .room(.line, seed: 24)),
    ("walks-with-angles", walking()),
  ]

  private static func walking() -> SearchGround {
    var ground = SearchGround.room(.circle, fate: .walks, distance: 6, seed: 25)
    ground.radio.angleSigma = 0.07
    return ground
  }

  private func text(_ ground: SearchGround) -> String {
    var locator = ObjectLocator(
      AssistanceParameters(track: ground.drift.yawWalk > 0 ? .visualInertial : .surveyed))
    var text = "t_s,x_m,y_m,z_m,sigma_h_m,sigma_v_m,angle_rad,vertical,reasons\n"
    for (index, step) in ground.steps(seed: 77).enumerated() {
      let reading = step.reading(arm: ground.arm)
      locator.update(reading)
      guard index % 6 == 5, let told = locator.estimate(at: reading.time, pose: reading.pose) else {
        continue
      }
      let place = told.positionInWorld.map { String(format: "%.2f,%.2f,%.2f", $0.x, $0.y, $0.z) } ?? ",,"
      let angle = told.horizontalAngle.map { String(format: "%.2f", $0) } ?? ""
      text += String(
        format: "%.2f,%@,%.2f,%.2f,%@,", step.seconds, place, told.horizontalSigma,
        told.verticalSigma, angle)
      text += "\(told.vertical.rawValue),\(told.reasons.rawValue)\n"
    }
    return text
  }

  @Test("Results match the committed ones", arguments: grounds.map(\.name))
  func committed(name: String) throws {
    let ground = try #require(Self.grounds.first { $0.name == name }).ground
    let file = RangingFolders.fixtures.deletingLastPathComponent()
      .appendingPathComponent("Assistance/\(name).csv")
    if ProcessInfo.processInfo.environment["NEARBY_REWRITE"] == "1" {
      try Data(text(ground).utf8).write(to: file)
    }
    #expect(try text(ground) == String(contentsOf: file, encoding: .utf8))
  }

  @Test("Two runs give identical octets")
  func deterministic() {
    for (_, ground) in Self.grounds.prefix(2) { #expect(text(ground) == text(ground)) }
  }
}
