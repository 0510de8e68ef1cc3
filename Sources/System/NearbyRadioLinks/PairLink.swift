import Dispatch
import Synchronization

/// A pair of connected links within one process.
package final class PairLink: UCILink {
  private struct State {
    var receive: (@Sendable ([UInt8]) -> Void)?
    var closed: (@Sendable (LinkError?) -> Void)?
    /// Octets sent by the other end but not delivered yet.
    var arrived: [[UInt8]] = []
    var arrivedCount = 0
    var isPaused = false
    var isStarted = false
    var end: End?
    /// Strong until the pair closes, so that each end keeps the other alive.
    var other: PairLink?
  }
  private struct End { var error: LinkError? }

  private let state = Mutex(State())
  private let queue: DispatchQueue

  private init(queue: DispatchQueue) { self.queue = queue }

  /// - Parameter queue: The serial queue for both ends' calls; `nil` creates one.
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
      let end = state.withLock { state in
        precondition(!state.isStarted, "a link may be started only once")
        state.isStarted = true
        state.receive = onReceive
        state.closed = onClose
        return state.end
      }
      deliver()
      if let end { finish(end) }
    }
  }

  package func send(_ octets: [UInt8]) throws(LinkError) {
    guard let other = state.withLock({ $0.end == nil ? $0.other : nil }) else { throw .closedByPeer }
    let limit = DescriptorLink.standardQueueLimit
    let hasRoom = other.state.withLock { state in
      guard octets.count <= limit - state.arrivedCount else { return false }
      state.arrived.append(octets)
      state.arrivedCount += octets.count
      return true
    }
    guard hasRoom else { throw .congested(limit: limit) }
    queue.async { other.deliver() }
  }

  package func pauseReading() { state.withLock { $0.isPaused = true } }

  package func resumeReading() {
    state.withLock { $0.isPaused = false }
    queue.async { [self] in deliver() }
  }

  package func close() {
    queue.async { [self] in
      let other = state.withLock { $0.other }
      end(End(error: nil))
      other?.end(End(error: .closedByPeer))
    }
  }

  /// Delivers what has arrived; runs on the queue.
  private func deliver() {
    while true {
      let next = state.withLock { state -> (receive: @Sendable ([UInt8]) -> Void, octets: [UInt8])? in
        guard !state.isPaused, let receive = state.receive, !state.arrived.isEmpty else { return nil }
        let octets = state.arrived.removeFirst()
        state.arrivedCount -= octets.count
        return (receive, octets)
      }
      guard let next else { return }
      next.receive(next.octets)
    }
  }

  private func end(_ end: End) {
    // Deliver what arrived before the end first.
    deliver()
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
