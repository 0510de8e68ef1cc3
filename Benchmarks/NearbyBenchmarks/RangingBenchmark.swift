import Foundation
import NearbyEstimation
import NearbyRecordings

/// The data sets with motion and line of sight, and the best filter's RMSE according to the data's own table,
/// in metres.
private let rangingReferences: [(set: String, best: Double)] = [
  ("starloc", 0.181), ("rcv", 0.127), ("miluv", 0.259), ("lias_planar", 0.066), ("hanyang_outdoor", 0.125),
]

/// Prints, for every data set with motion, the error of raw ranges and of the estimator, and the cost of an
/// update.
///
/// Reads the data from `NEARBY_DATA`, or by default from `../shared/data` relative to the working directory.
func rangingBenchmark() -> [Figure] {
  let data = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["NEARBY_DATA"] ?? "../shared/data")
  print("Distance, pair bias removed: metres, lag in seconds, z = error over stated sigma")
  print("data set         raw rmse     rmse  README     mad     p95     max     lag       z  nil  wrong")
  var figures: [Figure] = []
  for reference in rangingReferences {
    let folder = data.appendingPathComponent(reference.set).appendingPathComponent("dev")
    do {
      figures += try rangingRow(reference.set, best: reference.best, folder)
    } catch {
      print("\(reference.set): \(error)")
    }
  }
  figures += trackedRanging(data)
  figures.append(Figure(name: "one range through its filter", value: rangingUpdateCost(), unit: "ns"))
  figures.append(
    Figure(name: "one range through the filter with a track", value: trackedUpdateCost(), unit: "ns"))
  return figures
}

/// Prints the same for the filter that knows the device's track. The target is nine tenths of the best
/// filter's RMSE.
private func trackedRanging(_ data: URL) -> [Figure] {
  print("Distance with the device's track, pair bias removed: metres, lag in seconds")
  print("data set         track     rmse   target      mad     p95     max     lag       z  nil  wrong")
  var figures: [Figure] = []
  for choice in RecordedTrackChoice.allCases {
    for reference in rangingReferences {
      let folder = data.appendingPathComponent(reference.set).appendingPathComponent("dev")
      guard FileManager.default.fileExists(atPath: folder.path) else { continue }
      do {
        figures += try trackedRow(reference.set, best: reference.best, folder, choice)
      } catch {
        print("\(reference.set): \(error)")
      }
    }
  }
  return figures
}

private func trackedRow(
  _ name: String, best: Double, _ folder: URL, _ choice: RecordedTrackChoice
) throws -> [Figure] {
  let sequences = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  let located = try sequences.map { sequence in
    var rows: [LocateRow] = []
    try Recording(folder: folder.appendingPathComponent(sequence))
      .locate(along: choice, rangeOffset: antennaDelay(of: name, sequence)) { row in
        rows.append(row)
        return true
      }
    return rows
  }
  guard let score = RangeScore(located: located) else { return [] }
  let cells = [
    choice.rawValue, decimals(score.rmse, 3), decimals(0.9 * best, 3), decimals(score.sigma, 3),
    decimals(score.percentile95, 3), decimals(score.largest, 2), score.lag.map { decimals($0, 3) } ?? "-",
    score.normalisedError.map { decimals($0, 2) } ?? "-",
  ]
  let row = cells.map { String(repeating: " ", count: max(0, 8 - $0.count)) + $0 }.joined()
  print(
    name.padding(toLength: 15, withPad: " ", startingAt: 0) + row + "  \(score.missing)  \(score.wronglyFar)")
  return [
    Figure(
      name: "\(name): RMSE with the \(choice.rawValue) track", value: score.rmse, unit: "m",
      target: .under(0.9 * best))
  ]
}

/// The radios' antenna delay in metres, which replaces a factory calibration; see the data's own README.
private func antennaDelay(of set: String, _ sequence: String) -> Double {
  switch set {
  case "starloc": sequence.hasSuffix("s5") ? -0.0967 : 0.2049
  case "rcv": 0.2701
  case "miluv": 0.1244
  case "lias_planar": 0.1740
  case "hanyang_outdoor": 0.0816
  default: 0
  }
}

