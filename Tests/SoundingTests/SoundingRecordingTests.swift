import Foundation
import NearbyEstimation
import NearbyRecordings
import NearbySounding
import TestSupport
import Testing

@Suite("Sounding recordings")
struct SoundingRecordingTests {
  private func read(_ text: String) throws(RecordingError) -> SoundingRecording {
    try SoundingRecording([UInt8](text.utf8), file: "s.csv")
  }

  @Test("Reads all columns in any order; empty fields are missing, other columns are ignored")
  func columns() throws {
    let recording = try read(
      """
      rtt_m,t_s,note,phase_m,ifft_m,rssi_dbm,good_tones,gt_distance_m
      9.5,0.25,x,,10.25,-61,1,10
      -1,1,y,12,,,0,

      """)
    let first = SoundingResult(
      time: .milliseconds(250), impulseResponse: 10.25, roundTrip: 9.5, power: -61, hasGoodTones: true)
    let second = SoundingResult(time: .seconds(1), phaseSlope: 12, roundTrip: -1, hasGoodTones: false)
    #expect(recording.rows.map(\.result) == [first, second])
    #expect(recording.rows.map(\.trueDistance) == [10, nil])
  }

  @Test("One method is enough; tones count as good if nothing is recorded")
  func fewColumns() throws {
    let recording = try read("t_s,rtt_m\n0,5\n0,\n")
    #expect(
      recording.rows.map(\.result)
        == [SoundingResult(time: .zero, roundTrip: 5), SoundingResult(time: .zero)])
  }

  @Test(
    "Errors name the line, the column and what was expected",
    arguments: [
      ("", RecordingError.empty(file: "s.csv")),
      ("t_s,ifft_m\n", .empty(file: "s.csv")),
      ("t,ifft_m\n0,1\n", .missingColumn(file: "s.csv", column: "t_s", found: ["t", "ifft_m"])),
      ("t_s,rssi_dbm\n0,1\n", .missingColumn(file: "s.csv", column: "ifft_m", found: ["t_s", "rssi_dbm"])),
      ("t_s,ifft_m\n0,1\n1,x\n", .notANumber(file: "s.csv", line: 3, column: "ifft_m", found: "x")),
      ("t_s,phase_m\n0,1\n1,nan\n", .notFinite(file: "s.csv", line: 3, column: "phase_m", found: "nan")),
      (
        "t_s,rtt_m\n0,1\n1,2\n0.5,3\n",
        .timeBackwards(file: "s.csv", line: 4, column: "t_s", found: 0.5, latest: 1)
      ),
      ("t_s,rtt_m\n0,1,2\n", .fieldCount(file: "s.csv", line: 2, found: 3, expected: 2)),
      (
        "t_s,rtt_m,good_tones\n0,1,2\n",
        .outOfRange(file: "s.csv", line: 2, column: "good_tones", found: 2, lowest: 0, highest: 1)
      ),
    ])
  func errors(_ text: String, _ error: RecordingError) {
    #expect(throws: error) { try read(text) }
  }

  @Test("A replay is causal: cutting the recording changes no earlier estimate")
  func causal() {
    let steps = SoundingWalk(outliers: 0.2, missing: 0.3, seed: 21) { 40 - $0 / 3 }.steps
    func estimates(_ count: Int) -> [RangeEstimate?] {
      var filter = SoundingFilter()
      return steps.prefix(count).map { filter.update($0.result) }
    }
    #expect(Array(estimates(160).prefix(70)) == estimates(70))
  }

  @Test("The summary scores errors after the first 5 s")
  func summary() throws {
    var summary = SoundingReplaySummary()
    #expect(summary.score == nil)
    let steps: [(Int, Double)] = [(0, 9), (4, 9), (5, 0.5), (6, -0.3), (7, 0.1), (8, 0.1)]
    for (seconds, error) in steps {
      summary.add(
        SoundingReplayRow(
          index: seconds, result: SoundingResult(time: .seconds(seconds)),
          estimate: RangeEstimate(distance: 10 + error, rate: 0, sigma: 0.15), trueDistance: 10))
    }
    let score = try #require(summary.score)
    #expect((score.bias - 0.1).magnitude < 1e-12)
    #expect((score.rmse - 0.3).magnitude < 1e-12)
    #expect((score.spread * score.spread - 0.08).magnitude < 1e-12)
    #expect(score.share == 0.75)
    #expect(summary.rows == 6 && summary.estimates == 6 && summary.duration == .seconds(8))
  }
}

