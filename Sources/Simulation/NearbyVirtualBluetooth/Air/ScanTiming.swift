/// When and where a scanner listens: for a window in each interval, on one of the three advertising
/// channels in turn.
struct ScanTiming: Sendable {
  /// Nanoseconds.
  var interval: Int64
  var window: Int64

  /// Three quarters of the time, as phones do while the app is in the foreground.
  static let foreground = ScanTiming(interval: 40_000_000, window: 30_000_000)
  /// A tenth of the time, for an app in the background.
  static let background = ScanTiming(interval: 300_000_000, window: 30_000_000)

  func hears(channel: UInt8, at time: Int64, phase: Int64) -> Bool {
    let since = time &+ phase
    return since % interval < window && UInt8(since / interval % 3) + 37 == channel
  }
}
