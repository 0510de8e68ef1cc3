import Foundation
import NearbyBeacons
import NearbyRecordings

/// Beacons: parsing, ranging, a thousand hours of monitoring, and distances from recordings.
func beaconBenchmark() throws -> [Figure] {
  var figures = [
    Figure(
      name: "advertisements parsed per second, one core", value: BeaconRate.parsed / 1e6, unit: "M/s",
      target: .atLeast(5)),
    Figure(
      name: "10 000 beacons at 1 Hz: share of one core", value: rangingShare() * 100, unit: "%",
      target: .under(5)),
  ]
  figures += hoursFigures()
  figures += try distanceFigures()
  return figures
}

/// How many payloads are parsed per second. `rivals` runs it too, so that both results come from the same
/// run.
enum BeaconRate {
  static let command = "parsed"

  static var parsed: Double {
    let payloads = BeaconPayloads.all
    let count = 200_000
    return Double(count) / leastTime { BeaconPayloads.parse(payloads, count: count) }.seconds
  }

  /// Prints the rate and the payloads for a program that measures another parser.
  static func serve() -> Bool {
    print(parsed)
    for payload in BeaconPayloads.all {
      print(payload.map { String(format: "%02x", $0) }.joined())
    }
    return true
  }
}

/// The time for ten simulated seconds of ten thousand beacons, divided by ten seconds.
private func rangingShare() -> Double {
  let beacons = 10_000
  var load = RangingLoad(beacons: beacons)
  consume(load.packets(3 * beacons))
  let time = leastTime(of: 3) { load.packets(10 * beacons) }
  return time.seconds / 10
}

private func hoursFigures() -> [Figure] {
  let hours = 1000
  // In parts, each with its own seed, so that a failure can be reproduced alone.
  let outcomes = (0..<UInt64(100)).map { SimulatedHours(seed: $0, rule: .usual).run(hours: hours / 100) }
  let entry = outcomes.map(\.longestEntry).max() ?? .zero
  let exit = outcomes.map(\.longestExit).max() ?? .zero
  let learned = (0..<UInt64(100)).map { SimulatedHours(seed: $0, rule: .learned).run(hours: 1) }
  func sum(_ outcomes: [SimulatedHours.Outcome], _ count: (SimulatedHours.Outcome) -> Int) -> Double {
    Double(outcomes.reduce(0) { $0 + count($1) })
  }
  return [
    Figure(name: "\(hours) h of monitoring: visits", value: sum(outcomes, \.visits), unit: ""),
    Figure(
      name: "\(hours) h of monitoring: false exits", value: sum(outcomes, \.falseExits), unit: "",
      target: .under(1)),
    Figure(
      name: "\(hours) h of monitoring: missed exits", value: sum(outcomes, \.missedExits), unit: "",
      target: .under(1)),
    Figure(
      name: "\(hours) h of monitoring: longest delay of an entry", value: entry.seconds, unit: "s",
      target: .under(1.5)),
    Figure(name: "\(hours) h of monitoring: longest delay of an exit", value: exit.seconds, unit: "s"),
    Figure(
      name: "100 h with the learned rule: false exits", value: sum(learned, \.falseExits), unit: ""),
  ]
}

/// An RSSI data set, a way to run it, and the result it should reach.
private struct DistanceCase {
  var name: String
  var set: String
  var isAlone: Bool
  var all = Figure.Target.none
  var near = Figure.Target.none
  var zones = Figure.Target.none
  /// Of the mean error, over all distances and below 4 m.
  var mean = Figure.Target.none
  var meanNear = Figure.Target.none
}

private let distanceCases = [
  DistanceCase(
    name: "danis, receivers together", set: "danis_ble", isAlone: false, all: .under(3.1), near: .under(1.2),
    zones: .atLeast(80)),
  DistanceCase(
    name: "danis, each receiver alone", set: "danis_ble", isAlone: true, mean: .under(3.3),
    meanNear: .under(1.2)),
  DistanceCase(
    name: "herald", set: "herald_ble", isAlone: true, all: .under(0.8), zones: .atLeast(82)),
]

private func distanceFigures() throws -> [Figure] {
  let root = URL(fileURLWithPath: ProcessInfo.processInfo.environment["NEARBY_DATA"] ?? "../shared/data")
  var figures: [Figure] = []
  for one in distanceCases {
    let folder = root.appendingPathComponent(one.set).appendingPathComponent("dev")
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    var rows: [BeaconReplayRow] = []
    for path in paths.sorted() where path.hasSuffix(".csv") {
      let recording = try RSSIRecording(file: folder.appendingPathComponent(path))
      let replay = BeaconReplay(recording, power: nil, isAlone: one.isAlone)
      // Pairs of phones that were never 1 m apart have no measured power, and the data's own figures omit
      // them.
      if one.set == "herald_ble", case .usual = replay.power { continue }
      rows += replay.rows()
    }
    guard !rows.isEmpty else {
      print("\(one.name): skipped, no data at \(folder.path); set NEARBY_DATA")
      continue
    }
    figures += distanceFigures(one, BeaconReplaySummary(rows))
  }
  return figures
}

private func distanceFigures(_ one: DistanceCase, _ summary: BeaconReplaySummary) -> [Figure] {
  var figures: [Figure] = []
  if let all = summary.all {
    figures.append(Figure(name: "\(one.name): RMSE", value: all.rmse, unit: "m", target: one.all))
    figures.append(Figure(name: "\(one.name): mean error", value: all.mean, unit: "m", target: one.mean))
    figures.append(
      Figure(name: "\(one.name): error over stated sigma", value: all.normalisedError, unit: ""))
  }
  if let near = summary.near, summary.far != nil {
    figures.append(
      Figure(name: "\(one.name): RMSE below 4 m", value: near.rmse, unit: "m", target: one.near))
    figures.append(
      Figure(name: "\(one.name): mean error below 4 m", value: near.mean, unit: "m", target: one.meanNear))
  }
  if let right = summary.zonesRight {
    figures.append(Figure(name: "\(one.name): zone right", value: right * 100, unit: "%", target: one.zones))
  }
  return figures
}
