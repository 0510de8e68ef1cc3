import Dispatch
import Synchronization

/// Two ends of a link inside one process.
package final class PairLink: UCILink {
  private struct State {
    var receive: (@Sendable ([UInt8]) -> Void)?
    var closed: (@Sendable (LinkError?) -> Void)?
    /// Arrived before `start`.
    var early: [[UInt8]] = []
    var isStarted = false
    var end: End?
    /// Strong until the pair closes: either end keeps the other alive.
    var other: PairLink?
  }
  private struct End { var error: LinkError? }

  private let state = Mutex(State())
  private let queue: DispatchQueue

  private init(queue: DispatchQueue) { self.queue = queue }

  /// - Parameter queue: The serial queue of both ends' calls; a queue of their own when `nil`.
  package static func pair(on queue: DispatchQueue? = nil) -> (PairLink, PairLink) {
    let queue = queue ?? DispatchQueue(label: "nearby.link.pair")
    let left = PairLink(queue: queue)
    let right = PairLink(queue: queue)
    left.state.withLock { $0.other = right }
    right.state.withLock { $0.other = left }
    return (left, right)
  }

  package func start(
    onReceive: @escaping @Sendable ([UInt8]) -> Void, onClose: @escaping @Sendable (LinkError?) -> Void
  ) {
    queue.async { [self] in
      let (early, end) = state.withLock { state in
        precondition(!state.isStarted, "a link is started once")
        state.isStarted = true
        state.receive = onReceive
        state.closed = onClose
        defer { state.early = [] }
        return (state.early, state.end)
      }
      for octets in early { onReceive(octets) }
      if let end { finish(end) }
    }
  }

  package func send(_ octets: [UInt8]) throws(LinkError) {
    guard let other = state.withLock({ $0.end == nil ? $0.other : nil }) else { throw .closedByPeer }
    queue.async { other.deliver(octets) }
  }

  package func close() {
    queue.async { [self] in
      let other = state.withLock { $0.other }
      end(End(error: nil))
      other?.end(End(error: .closedByPeer))
    }
  }

  private func deliver(_ octets: [UInt8]) {
    let receive = state.withLock { state -> (@Sendable ([UInt8]) -> Void)? in
      guard state.end == nil else { return nil }
      if !state.isStarted { state.early.append(octets) }
      return state.receive
    }
    receive?(octets)
  }

  private func end(_ end: End) {
    let isNew = state.withLock { state in
      guard state.end == nil else { return false }
      state.end = end
      state.other = nil
      return state.isStarted
    }
    if isNew { finish(end) }
  }

  private func finish(_ end: End) {
    let closed = state.withLock { state in
      defer { state.closed = nil; state.receive = nil }
      return state.closed
    }
    closed?(end.error)
  }
}
