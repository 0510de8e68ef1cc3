/// A rate limit: allows a burst, then one more per interval.
struct TokenBucket: Sendable {
  private let burst: Int
  private let interval: Duration
  private var tokens: Int
  /// Time up to which intervals have been counted.
  private var countedUntil = Duration.zero

  /// - Parameters:
  ///   - burst: How many are allowed at once, greater than 0.
  ///   - interval: Time until one more is allowed, greater than 0.
  init(burst: Int, interval: Duration) {
    self.burst = burst
    self.interval = interval
    tokens = burst
  }

  /// - Returns: Whether one more is allowed now.
  mutating func consume(at uptime: Duration) -> Bool {
    while tokens < burst, countedUntil + interval <= uptime {
      tokens += 1
      countedUntil += interval
    }
    if tokens == burst { countedUntil = uptime }
    guard tokens > 0 else { return false }
    tokens -= 1
    return true
  }

  /// Returns a token before its interval has passed.
  mutating func giveBack() { tokens = min(tokens + 1, burst) }
}
