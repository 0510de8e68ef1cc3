/// Allows a number of things at once, and one more each interval.
struct TokenBucket: Sendable {
  private let burst: Int
  private let interval: Duration
  private var tokens: Int
  /// Up to when the intervals that have passed are counted.
  private var countedUntil = Duration.zero

  /// - Parameters:
  ///   - burst: How many at once, > 0.
  ///   - interval: Time until one more is allowed, > 0.
  init(burst: Int, interval: Duration) {
    self.burst = burst
    self.interval = interval
    tokens = burst
  }

  /// - Returns: Whether one more is allowed now.
  mutating func take(at uptime: Duration) -> Bool {
    while tokens < burst, countedUntil + interval <= uptime {
      tokens += 1
      countedUntil += interval
    }
    if tokens == burst { countedUntil = uptime }
    guard tokens > 0 else { return false }
    tokens -= 1
    return true
  }

  /// Gives one back, without waiting for its interval.
  mutating func giveBack() { tokens = min(tokens + 1, burst) }
}
