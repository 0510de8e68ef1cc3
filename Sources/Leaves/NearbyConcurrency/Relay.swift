import Synchronization

/// Forwards events from a source to an owner without keeping the owner alive.
///
/// An owner that registers with a source in its initializer cannot pass `self` yet: it passes a relay, and
/// attaches itself once it is fully initialized. Conform the relay to the source's protocol with an empty
/// extension; all those protocols name their requirement `received`.
package final class Relay<Owner: AnyObject & Sendable, Event: Sendable>: Sendable {
  /// Runs work after the caller has returned.
  package typealias Later = @Sendable (@escaping @Sendable () -> Void) -> Void

  private struct Contents: Sendable {
    weak var owner: Owner?
    /// Whether events are delivered as they arrive.
    var isOpen: Bool
    /// Events that arrived before `attach(_:)`.
    var early: [Event] = []
  }

  private let contents: Mutex<Contents>
  private let later: Later?
  private let deliver: @Sendable (Relay, Event) -> Void

  /// - Parameters:
  ///   - later: Used to deliver events that arrived before `attach(_:)`, in order; `nil` drops them.
  ///   - deliver: Called on the source's thread; `relay.owner` is `nil` once the owner was released.
  package init(
    holdingEarlyEventsFor later: Later? = nil,
    deliver: @escaping @Sendable (_ relay: Relay, _ event: Event) -> Void
  ) {
    contents = Mutex(Contents(isOpen: later == nil))
    self.later = later
    self.deliver = deliver
  }

  package var owner: Owner? { contents.withLock { $0.owner } }

  /// Call once, when the owner is fully initialized.
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

  /// Delivers the early events; events that arrive meanwhile are queued behind them.
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
