import Estimation
import Foundation
import Recordings

/// The data sets of the search for an object, and the antenna delay of their radios, metres: the median of range
/// minus truth over the data set's `dev` recordings, which plays the factory calibration.
private let searches: [(set: String, delay: @Sendable (String) -> Double)] = [
  ("starloc", { $0.hasSuffix("s5") ? -0.0967 : 0.2049 }), ("rcv", { _ in 0.2701 }),
  ("miluv", { _ in 0.1244 }), ("lias_planar", { _ in 0.1740 }), ("hanyang_outdoor", { _ in 0.0816 }),
]

/// The best baseline over all runs of the data's own table: true and drifting tracks.
private let references:
  [(choice: RecordedTrackChoice, horizontal: Double, percentile90: Double, share: Double)] = [
    (.truth, 0.117 * 0.9, 0.203 * 0.9, 0.946), (.vio, 0.140 * 0.8, 0.368 * 0.8, 0.9),
  ]

/// Prints, for every data set and both kinds of track, how near the locator comes, and what an update costs.
///
/// The data are looked for in `NEARBY_DATA`, or in `../shared/data` from the working directory.
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
    print("data set          runs      eh     p90      e3     p90      az    conv   t_conv    said   wrong")
    var all: [LocateSummary.Run] = []
    for search in searches {
      let runs = try searchRuns(search.set, search.delay, data, reference.choice)
      showSearches(search.set, runs)
      all += runs
    }
    showSearches("all", all)
    guard !all.isEmpty else { continue }
    figures += searchFigures(all, reference)
  }
  figures.append(
    Figure(name: "one range through the locator", value: locatorCost(), unit: "us", target: .under(10)))
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
    // The planar set is scored with its first antenna only, as in the data's own table.
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
  let text = row.map { value in
    let cell = String(format: "%.3f", value)
    return String(repeating: " ", count: max(0, 8 - cell.count)) + cell
  }
  print(name.padded(to: 17) + String(format: "%5d", runs.count) + text.joined())
}

/// Of the runs that end under 0.3 m, the share that said to have converged.
private func saidShare(_ runs: [LocateSummary.Run]) -> Double {
  let good = runs.filter { ($0.finalHorizontal ?? 1) < 0.3 }
  return good.isEmpty ? 0 : Double(good.count { $0.convergedAfter != nil }) / Double(good.count)
}

/// Of the runs that said so, the share that was wrong by over half a metre then.
private func wrongShare(_ runs: [LocateSummary.Run]) -> Double {
  let said = runs.compactMap(\.errorAtConvergence)
  return said.isEmpty ? 0 : Double(said.count { $0 > 0.5 }) / Double(said.count)
}

private func searchFigures(
  _ runs: [LocateSummary.Run],
  _ reference: (choice: RecordedTrackChoice, horizontal: Double, percentile90: Double, share: Double)
) -> [Figure] {
  let name = "locating, \(reference.choice.rawValue) track"
  let errors = runs.map { $0.finalHorizontal ?? .infinity }.sorted()
  let share = Double(runs.count { $0.settledAfter != nil }) / Double(runs.count)
  return [
    Figure(
      name: "\(name): horizontal error, median", value: RangeScore.quantile(errors, 0.5), unit: "m",
      target: .under(reference.horizontal)),
    Figure(
      name: "\(name): horizontal error, 90 %", value: RangeScore.quantile(errors, 0.9), unit: "m",
      target: .under(reference.percentile90)),
    Figure(
      name: "\(name): share that stays under 0.3 m", value: share, unit: "", target: .atLeast(reference.share)
    ),
    Figure(
      name: "\(name): wrong when it said converged", value: wrongShare(runs), unit: "", target: .under(0.02)),
    Figure(name: "\(name): said when right", value: saidShare(runs), unit: "", target: .atLeast(0.95)),
  ]
}

/// Microseconds a range and its estimate, the least of 20 runs over one circling walk of 2000 ranges.
private func locatorCost() -> Double {
  let readings = (0..<2000).map { index in
    let time = 0.1 * Double(index)
    let place = SIMD3(2 * cos(time / 2), 2 * sin(time / 2), 0.5 * sin(0.31 * time))
    let across = SIMD3(4, 3, 0.5) - place
    // A fixed wave plays the noise.
    let range = (across * across).sum().squareRoot() + 0.05 * sin(37.7 * time)
    return AssistanceReading(
      time: .milliseconds(index * 100), pose: DevicePose(positionInWorld: place), range: range)
  }
  let least = leastTime {
    var locator = ObjectLocator()
    var sum = 0.0
    for reading in readings {
      locator.update(reading)
      sum += locator.estimate(at: reading.time, pose: reading.pose)?.distance ?? 0
    }
    return sum.bitPattern
  }
  return least.microseconds / Double(readings.count)
}
