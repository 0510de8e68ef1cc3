import Foundation
import NearbyEstimation
import NearbyRecordings

/// The data sets of the search for an object, and the antenna delay of their radios in metres: the median of
/// range minus truth over the data set's `dev` recordings, which replaces a factory calibration.
private let searches: [(set: String, delay: @Sendable (String) -> Double)] = [
  ("starloc", { $0.hasSuffix("s5") ? -0.0967 : 0.2049 }), ("rcv", { _ in 0.2701 }),
  ("miluv", { _ in 0.1244 }), ("lias_planar", { _ in 0.1740 }), ("hanyang_outdoor", { _ in 0.0816 }),
]

/// The reference for one kind of track (true or drifting): what the best of the data's baselines reaches over
/// all runs, and the median of its best on each data set, in the order above. `floors`: differences in metres
/// that are within the error of each data set's truth.
private struct SearchReference {
  var choice: RecordedTrackChoice
  var gain: Double
  var horizontal: Double
  var horizontal90: Double
  var all: Double
  var azimuth: Double
  var share: Double
  var sets: [Double]
  static let floors = [0.02, 0.12, 0.02, 0.02, 0.1]
}

private let references = [
  SearchReference(
    choice: .truth, gain: 0.9, horizontal: 0.117, horizontal90: 0.203, all: 0.246, azimuth: 0.733,
    share: 0.946,
    sets: [0.092, 0.136, 0.092, 0.060, 0.136]),
  SearchReference(
    choice: .vio, gain: 0.8, horizontal: 0.140, horizontal90: 0.368, all: 0.285, azimuth: 1.093, share: 0.9,
    sets: [0.095, 0.176, 0.151, 0.087, 0.181]),
]

/// Prints, for every data set and both kinds of track, how close the locator comes, and the cost of an
/// update.
///
/// Reads the data from `NEARBY_DATA`, or by default from `../shared/data` relative to the working directory.
func assistanceBenchmark() throws -> [Figure] {
  let data = URL(fileURLWithPath: ProcessInfo.processInfo.environment["NEARBY_DATA"] ?? "../shared/data")
  guard FileManager.default.fileExists(atPath: data.path) else {
    print("assistance: skipped, no data at \(data.path); set NEARBY_DATA")
    return []
  }
  var figures: [Figure] = []
  for reference in references {
    print(
      "Object in the world, \(reference.choice.rawValue) track: medians and 90th percentiles, metres and degrees"
    )
    print(
      "data set          runs      eh     p90      e3     p90      az    conv  t_conv    said   wrong    NEES  t_said"
    )
    var all: [LocateSummary.Run] = []
    var worse = 0.0
    for (index, search) in searches.enumerated() {
      let runs = try searchRuns(search.set, search.delay, data, reference.choice)
      showSearches(search.set, runs)
      all += runs
      let median = RangeScore.quantile(runs.map { $0.finalHorizontal ?? .infinity }.sorted(), 0.5)
      if median > reference.sets[index] + SearchReference.floors[index] { worse += 1 }
    }
    showSearches("all", all)
    guard !all.isEmpty else { continue }
    figures += searchFigures(all, reference)
    figures.append(
      Figure(
        name: "locating, \(reference.choice.rawValue) track: data sets worse than their best baseline",
        value: worse,
        unit: "", target: .under(1)))
  }
  figures.append(
    Figure(name: "one range through the locator", value: locatorCost(), unit: "us", target: .under(2)))
  let size = Double(MemoryLayout<ObjectLocator>.size + ObjectLocator.bufferSize(AssistanceParameters()))
  figures.append(Figure(name: "memory of a locator", value: size / 1024, unit: "KiB", target: .under(16)))
  return figures
}

private func searchRuns(
  _ name: String, _ delay: (String) -> Double, _ data: URL, _ choice: RecordedTrackChoice
) throws -> [LocateSummary.Run] {
  let folder = data.appendingPathComponent(name).appendingPathComponent("dev")
  guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
  return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().flatMap { sequence in
    var recording = try Recording(folder: folder.appendingPathComponent(sequence))
    // Only the first antenna of the planar set counts, as in the data's own table.
    if name == "lias_planar" { recording = recording.selecting { $0.tag == recording.tags.first?.name } }
    var summary = LocateSummary()
    recording.locate(along: choice, rangeOffset: delay(sequence)) { row in
      summary.add(row)
      return true
    }
    return summary.runs
  }
}

