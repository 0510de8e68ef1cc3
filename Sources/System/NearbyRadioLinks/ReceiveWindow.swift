import Synchronization

/// Limits what a link has delivered but its receiver has not consumed yet.
///
/// Reading pauses once the limit is exceeded and resumes when half of it has been consumed. Meanwhile, data
/// from the other side waits in the system's buffers, and then at the sender. The limit can be exceeded by at
/// most what one turn of the link delivers.
package final class ReceiveWindow: Sendable {
  private struct State {
    var waiting = 0
    var isPaused = false
  }

  private let state = Mutex(State())
  private let link: any UCILink
  private let limit: Int

  /// - Parameter limit: Reading pauses above this size, in the unit of `add`; greater than 0.
  package init(_ link: any UCILink, limit: Int) {
    self.link = link
    self.limit = limit
  }

  /// Records that something was delivered; from any thread, including the link's own call.
  package func add(_ size: Int) {
    state.withLock { state in
      state.waiting += size
      guard state.waiting > limit, !state.isPaused else { return }
      state.isPaused = true
      // Under the lock, so that a resume from another thread cannot overtake it.
      link.pauseReading()
    }
  }

  /// Records that something delivered was consumed; from any thread.
  package func remove(_ size: Int) {
    state.withLock { state in
      state.waiting -= size
      guard state.isPaused, state.waiting <= limit / 2 else { return }
      state.isPaused = false
      link.resumeReading()
    }
  }

  /// The size delivered but not consumed.
  package var waiting: Int { state.withLock { $0.waiting } }
}
