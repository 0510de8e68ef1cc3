import Foundation
import NearbyRecordings
import TestSupport
import Testing

/// A committed walk, to be rewritten (`NEARBY_REWRITE=1`) only by a change that is meant to alter results.
@Suite("Committed trace")
struct TraceTests {
  private let folder = RangingFolders.fixtures.appendingPathComponent("walk")
  private let told = RangingFolders.fixtures.appendingPathComponent("walk-estimates.csv")

  /// A peer that walks, with outliers, a burst of bad frames, a blocked stretch and a gap.
  private func made() -> Recording {
    var random = RangingRandom(seed: 2026)
    var recording = Recording(ranges: [])
    var seconds = 0.0
    for index in 0..<240 {
      seconds += index == 150 ? 3 : 0.18 + 0.04 * random.uniform()
      let truth = 5 + 3 * sin(seconds / 4)
      var range = truth + 0.08 * random.normal()
      if index % 17 == 3 { range += 4 * random.uniform() }
      if (60..<63).contains(index) { range -= 3.5 }
      if (100..<130).contains(index) { range += 0.4 + 0.2 * random.normal() }
      func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }
      recording.ranges.append(
        RecordedRange(
          time: .microseconds(Int64((seconds * 1e6).rounded())), tag: "1", object: "peer",
          range: rounded(range), trueRange: rounded(truth)))
    }
    recording.meta = ["source": .text("made by TraceTests, seed 2026"), "licence": .text("as the project")]
    return recording
  }

  private func text(_ rows: [ReplayRow]) -> String {
    rows.reduce(into: "distance_m,sigma_m\n") { text, row in
      guard let distance = row.distance, let sigma = row.sigma else {
        text += ",\n"
        return
      }
      text += String(format: "%.6f,%.6f\n", distance, sigma)
    }
  }

  @Test("The committed walk gives the committed estimates")
  func replays() throws {
    if ProcessInfo.processInfo.environment["NEARBY_REWRITE"] == "1" {
      try made().write(to: folder)
      try Data(text(made().replay()).utf8).write(to: told)
    }
    let recording = try Recording(folder: folder)
    #expect(recording == made())
    #expect(try text(recording.replay()) == String(contentsOf: told, encoding: .utf8))
  }

  @Test("Two replays give the same estimates")
  func deterministic() {
    #expect(made().replay() == made().replay())
  }
}