private let hasSoundings = (try? RangingFolders.sequences(of: "channel_sounding"))?.isEmpty == false

/// Logs of two boards in a park. With truth they are `park_…m`.
@Suite(
  "Recorded soundings", .serialized, .enabled(if: hasSoundings, "no recorded soundings: set NEARBY_DATA"))
struct SoundingDataTests {
  private struct Log {
    var name: String
    var recording: SoundingRecording
  }

  private func logs() throws -> [Log] {
    try RangingFolders.sequences(of: "channel_sounding").map {
      Log(name: $0.lastPathComponent, recording: try SoundingRecording(folder: $0))
    }
  }

  private static func value(_ result: SoundingResult, _ method: SoundingMethod) -> Double? {
    switch method {
    case .impulseResponse: result.impulseResponse
    case .phaseSlope: result.phaseSlope
    case .roundTrip: result.roundTrip
    }
  }

  /// Mean over logs of each method's median error.
  private func offsets(_ logs: [Log]) -> SoundingValues {
    var offsets = SoundingWalk.noBias
    for method in SoundingMethod.allCases {
      let medians = logs.map { log in
        RangeScore.median(
          log.recording.rows.compactMap { row in
            guard let truth = row.trueDistance else { return nil }
            return Self.value(row.result, method).map { $0 - truth }
          })
      }
      offsets[method] = medians.reduce(0, +) / Double(medians.count)
    }
    return offsets
  }

  private func summary(_ log: Log, _ offsets: SoundingValues) -> SoundingReplaySummary {
    var summary = SoundingReplaySummary()
    log.recording.replay(offsets: offsets) {
      summary.add($0)
      return true
    }
    return summary
  }

  @Test(
    "With the constants of the other logs, errors are below those of the best baseline, and sigmas honest")
  func leaveOneOut() throws {
    let known = try logs().filter { $0.recording.rows[0].trueDistance != nil }
    try #require(known.count >= 5)
    var scores: [SoundingReplaySummary.Score] = []
    for log in known {
      let summary = summary(log, offsets(known.filter { $0.name != log.name }))
      #expect(summary.estimates == summary.rows, "\(log.name)")
      scores.append(try #require(summary.score))
    }
    let count = Double(scores.count)
    // The best baseline is the median of five impulse responses: 0.63 m on average, 1.27 m at worst.
    let mean = scores.reduce(0) { $0 + $1.rmse } / count
    #expect(mean < 0.57, "\(mean)")
    #expect(scores.allSatisfy { $0.rmse < 1.1 })
    #expect(scores.reduce(0) { $0 + $1.share } / count > 0.95)
    let spread = scores.reduce(0) { $0 + $1.spread } / count
    #expect(spread < 0.15, "\(spread)")
  }

  @Test("On a walk back from 45 m it approaches without jumps and ends at the first board")
  func walkBack() throws {
    let log = try #require(try logs().first { $0.name == "park_walk_back" })
    var rows: [SoundingReplayRow] = []
    log.recording.replay(
      offsets: SoundingValues(impulseResponse: -0.65, phaseSlope: 1.13, roundTrip: -1.04)
    ) {
      rows.append($0)
      return true
    }
    // While the walker comes straight back, 14 to 36 s after the start.
    let walk = rows.filter { (14...36).contains($0.result.time / .seconds(1)) }.compactMap(\.estimate)
    for (before, after) in zip(walk, walk.dropFirst()) {
      #expect((after.distance - before.distance).magnitude < 2.5)
    }
    let first = try #require(walk.first).distance
    let last = try #require(walk.last).distance
    #expect((first - 28).magnitude < 2)
    #expect((last - 7).magnitude < 1.5)
    let sum = walk.reduce(0) { $0 + $1.rate }
    let rate = sum / Double(walk.count)
    #expect((rate + 1).magnitude < 0.3)
    let end = rows.filter { (55...70).contains($0.result.time / .seconds(1)) }.compactMap(\.estimate)
    #expect(end.allSatisfy { $0.distance < 3 })
  }
}
