import Foundation
import NearbyEventLoop
import Synchronization

/// Sending, receiving and the end. On the loop's thread.
extension PeerChannel {
  /// Octets that a channel may read before others get their turn.
  private static let turnLimit = 1 << 20

  // MARK: Sending

  /// Sends what is queued, as far as the socket accepts it.
  func flush() {
    guard phase != .closed, let stream else { return }
    moveQueued()
    var error: NetworkError?
    var isBlocked = false
    while !records.isEmpty || encryptedLeft == 0, !isBlocked, error == nil {
      let (count, progress) = writeNext(to: stream)
      if count > 0, let done = records.remove(count) { reuse(done) }
      switch progress {
      case .done: if records.isEmpty { moveQueued() }
      case .wantsWrite, .wantsRead: isBlocked = true
      case .ended(let isClean): error = .closedByPeer(isClean: isClean)
      case .failed(let failure): error = failure
      }
    }
    if let error { return endSending(error) }
    updateReadiness()
    notifyDrained()
    if phase == .closing, records.isEmpty, !hasShutDown {
      hasShutDown = true
      (sendsPlain ? .plain(descriptor) : stream).shutDown(descriptor)
    }
  }

  /// Writes the next octets, or the end of the encrypted ones.
  private func writeNext(to stream: ChannelStream) -> (count: Int, TLSStream.Progress) {
    if sendsPlain { return records.withNext { ChannelStream.plain(descriptor).write($0) } }
    guard let left = encryptedLeft, case .secure(let secure) = stream else {
      return records.withNext { stream.write($0) }
    }
    guard left == 0 else {
      let result = records.withNext { stream.write(UnsafeRawBufferPointer(rebasing: $0.prefix(left))) }
      encryptedLeft = left - result.count
      return result
    }
    let progress = secure.endSending()
    if progress == .done {
      encryptedLeft = nil
      sendsPlain = true
    }
    return (0, progress)
  }

  /// Moves what callers have queued to `records`.
  func moveQueued() {
    let segments = sending.withLock { sending in
      sending.isFlushQueued = false
      let segments = sending.queue.takeAll()
      sending.leaving = records.count + segments.reduce(0) { $0 + $1.count }
      return segments
    }
    if !segments.isEmpty { records.append(segments) }
  }

  private func reuse(_ segment: consuming [UInt8]) {
    let segment = segment
    sending.withLock { $0.queue.reuse(segment) }
  }

  /// Calls `onDrained` when the queue has fallen from above `highWater` to below `lowWater`.
  private func notifyDrained() {
    let isDrained = sending.withLock { sending in
      sending.leaving = records.count
      guard sending.wasHigh, sending.waiting < rules.lowWater else { return false }
      sending.wasHigh = false
      return true
    }
    if isDrained { handlers?.onDrained() }
  }

  /// Ends the channel after a failed write. What the other side sent before it left is read first, because it
  /// may contain a better reason.
  private func endSending(_ error: NetworkError) {
    records.removeAll()
    if phase == .open, handlers != nil, !isReadingPaused { readAvailable() }
    finish(error)
  }

  // MARK: Receiving

  /// Delivers what is available, at most a turn's worth.
  func readAvailable() {
    guard let stream, let handlers else { return }
    var total = 0
    while phase == .open, !isReadingPaused {
      let (count, progress) = fill(from: stream)
      if count > 0 {
        total += count
        handlers.onReceive(
          Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: scratch.octets[..<count])))
      }
      switch progress {
      // A short read means that nothing is left.
      case .done where !stream.hasUnread && count < ScratchBuffer.size / 2: return
      case .done where total >= Self.turnLimit: return resumeLater()
      case .done: continue
      case .wantsRead, .wantsWrite: return
      case .ended(isClean: true) where !receivesPlain && isEncrypted && self.handlers?.allowsPlain() == true:
        receivesPlain = true
      case .ended(let isClean): return finish(.closedByPeer(isClean: isClean))
      case .failed(let error): return finish(error)
      }
    }
  }

  /// Reads until the buffer is nearly full or nothing is available.
  private func fill(from stream: ChannelStream) -> (count: Int, TLSStream.Progress) {
    var filled = 0
    while true {
      let room = UnsafeMutableRawBufferPointer(rebasing: scratch.octets[filled...])
      let source = receivesPlain ? ChannelStream.plain(descriptor) : stream
      let (count, progress) = source.read(into: room)
      filled += count
      // Another attempt costs a system call; the loop reports when there is more.
      let isLast = !stream.hasUnread && count < RecordQueue.recordSize
      if progress != .done || isLast || scratch.octets.count - filled < RecordQueue.recordSize {
        return (filled, progress)
      }
    }
  }

  /// Continues in a later turn, because octets that TLS has already read would not wake the loop.
  func resumeLater() {
    guard !isResumeQueued else { return }
    isResumeQueued = true
    loop.perform { [self] in
      isResumeQueued = false
      resume()
    }
  }

  func resume() {
    updateReadiness()
    if phase == .open, !isReadingPaused, handlers != nil { readAvailable() }
  }

  func want(_ wanted: EventLoop.Readiness) {
    guard phase != .closed, wanted != readiness else { return }
    readiness = wanted
    loop.change(descriptor, to: wanted)
  }

  /// Watches the socket only for what can be handled in this phase, so that the loop does not spin.
  func updateReadiness() {
    var wanted: EventLoop.Readiness = []
    switch phase {
    case .handshaking, .closed: return
    case .deciding: if theirs == nil { wanted.insert(.readable) }
    case .open: if handlers != nil, !isReadingPaused { wanted.insert(.readable) }
    case .closing: wanted.insert(.readable)
    }
    if !records.isEmpty || encryptedLeft != nil { wanted.insert(.writable) }
    want(wanted)
  }

  // MARK: End

  /// Sends what is queued, and waits briefly for the other side's end.
  func closeGracefully() {
    guard phase == .open else { return finish(nil) }
    phase = .closing
    datagrams?.close()
    datagrams = nil
    alarm = loop.schedule(after: rules.closingTimeout) { [weak self] in self?.finish(nil) }
    updateReadiness()
    flush()
    if phase == .closing { discardUntilEnd() }
  }

  /// Reads and drops the other side's last octets, because closing with unread octets would cut off ours.
  func discardUntilEnd() {
    guard let stream else { return }
    while phase == .closing {
      let source = receivesPlain ? ChannelStream.plain(descriptor) : stream
      let (_, progress) = source.read(into: scratch.octets)
      switch progress {
      case .done: continue
      case .wantsRead, .wantsWrite: return
      case .ended, .failed: return finish(nil)
      }
    }
  }

  /// Ends the channel and reports that once.
  func finish(_ error: NetworkError?) {
    guard phase != .closed else { return }
    phase = .closed
    sending.withLock { sending in
      sending = Sending()
    }
    records.removeAll()
    loop.cancel(alarm)
    decision = nil
    datagrams?.close()
    datagrams = nil
    loop.unwatch(descriptor)
    stream = nil
    Foundation.close(descriptor)
    onEnd?()
    onEnd = nil
    if let opened {
      self.opened = nil
      opened(.failure(error ?? .notOpen))
    } else if let handlers {
      self.handlers = nil
      handlers.onClose(error)
    } else {
      unheardEnd = .some(error)
    }
  }
}
