import Foundation
import NearbyEventLoop
import Synchronization

/// A reliable, ordered stream of octets to one peer, encrypted unless asked otherwise; with datagrams beside it.
///
/// It exists for its users once both sides have accepted each other. What is said about calls holds for any
/// thread; what it calls, it calls on its endpoint's loop, where nothing may block.
///
/// `@unchecked Sendable`: all that changes is in a mutex or touched on the loop's thread only.
package final class PeerChannel: @unchecked Sendable {
  /// What a channel tells; called on the loop's thread, one at a time.
  package struct Handlers: Sendable {
    /// Octets as they came; where they are cut means nothing.
    package var onReceive: @Sendable (Span<UInt8>) -> Void
    /// One datagram.
    package var onDatagram: @Sendable (Span<UInt8>) -> Void
    /// Datagrams of so many octets pass from now on.
    package var onDatagramsOpen: @Sendable (Int) -> Void
    /// Whether the other side may end its encryption and go on in the clear; asked when it does.
    package var allowsPlain: @Sendable () -> Bool
    /// Less than the low mark waits again, after more than the high mark did.
    package var onDrained: @Sendable () -> Void
    /// The last call; `nil` when this side closed.
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

  enum Phase: Equatable { case handshaking, deciding, open, closing, closed }

  struct Sending {
    var queue = SendQueue()
    /// Octets that the loop took and has not sent yet.
    var leaving = 0
    var isFlushQueued = false
    var wasHigh = false
    var accepts = false
    var waiting: Int { queue.count + leaving }
  }

  /// Which side began.
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
  var records = RecordQueue()
  var readiness: EventLoop.Readiness = .readable
  var alarm: UInt64?
  var opened: ((Result<PeerChannel, NetworkError>) -> Void)?
  var handlers: Handlers?
  /// Asks about what the other side proved.
  var decision: ((PeerCredentials?) -> Void)?
  /// Lets the endpoint forget the channel.
  var onEnd: (() -> Void)?
  var hasAccepted = false
  var theirs: ChannelPreamble?
  var preambleOctets: [UInt8] = []
  var datagrams: DatagramAssociation?
  /// Why it ended before anybody listened.
  var unheardEnd: (NetworkError?)?
  var hasShutDown = false
  /// Octets that still go encrypted, where what follows them goes in the clear.
  var encryptedLeft: Int?
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

  /// What the other side proved; `nil` in the clear.
  package var credentials: PeerCredentials? { proved.withLock { $0 } }

  func setCredentials(_ credentials: PeerCredentials) { proved.withLock { $0 = credentials } }

  /// Begins to deliver; to be called once. What came before waits.
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
  /// - Returns: How many octets wait now. Above `highWater` the caller should await `onDrained`.
  /// - Throws: `.congested` or `.notOpen`; nothing was queued then.
  @discardableResult
  package func send(_ octets: [UInt8]) throws(NetworkError) -> Int {
    try queue(octets.count) { $0.append(octets) }
  }

  /// Queues what `body` appends to the octets that wait, without a copy of its own.
  ///
  /// - Parameter body: Appends only, and calls nothing of this channel.
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

  /// Ends the encryption of this direction behind what was queued; what is queued from now on goes in the clear. On
  /// the loop's thread only, and only where both sides agreed on it inside the channel.
  package func endEncryption() {
    loop.assertCurrent()
    guard encryptedLeft == nil, !sendsPlain, case .secure? = stream else { return }
    takeQueued()
    encryptedLeft = records.count
    flush()
  }

  /// The other side may come to end its encryption. To be called before it can.
  package func expectPlain() {
    loop.perform { [self] in if case .secure(let secure)? = stream { secure.stopReadingAhead() } }
  }

  /// Octets that wait to be sent.
  package var waiting: Int { sending.withLock { $0.waiting } }

  /// Stops to take octets off the network, so that the other side has to wait.
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

  /// Sends one datagram at once; it may be lost. Only on the loop's thread does it report what became of it.
  ///
  /// - Throws: `.noDatagrams` where they do not get through, `.tooLarge`.
  package func sendDatagramNow(_ octets: [UInt8]) throws(NetworkError) {
    loop.assertCurrent()
    guard phase == .open, let datagrams else { throw .noDatagrams }
    try datagrams.send(octets)
  }

  /// Sends one datagram soon; from any thread.
  ///
  /// - Parameter failed: Called on the loop's thread when it could not be sent.
  package func sendDatagram(
    _ octets: [UInt8], failed: @escaping @Sendable (NetworkError) -> Void = { _ in }
  ) {
    loop.perform { [self] in
      do throws(NetworkError) { try sendDatagramNow(octets) } catch { failed(error) }
    }
  }

  /// The largest datagram that passes now; 0 while none does. On the loop's thread only.
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

  /// Does work on the thread on which the channel calls.
  package func perform(_ work: @escaping @Sendable () -> Void) { loop.perform(work) }

  /// Ends the channel after what waits was sent.
  package func close() {
    sending.withLock { $0.accepts = false }
    loop.perform { [self] in closeGracefully() }
  }

  /// Ends the channel at once; what waits is dropped.
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
