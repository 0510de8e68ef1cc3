import NearbyOctets
import NearbySchedule

/// How fast a world's time passes: seconds of it per second of real time.
///
/// 0 while the world is paused, otherwise from `slowest` to `fastest`, so that any time divided by a rate is
/// a valid time.
package struct WorldRate: Equatable, Sendable {
  package static let slowest = 0.001
  package static let fastest = 100.0
  package static let paused = WorldRate(checked: 0)
  package static let real = WorldRate(checked: 1)
  static let expectation = "0, or \(slowest) to \(fastest)"

  package let secondsPerSecond: Double

  /// Returns `nil` unless the rate is 0 or lies between `slowest` and `fastest`.
  package init?(_ secondsPerSecond: Double) {
    guard secondsPerSecond == 0 || (Self.slowest...Self.fastest).contains(secondsPerSecond) else {
      return nil
    }
    self.init(checked: secondsPerSecond)
  }

  private init(checked secondsPerSecond: Double) { self.secondsPerSecond = secondsPerSecond }

  package var isPaused: Bool { secondsPerSecond == 0 }

  /// World time that passes during `realTime`, of which at most `WorldTime.latest` counts.
  package func worldTime(in realTime: Duration) -> Duration {
    WorldTime.bounded(realTime) * secondsPerSecond
  }

  /// Real time during which `worldTime` passes; `nil` while the world is paused.
  package func realTime(for worldTime: Duration) -> Duration? {
    isPaused ? nil : WorldTime.bounded(worldTime) / secondsPerSecond
  }
}

/// The range of every time in a world, whatever its source: 0 to 10⁹ s, which is 31 years.
package enum WorldTime {
  package static let latest = Duration.seconds(1_000_000_000)
  /// `latest` in nanoseconds.
  static let latestNanoseconds: UInt64 = 1_000_000_000_000_000_000

  package static func bounded(_ time: Duration) -> Duration { min(max(.zero, time), latest) }

  /// The time in nanoseconds, clamped to the range.
  static func nanoseconds(_ time: Duration) -> UInt64 {
    UInt64(clamping: bounded(time).inNanoseconds)
  }
}

extension WorldRate {
  init(_ reader: inout WorldReader) throws(WorldProtocolError) {
    let value = try reader.takeDouble("rate")
    guard let rate = WorldRate(value) else {
      throw reader.error("rate", back: 8, "\(value); \(Self.expectation) expected")
    }
    self = rate
  }
}
