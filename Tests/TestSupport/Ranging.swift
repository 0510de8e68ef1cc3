import Foundation
import NearbySchedule

/// A small seeded generator for ranging tests.
package struct RangingRandom: RandomNumberGenerator, Sendable {
  private var generator: SplitMix64

  /// Mixes the seed first, because neighbouring seeds would otherwise give the same stream, shifted by one.
  package init(seed: UInt64) {
    var mixer = SplitMix64(seed: seed &* 0xD6E8_FEB8_6659_FD93)
    generator = SplitMix64(seed: mixer.next() ^ (seed << 32))
  }

  package mutating func next() -> UInt64 { generator.next() }

  /// Uniform, from 0 up to but excluding 1.
  package mutating func uniform() -> Double { generator.uniform() }

  /// Normal, with standard deviation 1.
  package mutating func normal() -> Double {
    let radius = (-2 * log(1 - uniform())).squareRoot()
    return radius * cos(2 * Double.pi * uniform())
  }
}

/// A true distance over time, and the ranges that a radio measured.
package struct RangeWalk: Sendable {
  package struct Step: Sendable {
    package var time: Duration
    package var range: Double
    package var truth: Double
    package var rate: Double
  }
  package var steps: [Step] = []

  /// A peer whose range rate is an Ornstein–Uhlenbeck process, measured with white noise.
  ///
  /// - Parameters:
  ///   - seconds: Interval between ranges, of which `jitter` is the random share.
  ///   - density: White acceleration, m²/s³. `memory` is the rate's time constant in seconds.
  package init(
    count: Int, seconds: Double, jitter: Double = 0, sigma: Double, density: Double = 1,
    memory: Double = 1, seed: UInt64
  ) {
    var random = RangingRandom(seed: seed)
    // So far away that no walk of a few hundred seconds reaches zero.
    var distance = 200.0
    var rate = (density * memory / 2).squareRoot() * random.normal()
    var time = 0.0
    for _ in 0..<count {
      let interval = seconds * (1 + jitter * (2 * random.uniform() - 1))
      let parts = 64
      let step = interval / Double(parts)
      let keep = exp(-step / memory)
      let kick = (density * memory / 2 * (1 - keep * keep)).squareRoot()
      for _ in 0..<parts {
        let before = rate
        rate = rate * keep + kick * random.normal()
        distance += step * (before + rate) / 2
      }
      time += interval
      steps.append(
        Step(
          time: .nanoseconds(Int64((time * 1e9).rounded())),
          range: distance + sigma * random.normal(), truth: distance, rate: rate))
    }
  }

  /// A given distance, measured at regular intervals with white noise.
  package init(
    count: Int, seconds: Double, sigma: Double, seed: UInt64, truth: (Double) -> Double
  ) {
    var random = RangingRandom(seed: seed)
    for index in 0..<count {
      let time = Double(index) * seconds
      let value = truth(time)
      let rate = (truth(time + 1e-4) - truth(time - 1e-4)) / 2e-4
      steps.append(
        Step(
          time: .nanoseconds(Int64((time * 1e9).rounded())),
          range: value + sigma * random.normal(), truth: value, rate: rate))
    }
  }
}

/// The folders of the package and its data.
package enum RangingFolders {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Recorded data: the folder `NEARBY_DATA`, or `../shared/data` next to the package; `nil` if there is
  /// none.
  package static let data: URL? = {
    let environment = ProcessInfo.processInfo.environment["NEARBY_DATA"]
    let candidates = [
      environment.map { URL(fileURLWithPath: $0) },
      package.appendingPathComponent("../shared/data"),
      package.appendingPathComponent("../../shared/data"),
    ]
    return candidates.compactMap { $0 }.first {
      FileManager.default.fileExists(atPath: $0.appendingPathComponent("starloc").path)
    }
  }()

  /// Committed fixtures of ranging.
  package static let fixtures = package.appendingPathComponent("Tests/Fixtures/Ranging")

  /// The sequences of a data set, ordered by name; empty if the data are absent.
  package static func sequences(of dataset: String) throws -> [URL] {
    guard let folder = data?.appendingPathComponent(dataset).appendingPathComponent("dev") else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .map { folder.appendingPathComponent($0) }
  }

  /// A new empty folder for one test.
  package static func temporary() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nearby-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
