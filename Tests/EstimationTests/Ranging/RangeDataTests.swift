import Foundation
import NearbyEstimation
import NearbyRecordings
import TestSupport
import Testing

/// Whether the recorded data exist. Tests that need them are skipped otherwise.
private let hasData = RangingFolders.data != nil

@Suite("Recorded ranges", .enabled(if: hasData, "no recorded data: set NEARBY_DATA"))
struct RangeDataTests {
  private func replays(of dataset: String, every stride: Int = 1) throws -> [[ReplayRow]] {
    try RangingFolders.sequences(of: dataset).map { folder in
      var recording = try Recording(folder: folder)
      if stride > 1 { recording.keepEvery(stride) }
      return recording.replay()
    }
  }

  @Test(
    "The RMSE is not above that of the best filter in the data's own table",
    arguments: [
      ("starloc", 0.181), ("rcv", 0.127), ("miluv", 0.259), ("lias_planar", 0.066),
      ("hanyang_outdoor", 0.125),
    ])
  func reachesBest(dataset: String, best: Double) throws {
    let score = try #require(RangeScore(replays: replays(of: dataset)))
    #expect((score.rmse * 1000).rounded() / 1000 <= best, "\(score.rmse)")
    #expect(score.lag.map { $0 < 0.2 } ?? true)
    #expect(score.wronglyFar == 0, "\(score.wronglyFar)")
  }

  @Test(
    "With the device's track the RMSE is a tenth below that",
    arguments: [
      ("starloc", 0.181), ("rcv", 0.127), ("miluv", 0.259), ("lias_planar", 0.066),
      ("hanyang_outdoor", 0.125),
    ], RecordedTrackChoice.allCases)
  func tracked(reference: (dataset: String, best: Double), choice: RecordedTrackChoice) throws {
    // Two sequences only, because a locator in a debug build is slow; the benchmarks use all.
    let located = try RangingFolders.sequences(of: reference.dataset).prefix(2).map { folder in
      var rows: [LocateRow] = []
      try Recording(folder: folder).locate(along: choice, rangeOffset: 0.1) { row in
        rows.append(row)
        return true
      }
      return rows
    }
    let score = try #require(RangeScore(located: located))
    #expect(score.rmse < 0.9 * reference.best, "\(score.rmse)")
    #expect(score.wronglyFar == 0, "\(score)")
    #expect(score.missing < 40, "\(score)")
  }

  @Test(
    "True ranges computed from the path match those of the recording", arguments: ["starloc", "lias_planar"])
  func truth(dataset: String) throws {
    for sequence in try RangingFolders.sequences(of: dataset) {
      let recording = try Recording(folder: sequence)
      var blind = recording
      for row in blind.ranges.indices { blind.ranges[row].trueRange = nil }
      let errors = zip(blind.trueRanges(), recording.ranges).compactMap { found, row in
        found.flatMap { found in row.trueRange.map { (found - $0).magnitude } }
      }
      #expect(errors.count > recording.ranges.count / 2)
      #expect(RangeScore.quantile(errors.sorted(), 0.95) < 0.03, "\(sequence.lastPathComponent)")
    }
  }

  @Test("A recording without true ranges is scored by its path")
  func labyrinth() throws {
    let score = try #require(RangeScore(replays: replays(of: "labyrinth")))
    let raw = try #require(RangeScore(rangesOf: replays(of: "labyrinth")))
    #expect(score.count > 150, "\(score) \(raw)")
    #expect(score.largest < 2, "\(score) \(raw)")
  }

  @Test(
    "The RMSE rises little when most ranges are missing",
    arguments: [
      ("starloc", 5, 0.2), ("rcv", 5, 0.16), ("miluv", 3, 0.26), ("lias_planar", 5, 0.07),
      ("hanyang_outdoor", 5, 0.145),
    ])
  func decimated(dataset: String, stride: Int, bound: Double) throws {
    let score = try #require(RangeScore(replays: replays(of: dataset, every: stride)))
    #expect(score.rmse < bound, "\(score.rmse)")
  }

  @Test(
    "Every sequence survives a round trip",
    arguments: ["starloc", "rcv", "miluv", "hanyang_outdoor", "labyrinth"])
  func roundTrips(dataset: String) throws {
    for sequence in try RangingFolders.sequences(of: dataset) {
      let recording = try Recording(folder: sequence)
      let folder = try RangingFolders.temporary()
      defer { try? FileManager.default.removeItem(at: folder) }
      try recording.write(to: folder)
      #expect(try Recording(folder: folder) == recording, "\(sequence.lastPathComponent)")
    }
  }
}

extension Recording {
  /// Keeps every n-th range of each pair.
  fileprivate mutating func keepEvery(_ stride: Int) {
    var seen: [RecordedPair: Int] = [:]
    self = selecting { range in
      let index = seen[range.pair, default: 0]
      seen[range.pair] = index + 1
      return index % stride == 0
    }
  }
}
