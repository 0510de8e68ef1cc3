import Foundation
import NearbyEstimation
import NearbyRecordings
import TestSupport
import Testing

/// The correction of a factory calibration for each radio, in metres: median of range minus truth.
private func antennaDelay(of sequence: URL, _ recording: Recording) -> Double {
  let errors = recording.ranges.compactMap { row in row.trueRange.map { row.range - $0 } }
  return errors.isEmpty ? 0 : RangeScore.median(errors)
}

@Suite(
  "Recorded searches",
  .enabled(if: RangingFolders.data != nil, "no recorded data: set NEARBY_DATA"))
struct AssistanceDataTests {
  private func runs(of dataset: String, _ choice: RecordedTrackChoice) throws -> [LocateSummary.Run] {
    try RangingFolders.sequences(of: dataset).flatMap { folder in
      let whole = try Recording(folder: folder)
      // One antenna, every fourth object and about 125 ranges of each; `make bench` uses all.
      let numbers = Dictionary(
        whole.objects.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
      let pairs = Set(whole.ranges.map(\.pair)).count
      let stride = max(1, whole.ranges.count / max(1, pairs) / 125)
      var counts: [RecordedPair: Int] = [:]
      let recording = whole.selecting { row in
        guard row.tag == whole.tags.first?.name, (numbers[row.object] ?? 0) % 4 == 0 else { return false }
        counts[row.pair, default: -1] += 1
        return (counts[row.pair] ?? 0) % stride == 0
      }
      var summary = LocateSummary()
      recording.locate(along: choice, rangeOffset: antennaDelay(of: folder, whole)) { row in
        summary.add(row)
        return true
      }
      return summary.runs
    }
  }

  /// The bounds are a third above the values measured on all ranges, so that a test fails before the figures
  /// get much worse.
  @Test(
    "Searches end near the truth, converge if they do, and are right when they converge",
    arguments: [
      ("starloc", 0.16), ("rcv", 0.21), ("miluv", 0.15), ("lias_planar", 0.12), ("hanyang_outdoor", 0.11),
    ], RecordedTrackChoice.allCases)
  func ends(dataset: (name: String, median: Double), choice: RecordedTrackChoice) throws {
    let runs = try runs(of: dataset.name, choice)
    let errors = try runs.map { try #require($0.finalHorizontal) }
    let drift = choice == .vio ? 1.3 : 1
    #expect(RangeScore.median(errors) < dataset.median * drift, "\(errors)")
    let wrong = runs.filter { ($0.errorAtConvergence ?? 0) > 0.5 }
    #expect(wrong.isEmpty, "\(wrong)")
    let silent = runs.filter { ($0.finalHorizontal ?? 1) < 0.3 && $0.convergedAfter == nil }
    #expect(silent.isEmpty, "\(silent)")
  }
}
