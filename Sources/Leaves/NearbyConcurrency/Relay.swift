import Synchronization

/// Stands between a source of events and their owner, so that the source does not keep the owner alive.
///
/// An owner that registers with a source in its initializer cannot give itself yet: it gives a relay, and attaches
/// itself when it is complete. Conform the relay to the source's protocol by an empty extension; `received` is the
/// name that those protocols share.
package final class Relay<Owner: AnyObject & Sendable, Event: Sendable>: Sendable {
  /// Runs work after the caller has returned.
  package typealias Later = @Sendable (@escaping @Sendable () -> Void) -> Void

  private struct Contents: Sendable {
    weak var owner: Owner?
    /// Whether events are delivered as they come.
    var isOpen: Bool
    /// Events that came before.
    var early: [Event] = []
  }

  private let contents: Mutex<Contents>
  private let later: Later?
  private let deliver: @Sendable (Relay, Event) -> Void

  /// - Parameters:
  ///   - later: Delivers the events that came before `attach`, in order; `nil` drops them.
  ///   - deliver: Called on the source's thread; `relay.owner` is `nil` once the owner is gone.
  package init(
    holdingEarlyEventsFor later: Later? = nil,
    deliver: @escaping @Sendable (_ relay: Relay, _ event: Event) -> Void
  ) {
    contents = Mutex(Contents(isOpen: later == nil))
    self.later = later
    self.deliver = deliver
  }

  package var owner: Owner? { contents.withLock { $0.owner } }

  /// To be called once, when the owner is complete.
  package func attach(_ owner: Owner) {
    let hasEarly = contents.withLock { contents in
      contents.owner = owner
      if contents.early.isEmpty { contents.isOpen = true }
      return !contents.isOpen
    }
    if hasEarly { later? { [self] in deliverEarly() } }
  }

  package func received(_ event: Event) {
    let isOpen = contents.withLock { contents in
      if !contents.isOpen { contents.early.append(event) }
      return contents.isOpen
    }
    if isOpen { deliver(self, event) }
  }

  /// Events that come meanwhile queue up behind the early ones.
  private func deliverEarly() {
    while true {
      let early = contents.withLock { contents in
        contents.isOpen = contents.early.isEmpty
        defer { contents.early = [] }
        return contents.early
      }
      if early.isEmpty { return }
      for event in early { deliver(self, event) }
    }
  }
}
