import Dispatch
import Foundation
import Synchronization

/// A link over an open file descriptor: a socket or a serial device.
///
/// Owns the descriptor and closes it. Nothing blocks: all work is done in turns on the link's queue. A turn
/// writes what is queued, then reads until nothing is left, the link is paused, or it has read its share. In
/// the last case it queues another turn behind the queue's other work, so that a flood on one link does not
/// starve the others. Every event of the descriptor causes a turn, so that the end of the link is noticed
/// even if it coincides with unread octets.
package final class DescriptorLink: UCILink {
  /// Default limit of octets queued for writing.
  package static let standardQueueLimit = 256 * 1024
  private static let readSize = 16 * 1024
  /// Maximum number of reads per turn.
  private static let turnReads = 4

  private struct State {
    var receive: (@Sendable ([UInt8]) -> Void)?
    var closed: (@Sendable (LinkError?) -> Void)?
    var waiting: [UInt8] = []
    var phase = Phase.new
    var token: DescriptorWatch.Token?
    var isTurnQueued = false
    var isPaused = false
    /// Both directions are closed, as after a reset.
    var hasHungUp = false
  }
  private enum Phase { case new, open, closed }
  private enum Input { case octets([UInt8]), nothing, end(LinkError) }

  private let state = Mutex(State())
  private let descriptor: Int32
  private let isSocket: Bool
  private let queue: DispatchQueue
  private let queueLimit: Int

  /// - Parameters:
  ///   - descriptor: Open for reading and writing; made non-blocking here.
  ///   - queue: The serial queue for the link's calls; `nil` creates one.
  ///   - queueLimit: Maximum number of octets queued for writing, greater than 0.
  package init(
    descriptor: Int32, queue: DispatchQueue? = nil, queueLimit: Int = DescriptorLink.standardQueueLimit
  ) {
    self.descriptor = descriptor
    self.queue = queue ?? DispatchQueue(label: "nearby.link")
    self.queueLimit = queueLimit
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    var info = stat()
    isSocket = fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFSOCK
  }

  deinit {
    // A link that was never started is not watched, so close it here.
    if state.withLock({ $0.phase == .new }) { _ = Foundation.close(descriptor) }
  }

  package func start(
    onReceive: @escaping @Sendable ([UInt8]) -> Void, onClose: @escaping @Sendable (LinkError?) -> Void
  ) {
    let isOpen = state.withLock { state in
      guard state.phase == .new else { return false }
      state.receive = onReceive
      state.closed = onClose
      state.phase = .open
      return true
    }
    guard isOpen else { return queue.async { onClose(nil) } }
    queue.async { [self] in watch() }
  }

  package func send(_ octets: [UInt8]) throws(LinkError) {
    let refusal = state.withLock { state -> LinkError? in
      guard state.phase != .closed else { return .closedByPeer }
      guard octets.count <= queueLimit - state.waiting.count else { return .congested(limit: queueLimit) }
      state.waiting.append(contentsOf: octets)
      scheduleTurn(&state)
      return nil
    }
    if let refusal { throw refusal }
  }

  package func pauseReading() { state.withLock { $0.isPaused = true } }

  package func resumeReading() {
    state.withLock { state in
      guard state.isPaused else { return }
      state.isPaused = false
      scheduleTurn(&state)
    }
  }

  package func close() { end(nil) }

  // MARK: Turns

  private func watch() {
    // Checked on this queue, which also closes the descriptor: while open here, it is still this link's.
    guard state.withLock({ $0.phase == .open }) else { return }
    do throws(LinkError) {
      let token = try DescriptorWatch.shared.add(descriptor) { [self] hasHungUp in
        state.withLock { state in
          if hasHungUp { state.hasHungUp = true }
          scheduleTurn(&state)
        }
      }
      let isOpen = state.withLock { state in
        if state.phase == .open { state.token = token }
        return state.phase == .open
      }
      // The link was closed in between, before the token was stored.
      if !isOpen { DescriptorWatch.shared.remove(descriptor, token) }
    } catch {
      end(error)
    }
  }

  /// Call with the lock held.
  private func scheduleTurn(_ state: inout State) {
    guard state.phase == .open, !state.isTurnQueued else { return }
    state.isTurnQueued = true
    queue.async { [self] in turn() }
  }

  private func turn() {
    state.withLock { $0.isTurnQueued = false }
    if let failure = flush() { return drain(beforeEnd: failure) }
    for _ in 0..<Self.turnReads {
      let (receive, isPaused, hasHungUp) = state.withLock { ($0.receive, $0.isPaused, $0.hasHungUp) }
      // Without a receiver the link was closed, perhaps by the receiver itself.
      guard let receive else { return }
      if isPaused {
        // Close a reset connection now, rather than keeping its descriptor and place until the receiver
        // resumes.
        if hasHungUp { end(.closedByPeer) }
        return
      }
      switch readOnce() {
      case .octets(let octets): receive(octets)
      case .nothing: return
      case .end(let error):
        // A peer that has shut down only its sending side still expects replies.
        _ = flush()
        return end(error)
      }
    }
    state.withLock { scheduleTurn(&$0) }
  }

  /// Ends the link after a failed write. The other side no longer receives, but what it sent before should
  /// still be read, because it may contain the reason.
  private func drain(beforeEnd failure: LinkError) {
    for _ in 0..<Self.turnReads {
      guard let receive = state.withLock({ $0.isPaused ? nil : $0.receive }),
        case .octets(let octets) = readOnce()
      else { break }
      receive(octets)
    }
    end(failure)
  }

  private func readOnce() -> Input {
    withUnsafeTemporaryAllocation(byteCount: Self.readSize, alignment: 1) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 { return .octets(Array(buffer.prefix(count))) }
        if count == 0 { return .end(.closedByPeer) }
        switch errno {
        case EINTR: continue
        case EAGAIN: return .nothing
        case let number: return .end(Self.failure(of: "read", number))
        }
      }
    }
  }

  /// Maps an error number. An unplugged serial device, or a pseudo-terminal whose other side closed, reports
  /// EIO.
  private static func failure(of call: String, _ number: Int32) -> LinkError {
    switch number {
    case EIO, ENXIO, ENODEV, ECONNRESET, EPIPE: .closedByPeer
    default: .system(call: call, errno: number)
    }
  }

  /// Writes as much of the queue as there is room for; a later event reports further room.
  private func flush() -> LinkError? {
    state.withLock { state in
      guard state.phase == .open else { return nil }
      var sent = 0
      defer { state.waiting.removeFirst(sent) }
      while sent < state.waiting.count {
        let count = state.waiting.withUnsafeBytes { octets in
          octets.baseAddress.map { write($0 + sent, octets.count - sent) } ?? 0
        }
        if count >= 0 {
          sent += count
        } else if errno == EAGAIN {
          return nil
        } else if errno != EINTR {
          return Self.failure(of: "write", errno)
        }
      }
      return nil
    }
  }

  /// Reports a vanished peer as an error instead of raising SIGPIPE. Terminals do not raise it.
  private func write(_ octets: UnsafeRawPointer, _ count: Int) -> Int {
    isSocket
      ? Foundation.send(descriptor, octets, count, Int32(MSG_NOSIGNAL))
      : Foundation.write(descriptor, octets, count)
  }

  // MARK: Closing

  private func end(_ error: LinkError?) {
    let ended = state.withLock { state -> State? in
      guard state.phase != .closed else { return nil }
      defer { state = State(phase: .closed) }
      return state
    }
    guard let ended else { return }
    if let token = ended.token { DescriptorWatch.shared.remove(descriptor, token) }
    // Close on the queue, where no read or write is in progress.
    queue.async { [descriptor] in
      _ = Foundation.close(descriptor)
      ended.closed?(error)
    }
  }
}
