import NearbyDevice
import NearbyPeerLink

/// The reading side of a stream.
final class IncomingSide: StreamSide, @unchecked Sendable {
  /// Octets received and not yet read. The network never grants more than `PeerLimits.streamWindow`.
  private var octets: [UInt8] = []
  private var read = 0
  private var hasEnded = false
  /// Whether the network no longer knows the stream.
  private var isGone = false

  override var isReady: Bool { read < octets.count }
  override var readyEvent: Stream.Event { .hasBytesAvailable }
  override var isAtEnd: Bool { hasEnded && !isReady }

  // MARK: Called by the network

  func received(_ more: [UInt8]) {
    change {
      if read == octets.count {
        octets = more
        read = 0
      } else {
        octets += more
      }
    }
  }

  /// The writer closed its stream, and everything it wrote has arrived.
  func ended() {
    change {
      hasEnded = true
      isGone = true
    }
  }

  override func fail(_ error: MCError) {
    locked { isGone = true }
    if !locked({ hasEnded }) { super.fail(error) }
  }

  // MARK: Called by the app

  var hasOctets: Bool { locked { status == .open && isReady } }

  /// Implements `InputStream.read`: waits for octets, except in virtual time.
  func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let count = change { () -> Int in
      guard status == .open else { return -1 }
      while !isReady, !isAtEnd, mayWait { condition.wait() }
      guard status == .open else { return -1 }
      guard isReady else { return failure == nil ? 0 : -1 }
      let count = min(buffer.count, octets.count - read)
      _ = buffer.update(fromContentsOf: octets[read..<(read + count)])
      read += count
      dropRead()
      hasReportedReady = false
      return count
    }
    if count > 0 { request(.streamConsumed(key.id, count)) }
    return count
  }

  private func dropRead() {
    guard read == octets.count || read > 65_536 else { return }
    octets.removeFirst(read)
    read = 0
  }

  override func close() {
    let isOver = change { () -> Bool in
      guard status != .closed else { return true }
      status = .closed
      octets = []
      read = 0
      defer { isGone = true }
      return isGone
    }
    leaveRunLoops()
    guard !isOver else { return }
    request(.closeStream(key.id))
    self.isOver()
  }
}

/// The stream that the app reads from.
final class SessionInputStream: InputStream {
  private let side: IncomingSide

  init(_ side: IncomingSide) {
    self.side = side
    super.init(data: Data())
    side.attach(self)
  }

  deinit { side.close() }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    side.read(into: UnsafeMutableBufferPointer(start: buffer, count: max(len, 0)))
  }
  override func getBuffer(
    _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length len: UnsafeMutablePointer<Int>
  ) -> Bool { false }
  override var hasBytesAvailable: Bool { side.hasOctets }

  override func open() { side.open() }
  override func close() { side.close() }
  override var delegate: (any StreamDelegate)? {
    get { side.delegate }
    set { side.delegate = newValue }
  }
  override var streamStatus: Stream.Status { side.shownStatus }
  override var streamError: (any Error)? { side.shownError }
  override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
  override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }
  override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    side.schedule(in: aRunLoop, mode: mode)
  }
  override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    side.remove(from: aRunLoop, mode: mode)
  }
}
