import Dispatch
import Synchronization

/// A log of events caused by others, limited in rate and written on its own queue.
///
/// A slow or stopped reader causes lines to be dropped; it never blocks the caller.
package final class EventLog: Sendable {
  private struct State {
    var limit = LineLimit()
    /// Number of lines queued for the output.
    var waiting = 0
    var leftOut = 0
  }

  /// Maximum number of queued lines: two bursts.
  private static let queueLimit = 200
  private static let farewellTime = DispatchTimeInterval.seconds(1)

  private let output: any TextOutput
  private let queue = DispatchQueue(label: "nearby.log")
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  package init(_ output: any TextOutput) { self.output = output }

  /// Queues a line, or counts it as dropped. Callable from any thread; never blocks.
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

  /// Waits up to a second until all queued lines are written, and reports how many were dropped last.
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

/// Limits the rate of lines: an initial burst, then a fixed number per second.
struct LineLimit: Sendable {
  /// More than a screen shows, but not a burden for a log file.
  static let burst = 100.0
  /// As fast as a person can still read.
  static let perSecond = 10.0
  private var credit = Self.burst
  private var last = Duration.zero

  /// - Parameter time: Time since any fixed moment; must not decrease.
  mutating func admit(at time: Duration) -> Bool {
    credit = min(Self.burst, credit + (time - last) / .seconds(1) * Self.perSecond)
    last = time
    guard credit >= 1 else { return false }
    credit -= 1
    return true
  }
}
