import NearbySchedule

/// When a set's advertisements go out: its interval and a random delay of up to 10 ms between any two.
///
/// Time is cut into pieces of 10 s, each drawn anew, so that what goes out in a piece hangs on nothing before it:
/// who begins to listen hears what he would have heard anyway. Source: Bluetooth Core 5.4, volume 6, part B,
/// 4.4.2.2.1.
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

  /// The first advertisement after a time.
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
