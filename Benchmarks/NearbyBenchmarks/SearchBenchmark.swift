import Foundation
import NearbyEstimation
import NearbySimulator

/// Motions that can't determine where an object is, however long they last.
private let hopeless: Set<SearchGround.Motion> = [.still, .vertical, .line]

/// Prints the results of simulated searches for each motion and track. No parameter was fitted to these
/// searches.
func searchBenchmark(seeds: Int = 60) -> [Figure] {
  var figures: [Figure] = []
  var both: [SearchScore] = []
  for isDrifting in [false, true] {
    let name = isDrifting ? "drifting" : "true"
    print("Simulated searches, \(name) track, \(seeds) seeds per motion: metres, seconds and shares")
    print(
      "motion        runs      eh     p90      e3    NEES  t_said   right    well    said   wrong  w_time")
    var all: [SearchScore] = []
    for motion in SearchGround.Motion.allCases {
      let scores = (0..<seeds).map { index in
        let seed = UInt64(index) &+ (isDrifting ? 50_000 : 0)
        let ground = SearchGround(motion: motion, isDrifting: isDrifting, seed: seed)
        return SearchScore(
          ground, seed: seed,
          parameters: AssistanceParameters(track: isDrifting ? .visualInertial : .surveyed))
      }
      showScores(motion.rawValue, scores)
      all += scores
    }
    showScores("all", all)
    figures += searchFigures("simulated searches, \(name)", all)
    both += all
  }
  let said = both.filter { $0.saidAt != nil }
  let wrong = Double(said.count(where: \.isWrong)) / Double(max(1, said.count))
  figures.append(
    Figure(name: "simulated searches: wrong when converged", value: wrong, unit: "", target: .under(0.02)))
  return figures + fateFigures(seeds: seeds / 3)
}

private func searchFigures(_ name: String, _ all: [SearchScore]) -> [Figure] {
  func share(_ part: [SearchScore], _ whole: [SearchScore]) -> Double {
    Double(part.count) / Double(max(1, whole.count))
  }
  let said = all.filter { $0.saidAt != nil }
  let well = all.filter(\.isWellPosed)
  let right = well.filter { $0.isRight && !hopeless.contains($0.motion) }
  return [
    Figure(
      name: "\(name): converged on a line, up and down, still",
      value: Double(said.count { hopeless.contains($0.motion) }), unit: "", target: .under(1)),
    Figure(
      name: "\(name): converged when right", value: share(right.filter { $0.saidAt != nil }, right), unit: "",
      target: .atLeast(0.95)),
    Figure(
      name: "\(name): right where the geometry allows", value: share(well.filter(\.isRight), well), unit: "",
      target: .atLeast(0.85)),
  ]
}

private func showScores(_ name: String, _ scores: [SearchScore]) {
  func quantile(_ values: [Double], _ share: Double) -> Double {
    values.isEmpty ? .nan : RangeScore.quantile(values.sorted(), share)
  }
  func share(_ part: [SearchScore], _ whole: [SearchScore]) -> Double {
    whole.isEmpty ? .nan : Double(part.count) / Double(whole.count)
  }
  let errors = scores.map(\.final)
  let well = scores.filter(\.isWellPosed)
  let right = scores.filter(\.isRight)
  let said = scores.filter { $0.saidAt != nil }
  let normalised = scores.compactMap(\.normalised)
  let columns: [Double] = [
    quantile(errors, 0.5), quantile(errors, 0.9), quantile(scores.map(\.final3D), 0.5),
    normalised.reduce(0) { $0 + min($1, 50) } / Double(max(1, normalised.count)),
    quantile(scores.compactMap(\.saidAt), 0.5), share(right, scores), share(well.filter(\.isRight), well),
    share(right.filter { $0.saidAt != nil }, right), share(said.filter(\.isWrong), said),
    said.reduce(0) { $0 + $1.wrongTime } / Double(max(1, said.count)),
  ]
  let cells = columns.map { value in
    let cell = String(format: "%.3f", value)
    return String(repeating: " ", count: max(0, 8 - cell.count)) + cell
  }
  print(name.padded(to: 12) + String(format: "%6d", scores.count) + cells.joined())
}
