import Foundation
import NearbyEventLoop
import Synchronization

/// A reliable, ordered stream of octets to one peer, encrypted unless requested otherwise, with datagrams
/// beside it.
///
/// Users get a channel once both sides have accepted each other. Methods may be called from any thread unless
/// they say otherwise. Handlers are called on the endpoint's loop, where nothing may block.
///
/// `@unchecked Sendable`: all mutable state is protected by a mutex or used on the loop's thread only.
package final class PeerChannel: @unchecked Sendable {
  /// What a channel reports; called on the loop's thread, one at a time.
  package struct Handlers: Sendable {
    /// Octets as they arrive; where they are split means nothing.
    package var onReceive: @Sendable (Span<UInt8>) -> Void
    /// One datagram.
    package var onDatagram: @Sendable (Span<UInt8>) -> Void
    /// Datagrams of up to this many octets can be sent from now on.
    package var onDatagramsOpen: @Sendable (Int) -> Void
    /// Whether the other side may end its encryption and continue in plain text; called when it does so.
    package var allowsPlain: @Sendable () -> Bool
    /// Fewer octets than `lowWater` are queued again, after more than `highWater` were.
    package var onDrained: @Sendable () -> Void
    /// The last call; the error is `nil` if this side closed.
    package var onClose: @Sendable (NetworkError?) -> Void

    package init(
      onReceive: @escaping @Sendable (Span<UInt8>) -> Void,
      onDatagram: @escaping @Sendable (Span<UInt8>) -> Void = { _ in },
      onDatagramsOpen: @escaping @Sendable (Int) -> Void = { _ in },
      allowsPlain: @escaping @Sendable () -> Bool = { false },
      onDrained: @escaping @Sendable () -> Void = {},
      onClose: @escaping @Sendable (NetworkError?) -> Void
    ) {
      self.onReceive = onReceive
      self.onDatagram = onDatagram
      self.onDatagramsOpen = onDatagramsOpen
      self.allowsPlain = allowsPlain
      self.onDrained = onDrained
      self.onClose = onClose
    }
  }

  package enum Role: Equatable, Sendable { case initiator, acceptor }

  /// How far the channel is. `deciding` lasts until both sides have decided. In `closing`, this side sends
  /// the rest and drops what arrives.
  enum Phase: Equatable { case handshaking, deciding, open, closing, closed }

  /// What callers on any thread share with the loop.
  struct Sending {
    var queue = SendQueue()
    /// Octets that the loop has taken over but not sent yet.
    var leaving = 0
    var isFlushQueued = false
    /// Whether more than `highWater` was queued since the last `onDrained`.
    var wasHigh = false
    /// Whether octets may be queued.
    var accepts = false
    var waiting: Int { queue.count + leaving }
  }

  /// The side that began the channel is the initiator.
  package let role: Role
  package let remote: SocketAddress
  package let isEncrypted: Bool
  let loop: EventLoop
  let rules: ChannelRules
  let sending = Mutex(Sending())
  private let proved = Mutex<PeerCredentials?>(nil)

  // On the loop's thread only:
  let descriptor: Int32
  let scratch: ScratchBuffer
  var phase: Phase
  var stream: ChannelStream?
  /// Octets on their way to the socket.
  var records = RecordQueue()
  var readiness: EventLoop.Readiness = .readable
  var alarm: UInt64?
  var opened: ((Result<PeerChannel, NetworkError>) -> Void)?
  var handlers: Handlers?
  /// Asks for the decision about what the other side proved.
  var decision: ((PeerCredentials?) -> Void)?
  /// Makes the endpoint forget the channel.
  var onEnd: (() -> Void)?
  var hasAccepted = false
  /// The other side's preamble, once it has arrived completely.
  var theirs: ChannelPreamble?
  var preambleOctets: [UInt8] = []
  var datagrams: DatagramAssociation?
  /// The reason for an end that came before `start`.
  var unheardEnd: (NetworkError?)?
  var hasShutDown = false
  /// Queued octets that are still sent encrypted before plain text begins; `nil` unless a change is in
  /// progress.
  var encryptedLeft: Int?
  /// Whether a direction of an encrypted channel has changed to plain text.
  var sendsPlain = false
  var receivesPlain = false
  var isReadingPaused = false
  var isResumeQueued = false

  init(
    loop: EventLoop, rules: ChannelRules, scratch: ScratchBuffer, descriptor: Int32, remote: SocketAddress,
    role: Role, isEncrypted: Bool
  ) {
    self.loop = loop
    self.rules = rules
    self.scratch = scratch
    self.descriptor = descriptor
    self.remote = remote
    self.role = role
    self.isEncrypted = isEncrypted
    phase = .handshaking
  }

  /// What the other side proved; `nil` in plain text.
  package var credentials: PeerCredentials? { proved.withLock { $0 } }

  func setCredentials(_ credentials: PeerCredentials) { proved.withLock { $0 = credentials } }

  /// Starts to deliver; to be called once. What arrived before has been kept.
  package func start(_ handlers: Handlers) {
    loop.perform { [self] in
      self.handlers = handlers
      if let unheardEnd {
        handlers.onClose(unheardEnd)
      } else {
        if datagramLimit > 0 { handlers.onDatagramsOpen(datagramLimit) }
        resume()
      }
    }
  }

  /// Queues octets, in the order of the calls.
  ///
  /// - Returns: Octets queued now. Above `highWater`, the caller should wait for `onDrained`.
  /// - Throws: `.congested` or `.notOpen`; then nothing was queued.
  @discardableResult
  package func send(_ octets: [UInt8]) throws(NetworkError) -> Int {
    try queue(octets.count) { $0.append(octets) }
  }

  /// Queues what `body` appends, without an extra copy.
  ///
  /// - Parameter body: May only append, and must not call this channel.
  /// - Returns: Octets queued now.
  /// - Throws: `.congested` or `.notOpen`; then nothing was queued.
  @discardableResult
  package func write(_ body: (inout [UInt8]) -> Void) throws(NetworkError) -> Int {
    try queue(0) { $0.gather(body) }
  }

  private func queue(_ count: Int, _ add: (inout SendQueue) -> Void) throws(NetworkError) -> Int {
    let outcome = sending.withLock { sending -> Result<(waiting: Int, mustFlush: Bool), NetworkError> in
      guard sending.accepts else { return .failure(.notOpen) }
      guard sending.waiting + count <= rules.queueLimit else {
        return .failure(.congested(limit: rules.queueLimit))
      }
      add(&sending.queue)
      if sending.waiting > rules.highWater { sending.wasHigh = true }
      defer { sending.isFlushQueued = true }
      return .success((sending.waiting, !sending.isFlushQueued))
    }
    let (waiting, mustFlush) = try outcome.get()
    if mustFlush { queueFlush() }
    return waiting
  }

  private func queueFlush() {
    if loop.isCurrent {
      loop.atTurnEnd { [self] in flush() }
    } else {
      loop.perform { [self] in flush() }
    }
  }

  /// Ends the encryption of this direction after everything queued so far; what is queued later goes in plain
  /// text. On the loop's thread only, and only if both sides have agreed on it inside the channel.
  package func endEncryption() {
    loop.assertCurrent()
    guard encryptedLeft == nil, !sendsPlain, case .secure? = stream else { return }
    moveQueued()
    encryptedLeft = records.count
    flush()
  }

  /// Prepares for the other side to end its encryption; to be called before it can do so.
  package func expectPlain() {
    loop.perform { [self] in if case .secure(let secure)? = stream { secure.stopReadingAhead() } }
  }

  /// Octets that are queued.
  package var waiting: Int { sending.withLock { $0.waiting } }

  /// Stops reading from the network, so that the other side has to wait.
  package func pauseReading() {
    guard loop.isCurrent else { return loop.perform { [self] in pauseReading() } }
    isReadingPaused = true
    updateReadiness()
  }

  package func resumeReading() {
    loop.perform { [self] in
      guard isReadingPaused else { return }
      isReadingPaused = false
      resume()
    }
  }

  /// Sends one datagram at once; it may be lost. On the loop's thread only.
  ///
  /// - Throws: `.noDatagrams` if none can be sent now, `.tooLarge`.
  package func sendDatagramNow(_ octets: [UInt8]) throws(NetworkError) {
    loop.assertCurrent()
    guard phase == .open, let datagrams else { throw .noDatagrams }
    try datagrams.send(octets)
  }

  /// Sends one datagram soon, from any thread.
  ///
  /// - Parameter failed: Called on the loop's thread if it could not be sent.
  package func sendDatagram(
    _ octets: [UInt8], failed: @escaping @Sendable (NetworkError) -> Void = { _ in }
  ) {
    loop.perform { [self] in
      do throws(NetworkError) { try sendDatagramNow(octets) } catch { failed(error) }
    }
  }

  /// The largest datagram that can be sent now; 0 if none can. On the loop's thread only.
  package var datagramLimit: Int {
    guard phase == .open, let datagrams, datagrams.isReady else { return 0 }
    return datagrams.limit
  }

  /// Keying material that only the two ends of this channel know. On the loop's thread only.
  package func exportKey(label: String, count: Int) throws(NetworkError) -> [UInt8] {
    loop.assertCurrent()
    guard case .secure(let stream)? = stream else { throw .notOpen }
    return try stream.exportKey(label: label, count: count)
  }

  /// Runs work on the thread on which the handlers are called.
  package func perform(_ work: @escaping @Sendable () -> Void) { loop.perform(work) }

  /// Closes the channel after sending what is queued.
  package func close() {
    sending.withLock { $0.accepts = false }
    loop.perform { [self] in closeGracefully() }
  }

  /// Closes the channel at once; what is queued is dropped.
  package func abort() {
    sending.withLock { $0.accepts = false }
    loop.perform { [self] in finish(nil) }
  }
}

/// One large buffer for all reads of a loop. Used on the loop's thread only.
final class ScratchBuffer {
  static let size = 128 * 1024
  let octets = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 64)
  deinit { octets.deallocate() }
}
