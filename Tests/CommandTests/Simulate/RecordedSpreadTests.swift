import Foundation
import NearbyRecordings
import NearbyScenarios
import NearbySimulator
import TestSupport
import Testing

/// Whether the recorded flights exist. Tests that need them are skipped otherwise.
private let hasData = RangingFolders.data != nil

@Suite("Simulated anchors beside recorded ones", .enabled(if: hasData, "no recorded data: set NEARBY_DATA"))
struct RecordedSpreadTests {
  private static func flights() throws -> [URL] {
    let folder = try #require(RangingFolders.data).appending(path: "tdoa_flights/dev")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .sorted { $0.path < $1.path }
  }

  /// What is compared: quantiles of the errors, how they divide into slow and fast ones, and the wild ones. The size of
  /// each figure.
  private static let figures: [(name: String, value: @Sendable (DifferenceSpread) -> Double)] = [
    ("1 %", { -$0.quantile(0.01) }), ("5 %", { -$0.quantile(0.05) }), ("25 %", { -$0.quantile(0.25) }),
    ("75 %", { $0.quantile(0.75) }), ("95 %", { $0.quantile(0.95) }), ("99 %", { $0.quantile(0.99) }),
    ("robust spread", { $0.robustSigma }), ("a pair's median over a second", { $0.slow }),
    ("around that median", { $0.fast }), ("share off by more than 1 m", { $0.wild }),
  ]

  @Test("Simulated on the recorded tracks, the errors of differences have the quantiles of the recorded ones")
  func quantiles() throws {
    var recorded: [DifferenceSpread] = []
    var simulated: [DifferenceSpread] = []
    for (number, folder) in try Self.flights().enumerated() {
      let flight = try PositionRecording(folder: folder)
      recorded.append(DifferenceSpread(flight))
      simulated.append(DifferenceSpread(try Self.simulated(flight, seed: UInt64(number + 1))))
    }
    #expect(recorded.count == 14)
    // Flights differ from each other as much as places do: their medians are compared.
    for (name, value) in Self.figures {
      let real = DifferenceSpread.median(recorded.map(value))
      let ours = DifferenceSpread.median(simulated.map(value))
      #expect((0.75...1.25).contains(ours / real), "\(name): recorded \(real), simulated \(ours)")
    }
    let middle = DifferenceSpread.median(simulated.map(\.median))
    #expect(abs(middle - DifferenceSpread.median(recorded.map(\.median))) < 0.02)
  }

  /// The same tag on the same track among the same anchors, simulated.
  private static func simulated(_ recording: PositionRecording, seed: UInt64) throws -> PositionRecording {
    let first = try #require(recording.truePath.first), last = try #require(recording.truePath.last)
    var text = "{ seed: \(seed), duration: \((last.time - first.time) / .seconds(1)), pairs: [], devices: [\n"
    text += "{ name: \"tag\", radio: \"module\", motion: { stand: [0, 0, 1] } },\n"
    for anchor in recording.anchors {
      let place = anchor.position
      text += "{ name: \"a\(anchor.id)\", kind: \"accessory\", radio: \"anchor\", "
      text += "motion: { stand: [\(place.x), \(place.y), \(place.z)] } },\n"
    }
    var scenario = try Scenario(parsing: Data((text + "] }").utf8), file: "flight.json")
    var antenna = RecordedAntenna(recording)
    scenario.devices[0].motion = .recorded(
      RecordedPath(
        recording.truePath.compactMap { pose in
          antenna.place(at: pose.time / .seconds(1)).map {
            RecordedPath.Point(
              seconds: (pose.time - first.time) / .seconds(1), position: $0,
              worldFromDevice: Rotation(quaternion: pose.orientation))
          }
        }))
    scenario.devices[0].facing = .recorded
    // Centralised anchors compare mostly neighbours, decentralised ones all pairs.
    let pairs = Set(recording.differences.map { [$0.from, $0.to] }).count
    let order: Scenario.AnchorOrder = pairs > 40 ? .decentralised : .centralised
    let rate = Double(recording.differences.count) / ((last.time - first.time) / .seconds(1))
    let round = Duration.seconds(Double(recording.anchors.count) / rate)
    return try #require(
      scenario.listening(
        Scenario.ListeningPlan(device: 0, anchors: scenario.listenedAnchors, round: round, order: order)))
  }
}