private func rangingRow(_ name: String, best: Double, _ folder: URL) throws -> [Figure] {
  guard FileManager.default.fileExists(atPath: folder.path) else {
    print("\(name): skipped, no data at \(folder.path); set NEARBY_DATA")
    return []
  }
  let sequences = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  let replays = try sequences.map {
    try Recording(folder: folder.appendingPathComponent($0)).replay()
  }
  guard let score = RangeScore(replays: replays), let raw = RangeScore(rangesOf: replays) else { return [] }
  let cells = [
    decimals(raw.rmse, 3), decimals(score.rmse, 3), decimals(best, 3), decimals(score.sigma, 3),
    decimals(score.percentile95, 3), decimals(score.largest, 2),
    score.lag.map { decimals($0, 3) } ?? "-", score.normalisedError.map { decimals($0, 2) } ?? "-",
  ]
  let row = cells.map { String(repeating: " ", count: max(0, 8 - $0.count)) + $0 }.joined()
  print(
    name.padding(toLength: 17, withPad: " ", startingAt: 0) + row + "  \(score.missing)  \(score.wronglyFar)")
  return rangingFigures(name, score, best: best)
}

private func rangingFigures(_ name: String, _ score: RangeScore, best: Double) -> [Figure] {
  // "No worse than", to the three decimals that the README states.
  var figures = [
    Figure(
      name: "\(name): RMSE, pair bias removed", value: score.rmse, unit: "m", target: .under(best + 0.0005))
  ]
  if let lag = score.lag {
    figures.append(Figure(name: "\(name): lag at 1 m/s", value: lag, unit: "s", target: .under(0.2)))
  }
  return figures
}

private func decimals(_ value: Double, _ places: Int) -> String {
  String(format: "%.\(places)f", value)
}

/// Nanoseconds per range: the least of 20 runs over one fixed walk.
private func rangingUpdateCost() -> Double {
  let count = 20_000
  let ranges = (0..<count).map { (index: Int) -> Double in
    let walk = 3 * sin(Double(index) * 0.01)
    let noise = 0.1 * sin(Double(index) * 12.9898)
    return 5 + walk + noise
  }
  var least = Duration.seconds(1000)
  var sum = 0.0
  for _ in 0..<20 {
    let start = ContinuousClock.now
    var filter = RangeFilter()
    for (index, range) in ranges.enumerated() {
      let estimate = filter.update(
        range: range, sigma: 0.1, isLikelyNonLineOfSight: nil, at: .milliseconds(index * 20))
      sum += estimate?.distance ?? 0
    }
    least = min(least, ContinuousClock.now - start)
  }
  precondition(sum.isFinite, "the sum of the results is not finite: \(sum)")
  return least / .nanoseconds(1) / Double(count)
}

/// Nanoseconds per range with the positions that a locator found on a circle: the least of 20 runs.
private func trackedUpdateCost() -> Double {
  let readings = (0..<4000).map { (index: Int) -> AssistanceReading in
    let angle = Double(index) * 0.01
    let place = SIMD3(1.5 * cos(angle), 1.5 * sin(angle), 0)
    let across = SIMD3(4, 3, 0.5) - place
    let range = (across * across).sum().squareRoot() + 0.1 * sin(Double(index) * 12.9898)
    return AssistanceReading(
      time: .milliseconds(index * 50), pose: DevicePose(positionInWorld: place), range: range)
  }
  var locator = ObjectLocator()
  for reading in readings { locator.update(reading) }
  let hypotheses = locator.hypotheses
  var least = Duration.seconds(1000)
  var sum = 0.0
  for _ in 0..<20 {
    let start = ContinuousClock.now
    var filter = AssistedRangeFilter()
    for reading in readings {
      sum += filter.update(reading, hypotheses: hypotheses)?.distance ?? 0
    }
    least = min(least, ContinuousClock.now - start)
  }
  precondition(sum.isFinite, "the sum of the results is not finite: \(sum)")
  return least / .nanoseconds(1) / Double(readings.count)
}
