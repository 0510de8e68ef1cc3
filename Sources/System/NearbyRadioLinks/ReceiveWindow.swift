import Synchronization

/// Bounds what a link has delivered and its receiver has not consumed yet.
///
/// Reading stops once the limit is passed and resumes when half of it is consumed; what the other side sends
/// meanwhile waits in the system's buffers, and then at the other side. The limit is passed by what one turn of the
/// link delivers at most.
package final class ReceiveWindow: Sendable {
  private struct State {
    var waiting = 0
    var isPaused = false
  }

  private let state = Mutex(State())
  private let link: any UCILink
  private let limit: Int

  /// - Parameter limit: Above this reading stops; in the unit of `add`, > 0.
  package init(_ link: any UCILink, limit: Int) {
    self.link = link
    self.limit = limit
  }

  /// Something was delivered; from any thread, also from the link's own call.
  package func add(_ size: Int) {
    state.withLock { state in
      state.waiting += size
      guard state.waiting > limit, !state.isPaused else { return }
      state.isPaused = true
      // Under the lock, so that a resume from another thread does not overtake it.
      link.pauseReading()
    }
  }

  /// Something that was added is consumed; from any thread.
  package func remove(_ size: Int) {
    state.withLock { state in
      state.waiting -= size
      guard state.isPaused, state.waiting <= limit / 2 else { return }
      state.isPaused = false
      link.resumeReading()
    }
  }

  /// What waits now.
  package var waiting: Int { state.withLock { $0.waiting } }
}
