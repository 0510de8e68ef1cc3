import NearbyMaths
import NearbySchedule

/// How long a region's beacons must be silent until one has left.
package enum ExitRule: Hashable, Sendable {
  /// After so much listening without any. Thirty seconds is what apps know; it outlasts passers-by.
  case fixed(Duration)
  /// After as much as each beacon's own interval and loss call for, 3 to 60 s: `GapStatistics`.
  case learned

  package static let usual = fixed(.seconds(30))
}

/// The times between a beacon's packets, and what silence they make impossible.
struct GapStatistics: Hashable, Sendable {
  /// The last gaps, milliseconds.
  private var gaps: [UInt16] = []
  private var next = 0
  private(set) var lastHeard: Duration

  /// Of so many gaps the statistics are, and before so many there are none: at ten packets a second the last 20 s, and 3 s.
  private static let capacity = 200
  private static let enough = 30
  /// ln 1e-7: how unlikely the silence must be.
  private static let certainty = -16.118_095_650_958_32
  /// Loss comes in runs, so that long silences are likelier than independent losses make them: a choice.
  private static let margin = 1.2
  /// Seconds; the longest is twice the fixed rule's.
  private static let bounds = 3.0...60.0

  init(at time: Duration) { lastHeard = time }

  /// - Parameter time: Of listening.
  mutating func take(at time: Duration) {
    let gap = (time - lastHeard).inSeconds * 1000
    lastHeard = max(time, lastHeard)
    // Packets of one event, told twice, are no gap.
    guard gap >= 1 else { return }
    let entry = UInt16(min(gap.rounded(), 65_535))
    if gaps.count < Self.capacity { gaps.append(entry) } else { gaps[next] = entry }
    next = (next + 1) % Self.capacity
  }

  /// Silence after which the beacon is gone; `nil` before enough was heard.
  ///
  /// The shortest twentieth of the gaps is its interval i, and p = 1 − i/mean the share that gets lost: silence
  /// of i · ln 1e-7 / ln p is as unlikely as one in ten million. Loss comes in runs, hence the margin.
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
