import NearbyDevice
import NearbyPeerLink

/// The writing side of a stream.
final class OutgoingSide: StreamSide, @unchecked Sendable {
  /// Octets that the network has not accepted yet. It accepts none before the peer knows of the stream.
  private var waiting: [UInt8] = []
  private var hasClosed = false

  private static let capacity = 65_536
  /// Octets copied for the network at a time.
  private static let piece = 262_144

  override var isReady: Bool { failure == nil && waiting.count < Self.capacity }
  override var readyEvent: Stream.Event { .hasSpaceAvailable }

  // MARK: Called by the network

  /// The network accepts octets again.
  func roomMade() {
    change {
      let count = give(waiting)
      waiting.removeFirst(count)
    }
    finishClosing()
  }

  override func fail(_ error: MCError) {
    change { waiting = [] }
    super.fail(error)
    finishClosing()
  }

  /// Passes octets to the network and returns how many it accepted. Call with the lock held, so that two
  /// writers do not interleave; the network returns at once and makes no callbacks.
  private func give(_ octets: [UInt8]) -> Int {
    guard failure == nil, !octets.isEmpty else { return 0 }
    do throws(PeerFailure) {
      return try member.write(octets, to: key.id, with: key.peer)
    } catch {
      failure = MCError(failure: error)
      return 0
    }
  }

  // MARK: Called by the app

  var hasRoom: Bool { locked { status == .open && isReady } }

  /// Implements `OutputStream.write`: accepts what fits, and waits for free space, except in virtual time.
  func write(_ buffer: UnsafeBufferPointer<UInt8>) -> Int {
    change {
      guard status == .open else { return -1 }
      while !isReady, mayWait { condition.wait() }
      guard status == .open, failure == nil else { return -1 }
      hasReportedReady = false
      var done = 0
      while waiting.isEmpty, done < buffer.count {
        let piece = Array(buffer[done..<min(done + Self.piece, buffer.count)])
        let taken = give(piece)
        guard failure == nil else { return done > 0 ? done : -1 }
        let kept = min(piece.count - taken, Self.capacity)
        waiting = Array(piece[taken..<(taken + kept)])
        done += taken + kept
      }
      guard done < buffer.count, !waiting.isEmpty else { return done }
      let kept = min(buffer.count - done, Self.capacity - waiting.count)
      waiting += buffer[done..<(done + kept)]
      return done + kept
    }
  }

  override func close() {
    change { status = .closed }
    leaveRunLoops()
    finishClosing()
  }

  /// Ends the stream once, after everything waiting has been sent or the stream has failed.
  private func finishClosing() {
    let isLast = locked { () -> Bool in
      guard !hasClosed, failure != nil || (status == .closed && waiting.isEmpty) else { return false }
      hasClosed = true
      return true
    }
    guard isLast else { return }
    request(.endStream(key.id))
    isOver()
  }
}

/// The stream that the app writes to.
final class SessionOutputStream: OutputStream {
  private let side: OutgoingSide?

  init(_ side: OutgoingSide) {
    self.side = side
    super.init(toMemory: ())
    side.attach(self)
  }

  /// Required by Foundation; never called.
  required init(toMemory: ()) {
    side = nil
    super.init(toMemory: ())
  }

  deinit { side?.close() }

  override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
    side?.write(UnsafeBufferPointer(start: buffer, count: max(len, 0))) ?? -1
  }
  override var hasSpaceAvailable: Bool { side?.hasRoom ?? false }

  override func open() { side?.open() }
  override func close() { side?.close() }
  override var delegate: (any StreamDelegate)? {
    get { side?.delegate }
    set { side?.delegate = newValue }
  }
  override var streamStatus: Stream.Status { side?.shownStatus ?? .closed }
  override var streamError: (any Error)? { side?.shownError }
  override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
  override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }
  override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    side?.schedule(in: aRunLoop, mode: mode)
  }
  override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    side?.remove(from: aRunLoop, mode: mode)
  }
}