private func showSearches(_ name: String, _ runs: [LocateSummary.Run]) {
  guard !runs.isEmpty else { return print("\(name): no data") }
  func cells(_ values: [Double]) -> [Double] {
    let sorted = values.sorted()
    return sorted.isEmpty
      ? [.nan, .nan] : [RangeScore.quantile(sorted, 0.5), RangeScore.quantile(sorted, 0.9)]
  }
  var row = cells(runs.compactMap(\.finalHorizontal)) + cells(runs.compactMap(\.final3D))
  row.append(cells(runs.compactMap(\.azimuthMedian))[0] * 180 / Double.pi)
  let settled = runs.compactMap(\.settledAfter)
  row += [Double(settled.count) / Double(runs.count), cells(settled)[0], saidShare(runs), wrongShare(runs)]
  let normalised = runs.compactMap(\.finalNormalised)
  row += [
    normalised.reduce(0, +) / Double(max(1, normalised.count)), cells(runs.compactMap(\.convergedAfter))[0],
  ]
  let text = row.map { value in
    let cell = String(format: "%.3f", value)
    return String(repeating: " ", count: max(0, 8 - cell.count)) + cell
  }
  print(name.padded(to: 17) + String(format: "%5d", runs.count) + text.joined())
}

/// Of the runs whose final error is under 0.3 m, the share that reported convergence.
private func saidShare(_ runs: [LocateSummary.Run]) -> Double {
  let good = runs.filter { ($0.finalHorizontal ?? 1) < 0.3 }
  return good.isEmpty ? 0 : Double(good.count { $0.convergedAfter != nil }) / Double(good.count)
}

/// Of the runs that reported convergence, the share whose error was over 0.5 m at that moment.
private func wrongShare(_ runs: [LocateSummary.Run]) -> Double {
  let said = runs.compactMap(\.errorAtConvergence)
  return said.isEmpty ? 0 : Double(said.count { $0 > 0.5 }) / Double(said.count)
}

private func searchFigures(_ runs: [LocateSummary.Run], _ reference: SearchReference) -> [Figure] {
  let name = "locating, \(reference.choice.rawValue) track"
  let errors = runs.map { $0.finalHorizontal ?? .infinity }.sorted()
  let all = runs.map { $0.final3D ?? .infinity }.sorted()
  let azimuths = runs.map { ($0.azimuthMedian ?? .infinity) * 180 / Double.pi }.sorted()
  let share = Double(runs.count { $0.settledAfter != nil }) / Double(runs.count)
  func figure(_ what: String, _ value: Double, _ unit: String, _ best: Double) -> Figure {
    Figure(name: "\(name): \(what)", value: value, unit: unit, target: .under(best * reference.gain))
  }
  return [
    figure("horizontal error, median", RangeScore.quantile(errors, 0.5), "m", reference.horizontal),
    figure("horizontal error, 90 %", RangeScore.quantile(errors, 0.9), "m", reference.horizontal90),
    figure("3D error, median", RangeScore.quantile(all, 0.5), "m", reference.all),
    figure("azimuth error, median", RangeScore.quantile(azimuths, 0.5), "deg", reference.azimuth),
    Figure(
      name: "\(name): share that stays under 0.3 m", value: share, unit: "", target: .atLeast(reference.share)
    ),
    Figure(
      name: "\(name): wrong when converged", value: wrongShare(runs), unit: "", target: .under(0.02)),
    Figure(name: "\(name): converged when right", value: saidShare(runs), unit: "", target: .atLeast(0.95)),
  ]
}

/// The reading number `index` of a walk in circles.
private func circling(_ index: Int) -> AssistanceReading {
  let time = 0.1 * Double(index)
  let place = SIMD3(2 * cos(time / 2), 2 * sin(time / 2), 0.5 * sin(0.31 * time))
  let across = SIMD3(4, 3, 0.5) - place
  // A fixed wave replaces the noise.
  let range = (across * across).sum().squareRoot() + 0.05 * sin(37.7 * time)
  return AssistanceReading(
    time: .milliseconds(index * 100), pose: DevicePose(positionInWorld: place), range: range)
}

extension ObjectLocator {
  fileprivate mutating func updatedDistance(_ reading: AssistanceReading) -> Double {
    update(reading)
    return estimate(at: reading.time, pose: reading.pose)?.distance ?? 0
  }
}

/// A locator that has found its object. The returned closure feeds it the given number of further ranges.
func settledLocator() -> (Int) -> UInt64 {
  var locator = ObjectLocator()
  for index in 0..<1000 { _ = locator.updatedDistance(circling(index)) }
  return { count in
    (1000..<(1000 + count)).reduce(0.0) { $0 + locator.updatedDistance(circling($1)) }.bitPattern
  }
}

/// Microseconds per range and estimate: the least of 20 runs over a walk in circles of 2000 ranges.
private func locatorCost() -> Double {
  let readings = (0..<2000).map(circling)
  let least = leastTime {
    var locator = ObjectLocator()
    return readings.reduce(0.0) { $0 + locator.updatedDistance($1) }.bitPattern
  }
  return least.microseconds / Double(readings.count)
}
