import NearbyMaths
import NearbySchedule

/// How long a region's beacons must be silent before it counts as left.
package enum ExitRule: Hashable, Sendable {
  /// After this much listening without a matching beacon. Apps expect thirty seconds, which outlasts
  /// passers-by.
  case fixed(Duration)
  /// After 3 to 60 s, depending on each beacon's own interval and loss; see `GapStatistics`.
  case learned

  package static let usual = fixed(.seconds(30))
}

/// Times between a beacon's packets, and the silence that they make practically impossible.
struct GapStatistics: Hashable, Sendable {
  /// The last gaps in milliseconds.
  private var gaps: [UInt16] = []
  private var next = 0
  private(set) var lastHeard: Duration

  /// Largest number of gaps, and the number from which the statistics are valid: 20 s and 3 s at ten packets
  /// per second.
  private static let capacity = 200
  private static let enough = 30
  /// ln 1e-7: how improbable the silence must be.
  private static let certainty = -16.118_095_650_958_32
  /// Chosen margin: losses come in runs, so long silences are more likely than independent losses would make
  /// them.
  private static let margin = 1.2
  /// In seconds; the longest is twice the fixed rule's.
  private static let bounds = 3.0...60.0

  init(at time: Duration) { lastHeard = time }

  /// - Parameter time: In time of listening.
  mutating func addReport(at time: Duration) {
    let gap = (time - lastHeard).inSeconds * 1000
    lastHeard = max(time, lastHeard)
    // Reports of the same packet are not a gap.
    guard gap >= 1 else { return }
    let entry = UInt16(min(gap.rounded(), 65_535))
    if gaps.count < Self.capacity { gaps.append(entry) } else { gaps[next] = entry }
    next = (next + 1) % Self.capacity
  }

  /// Silence after which the beacon counts as gone; `nil` before enough gaps were seen.
  ///
  /// The interval i is the 5th percentile of the gaps, and p = 1 − i/mean the share of lost packets. A
  /// silence of i · ln 1e-7 / ln p has a probability of one in ten million; the margin allows for losses in
  /// runs.
  var exitDelay: Duration? {
    guard gaps.count >= Self.enough else { return nil }
    let sorted = gaps.sorted()
    let interval = Double(sorted[sorted.count / 20]) / 1000
    let mean = Double(gaps.reduce(0) { $0 + Int($1) }) / 1000 / Double(gaps.count)
    // Chosen: keeps the logarithm of the loss away from 0 and from infinity.
    let loss = min(max(1 - interval / mean, 0.01), 0.99)
    let silence = interval * Self.certainty / Maths.log(loss) * Self.margin
    return .seconds(min(max(silence, Self.bounds.lowerBound), Self.bounds.upperBound))
  }
}
