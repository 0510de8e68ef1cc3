import Dispatch
import Foundation
import Synchronization

/// A link over an open file descriptor: a socket or a serial device.
///
/// Owns the descriptor and closes it. Nothing here blocks.
package final class DescriptorLink: UCILink {
  /// Most octets that may wait to be written.
  package static let standardQueueLimit = 256 * 1024
  private static let readSize = 16 * 1024

  private struct State {
    var receive: (@Sendable ([UInt8]) -> Void)?
    var closed: (@Sendable (LinkError?) -> Void)?
    var waiting: [UInt8] = []
    var phase = Phase.new
    var reader: HeldSource?
    var writer: HeldSource?
    var isFlushQueued = false
  }
  private enum Phase { case new, open, closed }

  /// `@unchecked Sendable`: only cancelled from other threads, which Dispatch allows.
  private struct HeldSource: @unchecked Sendable { let source: any DispatchSourceProtocol }

  private let state = Mutex(State())
  private let descriptor: Int32
  private let queue: DispatchQueue
  private let queueLimit: Int
  /// Closes the descriptor once no source uses it any more.
  private let sources = DispatchGroup()

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
    // A peer that is gone is an error of `write`, never a signal that ends the process.
    signal(SIGPIPE, SIG_IGN)
  }

  deinit {
    // A link that was never started has no source that could still use the descriptor.
    if state.withLock({ $0.phase == .new }) { _ = Foundation.close(descriptor) }
  }

  package func start(
    onReceive: @escaping @Sendable ([UInt8]) -> Void, onClose: @escaping @Sendable (LinkError?) -> Void
  ) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [self] in readAvailable() }
    source.setCancelHandler { [sources] in sources.leave() }
    sources.enter()
    let held = HeldSource(source: source)
    let isOpen = state.withLock { state in
      guard state.phase == .new else { return false }
      state.receive = onReceive
      state.closed = onClose
      state.reader = held
      state.phase = .open
      return true
    }
    source.resume()
    guard isOpen else {
      source.cancel()
      queue.async { onClose(nil) }
      return
    }
    queue.async { [self] in flush() }
  }

  package func send(_ octets: [UInt8]) throws(LinkError) {
    let refusal = state.withLock { state -> LinkError? in
      guard state.phase != .closed else { return .closedByPeer }
      guard state.waiting.count + octets.count <= queueLimit else { return .congested(limit: queueLimit) }
      state.waiting.append(contentsOf: octets)
      if state.phase == .open, !state.isFlushQueued, state.writer == nil {
        state.isFlushQueued = true
        queue.async { [self] in flush() }
      }
      return nil
    }
    if let refusal { throw refusal }
  }

  package func close() { end(nil) }

  private func readAvailable() {
    var buffer = [UInt8](repeating: 0, count: Self.readSize)
    // One read an event: a flood on one link must not starve the others of its queue.
    let count = read(descriptor, &buffer, buffer.count)
    if count > 0 {
      let receive = state.withLock { $0.receive }
      receive?(Array(buffer[..<count]))
    } else if count == 0 {
      end(.closedByPeer)
    } else if errno != EAGAIN, errno != EINTR {
      end(Self.failure(of: "read", errno))
    }
  }

  /// A serial device that was unplugged, or a pseudo-terminal whose other side closed, answers EIO.
  private static func failure(of call: String, _ number: Int32) -> LinkError {
    switch number {
    case EIO, ENXIO, ENODEV, ECONNRESET, EPIPE: .closedByPeer
    default: .system(call: call, errno: number)
    }
  }

  private func flush() {
    let failure = state.withLock { state -> LinkError? in
      state.isFlushQueued = false
      guard state.phase == .open else { return nil }
      var sent = 0
      defer { state.waiting.removeFirst(sent) }
      while sent < state.waiting.count {
        let count = state.waiting.withUnsafeBytes { octets in
          octets.baseAddress.map { write(descriptor, $0 + sent, octets.count - sent) } ?? 0
        }
        if count >= 0 {
          sent += count
        } else if errno == EAGAIN {
          awaitRoom(&state)
          return nil
        } else if errno != EINTR {
          return Self.failure(of: "write", errno)
        }
      }
      state.writer?.source.cancel()
      state.writer = nil
      return nil
    }
    if let failure { end(failure) }
  }

  private func awaitRoom(_ state: inout State) {
    guard state.writer == nil else { return }
    let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [self] in flush() }
    source.setCancelHandler { [sources] in sources.leave() }
    sources.enter()
    source.resume()
    state.writer = HeldSource(source: source)
  }

  private func end(_ error: LinkError?) {
    let ended = state.withLock { state -> (closed: (@Sendable (LinkError?) -> Void)?, held: [HeldSource])? in
      guard state.phase != .closed else { return nil }
      defer { state = State(phase: .closed) }
      return (state.closed, [state.reader, state.writer].compactMap(\.self))
    }
    guard let ended else { return }
    for held in ended.held { held.source.cancel() }
    sources.notify(queue: queue) { [descriptor] in
      _ = Foundation.close(descriptor)
      ended.closed?(error)
    }
  }
}
