import Foundation
import NearbyEventLoop
import NearbyNATS
import Synchronization

/// One end of a stream: carries octets between a local socket and the server.
///
/// `@unchecked Sendable`: everything that changes is behind the lock, except `watched`, which is used on the loop's
/// thread only.
final class RelayLine: @unchecked Sendable {
  private struct State {
    var stream: RelayStream
    /// This end of the pair of sockets; -1 once closed.
    var descriptor: Int32
    /// Octets that the socket did not take yet: at most a window.
    var waiting: [UInt8] = []
    /// How many of them it has taken.
    var taken = 0
    /// The other side has ended.
    var isEnding = false
    var isUpdateQueued = false
  }

  /// The most octets in one message.
  private static let messageOctets = 128 << 10

  let id: RelayStreamID
  private let own: String
  private let theirs: String
  private let bus: NATSBus
  private let loop: EventLoop
  private let ended: @Sendable (RelayStreamID) -> Void
  private let state: Mutex<State>
  private var watched: EventLoop.Readiness?

  /// - Parameters:
  ///   - own: The subject at which this side listens.
  ///   - descriptor: Belongs to the line from now on.
  ///   - ended: Called once, from any thread.
  init(
    _ id: RelayStreamID, own: String, theirs: String, stream: RelayStream, descriptor: Int32, bus: NATSBus,
    loop: EventLoop, ended: @escaping @Sendable (RelayStreamID) -> Void
  ) {
    self.id = id
    self.own = own
    self.theirs = theirs
    self.bus = bus
    self.loop = loop
    self.ended = ended
    state = Mutex(State(stream: stream, descriptor: descriptor))
  }

  // MARK: From the server, on a thread of its client

  /// - Parameter octets: Without the header; valid during the call.
  func receive(_ frame: RelayFrame, _ octets: UnsafeRawBufferPointer) {
    let isOver = state.withLock { state in
      guard state.descriptor >= 0 else { return false }
      do throws(RelayFailure) {
        try state.stream.receive(frame, count: octets.count)
        switch frame.kind {
        case .data: try take(octets, &state)
        case .end: state.isEnding = true
        case .open, .accept, .credit: break
        }
        if state.isEnding, state.waiting.isEmpty { return true }
        queueUpdate(&state)
        return false
      } catch {
        try? publish(state.stream.next(.end))
        return true
      }
    }
    if isOver { finish() }
  }

  /// Passes octets to the socket as far as it takes them.
  private func take(_ octets: UnsafeRawBufferPointer, _ state: inout State) throws(RelayFailure) {
    guard state.waiting.isEmpty else {
      state.waiting += octets
      return
    }
    let count = write(octets, to: state.descriptor)
    state.waiting += octets.dropFirst(count)
    if let credit = state.stream.consume(count) { try publish(credit) }
  }

  /// - Returns: How many octets the socket took.
  private func write(_ octets: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    var taken = 0
    while taken < octets.count, let start = octets.baseAddress {
      let count = Foundation.send(descriptor, start + taken, octets.count - taken, Int32(MSG_NOSIGNAL))
      if count < 0, errno == EINTR { continue }
      // A closed socket is noticed by reading.
      guard count > 0 else { break }
      taken += count
    }
    return taken
  }

  /// Passes on what waits.
  private func write(_ state: inout State) throws(RelayFailure) {
    let (taken, descriptor) = (state.taken, state.descriptor)
    let written = state.waiting.withUnsafeBytes {
      write(UnsafeRawBufferPointer(rebasing: $0[taken...]), to: descriptor)
    }
    state.taken += written
    if state.taken == state.waiting.count {
      state.waiting = []
      state.taken = 0
    }
    if let credit = state.stream.consume(written) { try publish(credit) }
  }

  private func queueUpdate(_ state: inout State) {
    guard !state.isUpdateQueued else { return }
    state.isUpdateQueued = true
    loop.perform { [weak self] in self?.update() }
  }

  // MARK: From the socket, on the loop's thread

  func begin() { loop.perform { [self] in update() } }

  /// Watches the socket for what is possible now.
  private func update() {
    let (descriptor, wanted) = state.withLock { state in
      state.isUpdateQueued = false
      var wanted: EventLoop.Readiness = []
      if state.stream.room > 0, !state.isEnding { wanted.insert(.readable) }
      if !state.waiting.isEmpty { wanted.insert(.writable) }
      return (state.descriptor, wanted)
    }
    guard descriptor >= 0, wanted != watched else { return }
    if watched == nil {
      // Without the watch nothing moves, so the line ends.
      guard (try? loop.watch(descriptor, for: wanted, { [self] in ready($0) })) != nil else {
        return finish()
      }
    } else {
      loop.change(descriptor, to: wanted)
    }
    watched = wanted
  }

  private func ready(_ readiness: EventLoop.Readiness) {
    let isOver = state.withLock { state in
      guard state.descriptor >= 0 else { return false }
      do throws(RelayFailure) {
        if readiness.contains(.writable), !state.waiting.isEmpty { try write(&state) }
        if state.isEnding { return state.waiting.isEmpty || readiness.contains(.broken) }
        return try forward(&state)
      } catch {
        return true
      }
    }
    if isOver { finish() } else { update() }
  }

  /// Sends what the socket has, as far as the window allows.
  ///
  /// - Returns: Whether the local side has ended.
  private func forward(_ state: inout State) throws(RelayFailure) -> Bool {
    while case let most = min(state.stream.room, Self.messageOctets), most > 0 {
      var octets = [UInt8](repeating: 0, count: RelayFrame.headerOctets + most)
      let descriptor = state.descriptor
      let count = octets.withUnsafeMutableBytes { room in
        let free = UnsafeMutableRawBufferPointer(rebasing: room[RelayFrame.headerOctets...])
        while true {
          let count = read(descriptor, free.baseAddress, free.count)
          if count >= 0 || errno != EINTR { return count }
        }
      }
      if count < 0, errno == EAGAIN { return false }
      guard count > 0 else {
        try publish(state.stream.next(.end))
        return true
      }
      octets.removeLast(most - count)
      octets.replaceSubrange(..<RelayFrame.headerOctets, with: state.stream.next(.data, count: count).octets)
      try publish(octets)
    }
    return false
  }

  // MARK: The end

  /// Ends the line: the local socket is closed, and nothing more is sent.
  func finish() {
    let isFirst = state.withLock { state in
      guard state.descriptor >= 0 else { return false }
      let descriptor = state.descriptor
      state.descriptor = -1
      state.waiting = []
      loop.perform { [self] in
        loop.unwatch(descriptor)
        close(descriptor)
      }
      return true
    }
    if isFirst { ended(id) }
  }

  /// Tells the other side, and ends.
  func end() {
    state.withLock { state in
      if state.descriptor >= 0 { try? publish(state.stream.next(.end)) }
    }
    finish()
  }

  /// Under the lock, so that messages leave in the order of their numbers.
  private func publish(_ frame: RelayFrame) throws(RelayFailure) { try publish(frame.octets) }

  private func publish(_ octets: [UInt8]) throws(RelayFailure) {
    do throws(NATSFailure) {
      try bus.publish(octets, to: theirs, reply: own)
    } catch {
      throw .unreachable
    }
  }
}
