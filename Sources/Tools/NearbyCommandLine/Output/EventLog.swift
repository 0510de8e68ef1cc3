import Dispatch
import Synchronization

/// Lines about strangers, limited to a rate and written on a queue of their own.
///
/// A reader that is slow or stopped makes lines be left out; it never makes the caller wait.
package final class EventLog: Sendable {
  private struct State {
    var limit = LineLimit()
    /// Lines on their way to the output.
    var waiting = 0
    var leftOut = 0
  }

  /// Lines that may wait for the reader: two bursts.
  private static let queueLimit = 200
  private static let farewellTime = DispatchTimeInterval.seconds(1)

  private let output: any TextOutput
  private let queue = DispatchQueue(label: "nearby.log")
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  package init(_ output: any TextOutput) { self.output = output }

  /// Writes a line soon, or counts it as left out; from any thread, never blocks.
  package func line(_ text: String) {
    let now = ContinuousClock.now - start
    let leftOut = state.withLock { state -> Int? in
      guard state.waiting < Self.queueLimit, state.limit.admit(at: now) else {
        state.leftOut += 1
        return nil
      }
      defer { state.leftOut = 0 }
      state.waiting += 1
      return state.leftOut
    }
    guard let leftOut else { return }
    queue.async { [self] in
      if leftOut > 0 { output.line(Self.text(leftOut: leftOut)) }
      output.line(text)
      state.withLock { $0.waiting -= 1 }
    }
  }

  /// Waits until what was said is written, for a second at most, and says what was left out last.
  package func finish() {
    let done = DispatchSemaphore(value: 0)
    queue.async { [self] in
      let leftOut = state.withLock { $0.leftOut }
      if leftOut > 0 { output.line(Self.text(leftOut: leftOut)) }
      done.signal()
    }
    _ = done.wait(timeout: .now() + Self.farewellTime)
  }

  private static func text(leftOut: Int) -> String {
    "nearby: \(leftOut) more \(leftOut == 1 ? "line was" : "lines were") left out"
  }
}

/// Decides which lines may be written: a burst at first, then a fixed number a second.
struct LineLimit: Sendable {
  /// More than a person's screen shows, and less than a log minds.
  static let burst = 100.0
  /// As many as a person can still follow.
  static let perSecond = 10.0
  private var credit = Self.burst
  private var last = Duration.zero

  /// - Parameter time: Since any moment; never less than before.
  mutating func admit(at time: Duration) -> Bool {
    credit = min(Self.burst, credit + (time - last) / .seconds(1) * Self.perSecond)
    last = time
    guard credit >= 1 else { return false }
    credit -= 1
    return true
  }
}
