import CNearbyVirtualTime

/// The phone to which each task of the process belongs: the one whose code enqueued it first.
///
/// The runtime numbers tasks in the order of their creation. A task of no world takes one bit here: without it, the
/// task would come to belong to an app that resumes it.
final class TaskContexts: Sendable {
  static let shared = TaskContexts()

  private struct State {
    var contexts: [UInt64: Context] = [:]
    /// Tasks with lower numbers existed before the first world.
    var first: UInt64 = .max
    /// One bit for each task of no world from `first` on, in pages of 64 by the page's number.
    var outsiders: [UInt64: UInt64] = [:]
    var worlds = 0
    /// The thread that makes a task to learn its number; 0 otherwise.
    var probing: Int32 = 0
  }

  private let state = Locked(State())

  /// Called when a world is created. For the first one it makes a task to learn the value of `first`.
  func addWorld() {
    let isFirst = state.withLock { state in
      state.worlds += 1
      guard state.worlds == 1 else { return false }
      state.probing = nvt_thread_number()
      return true
    }
    guard isFirst else { return }
    let before = nvt_exchange(nil)
    Task.detached {}
    nvt_exchange(before)
    state.withLock { $0.probing = 0 }
  }

  /// The context of a task that is enqueued by a thread with the context `here`.
  func context(of task: UInt64, here: Context?) -> Context? {
    state.withLock { state in
      if state.probing != 0, state.probing == nvt_thread_number() { state.first = task }
      guard task >= state.first, state.worlds > 0 else { return nil }
      if let known = state.contexts[task] { return known }
      let (page, bit) = (task >> 6, UInt64(1) << (task & 63))
      if let outsiders = state.outsiders[page], outsiders & bit != 0 { return nil }
      if let context = here {
        state.contexts[task] = context
      } else {
        state.outsiders[page, default: 0] |= bit
      }
      return here
    }
  }

  func removeAll(of world: Int32) {
    state.withLock { state in
      state.contexts = state.contexts.filter { $0.value.pointee.world != world }
      state.worlds -= 1
      // Without worlds no app can resume a task, and the next world learns a new `first`.
      if state.worlds == 0 { (state.first, state.outsiders) = (.max, [:]) }
    }
  }
}
