import Dispatch
import Foundation
import Synchronization

/// A link over an open file descriptor: a socket or a serial device.
///
/// Owns the descriptor and closes it. Nothing here blocks. Work happens in turns on the link's queue: a turn writes
/// what waits, then reads until nothing is left, the link is paused, or it has read its share; in the last case
/// another turn is queued behind the queue's other work, so that a flood on one link does not starve the others.
/// A turn follows every event of the descriptor, so that an end is seen even if it arrives with unread octets.
package final class DescriptorLink: UCILink {
  /// Most octets that may wait to be written.
  package static let standardQueueLimit = 256 * 1024
  private static let readSize = 16 * 1024
  /// Reads in one turn.
  private static let turnReads = 4

  private struct State {
    var receive: (@Sendable ([UInt8]) -> Void)?
    var closed: (@Sendable (LinkError?) -> Void)?
    var waiting: [UInt8] = []
    var phase = Phase.new
    var token: DescriptorWatch.Token?
    var isTurnQueued = false
    var isPaused = false
    /// Both directions are over, as after a reset.
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
  ///   - queue: The serial queue of the link's calls; a queue of its own when `nil`.
  ///   - queueLimit: Most octets that may wait to be written, > 0.
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
    // A link that was never started is not being watched.
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
    // The descriptor is closed on this queue: while the link is open here, it is this link's.
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
      // Closed in between, without knowing of the token.
      if !isOpen { DescriptorWatch.shared.remove(descriptor, token) }
    } catch {
      end(error)
    }
  }

  /// Under the lock.
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
      // No receiver: the link was closed, maybe by the receiver itself.
      guard let receive else { return }
      if isPaused {
        // A reset connection keeps neither its descriptor nor its place until the receiver has caught up.
        if hasHungUp { end(.closedByPeer) }
        return
      }
      switch readOnce() {
      case .octets(let octets): receive(octets)
      case .nothing: return
      case .end(let error):
        // One that only ended its own direction still wants the answers to what it sent.
        _ = flush()
        return end(error)
      }
    }
    state.withLock { scheduleTurn(&$0) }
  }

  /// The other side takes nothing any more, but what it sent before is still to be read, the reason for the end
  /// maybe.
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

  /// A serial device that was unplugged, or a pseudo-terminal whose other side closed, answers EIO.
  private static func failure(of call: String, _ number: Int32) -> LinkError {
    switch number {
    case EIO, ENXIO, ENODEV, ECONNRESET, EPIPE: .closedByPeer
    default: .system(call: call, errno: number)
    }
  }

  /// Writes what waits, as far as there is room; an event says when there is more.
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

  /// A peer that is gone is an error, never a signal that ends the process. Terminals raise none.
  private func write(_ octets: UnsafeRawPointer, _ count: Int) -> Int {
    isSocket
      ? Foundation.send(descriptor, octets, count, Int32(MSG_NOSIGNAL))
      : Foundation.write(descriptor, octets, count)
  }

  // MARK: The end

  private func end(_ error: LinkError?) {
    let ended = state.withLock { state -> State? in
      guard state.phase != .closed else { return nil }
      defer { state = State(phase: .closed) }
      return state
    }
    guard let ended else { return }
    if let token = ended.token { DescriptorWatch.shared.remove(descriptor, token) }
    // On the queue, where no read or write is under way.
    queue.async { [descriptor] in
      _ = Foundation.close(descriptor)
      ended.closed?(error)
    }
  }
}
