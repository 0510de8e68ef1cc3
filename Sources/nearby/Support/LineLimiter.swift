import Synchronization

/// Passes on so many lines a second and counts the others: what strangers cause must not fill a log.
final class LineLimiter: Sendable {
  private struct State: Sendable {
    var second = ContinuousClock.now
    var count = 0
    var left = 0
  }

  /// Lines in any one second.
  static let linesPerSecond = 50
  private let state = Mutex(State())
  private let write: @Sendable (String) -> Void

  init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  func line(_ text: String, at now: ContinuousClock.Instant = .now) {
    let (isWritten, leftOut) = state.withLock { state -> (Bool, Int) in
      if now - state.second >= .seconds(1) {
        defer { state = State(second: now, count: 1, left: 0) }
        return (true, state.left)
      }
      guard state.count < Self.linesPerSecond else {
        state.left += 1
        return (false, 0)
      }
      state.count += 1
      return (true, 0)
    }
    if leftOut > 0 { write("nearby: \(leftOut) more such lines were left out") }
    if isWritten { write(text) }
  }
}
