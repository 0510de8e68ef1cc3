import Synchronization

/// Lines about what strangers do, as many as a person can read: a burst, then a few a second. The next line after
/// some were left out says how many.
final class LimitedLines: Sendable {
  private struct State: Sendable {
    var tokens: Double
    var last: Duration
    var suppressed = 0
  }

  private let burst: Double
  private let perSecond: Double
  private let uptime: @Sendable () -> Duration
  private let write: @Sendable (String) -> Void
  private let state: Mutex<State>

  /// - Parameters:
  ///   - burst: Lines at once.
  ///   - perSecond: More lines each second.
  ///   - uptime: The time; for tests.
  init(
    burst: Int = 20, perSecond: Int = 5,
    uptime: @escaping @Sendable () -> Duration = LimitedLines.systemUptime,
    write: @escaping @Sendable (String) -> Void
  ) {
    self.burst = Double(burst)
    self.perSecond = Double(perSecond)
    self.uptime = uptime
    self.write = write
    state = Mutex(State(tokens: Double(burst), last: uptime()))
  }

  static func systemUptime() -> Duration { start.duration(to: .now) }
  private static let start = ContinuousClock.now

  func line(_ text: String) {
    let now = uptime()
    let suppressed = state.withLock { state -> Int? in
      state.tokens = min(burst, state.tokens + (now - state.last) / .seconds(1) * perSecond)
      state.last = now
      guard state.tokens >= 1 else {
        state.suppressed += 1
        return nil
      }
      state.tokens -= 1
      defer { state.suppressed = 0 }
      return state.suppressed
    }
    guard let suppressed else { return }
    if suppressed > 0 { write(Self.note(suppressed)) }
    write(text)
  }

  /// Says what was left out since the last line; for the end.
  func finish() {
    let suppressed = state.withLock { state in
      defer { state.suppressed = 0 }
      return state.suppressed
    }
    if suppressed > 0 { write(Self.note(suppressed)) }
  }

  private static func note(_ count: Int) -> String {
    "nearby: \(count) more \(count == 1 ? "line" : "lines") of this kind left out"
  }
}
