import NearbySchedule

/// The times of a set's advertisements: its interval plus a random delay of up to 10 ms.
///
/// Time is divided into pieces of 10 s with independent random numbers, so that the advertisements in a
/// piece do not depend on anything before it. A device that begins to listen therefore receives exactly
/// what it would have received if it had listened all along.
///
/// Source: Bluetooth Core 5.4, volume 6, part B, 4.4.2.2.1.
struct AdvertisingClock: Sendable {
  private static let piece: Int64 = 10_000_000_000
  private static let delay: Int64 = 10_000_000

  private let key: UInt64
  /// Nanoseconds.
  let interval: Int64
  private var noise = SplitMix64(keys: 0)
  private var number: Int64 = -1
  private var time: Int64 = 0

  init(key: UInt64, interval: Int64) {
    self.key = key
    self.interval = interval
  }

  /// Returns the time of the first advertisement after `now`, in nanoseconds.
  mutating func next(after now: Int64) -> Int64 {
    let wanted = max(now, 0) / Self.piece
    if number != wanted || time > now { begin(wanted) }
    while time <= now {
      time += interval + noise.below(Self.delay)
      if time >= (number + 1) * Self.piece { begin(number + 1) }
    }
    return time
  }

  private mutating func begin(_ piece: Int64) {
    number = piece
    noise = SplitMix64(keys: key, UInt64(bitPattern: piece))
    time = piece * Self.piece + noise.below(min(interval, Self.piece))
  }
}
