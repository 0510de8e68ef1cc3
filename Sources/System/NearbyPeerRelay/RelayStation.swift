import Foundation
import NearbyEventLoop
import NearbyNATS
import NearbyPeerLink
import Synchronization

/// A local peer on a NATS server: asks other peers for streams, and answers when they ask.
///
/// What goes through the streams is encrypted by its users. Results come on the loop's thread.
package final class RelayStation: Sendable {
  private struct Call {
    let peer: PeerIdentity
    let completion: @Sendable (Result<Int32, RelayFailure>) -> Void
  }

  private struct State {
    var calls: [RelayStreamID: Call] = [:]
    var lines: [RelayStreamID: RelayLine] = [:]
    /// `nil` until the station listens.
    var bus: NATSBus?
    var subscription: NATSSubscription?
    var isStopped = false
  }

  /// The most streams at a time.
  private static let maximumStreams = 1024
  private static let answerTime = Duration.seconds(10)

  private let local: PeerIdentity
  private let loop: EventLoop
  private let arrived: @Sendable (Int32, PeerIdentity) -> Void
  private let state = Mutex(State())

  /// - Parameter arrived: Receives a socket for each stream that another peer asked for, and the identity that it
  ///   claims. The receiver closes the socket.
  package init(
    _ local: PeerIdentity, loop: EventLoop,
    arrived: @escaping @Sendable (Int32, PeerIdentity) -> Void
  ) {
    self.local = local
    self.loop = loop
    self.arrived = arrived
  }

  /// Starts to listen, or listens on another connection; until then, `connect` fails.
  ///
  /// - Parameter bus: `nil` if there is none.
  package func start(on bus: NATSBus?) {
    guard let bus, state.withLock({ $0.bus !== bus }) else { return }
    // Room for a window of each of many streams.
    let subscription = try? bus.subscribe(
      RelaySubject.everything(to: local), waiting: (messages: 1 << 16, octets: 256 << 20)
    ) { [weak self] in self?.receive($0) }
    guard let subscription else { return }
    // What is replaced is dropped outside the lock.
    let old = state.withLock { state -> NATSSubscription? in
      guard !state.isStopped else { return subscription }
      defer { (state.bus, state.subscription) = (bus, subscription) }
      return state.subscription
    }
    _ = old
  }

  /// Ends all streams.
  package func stop() {
    // The subscription is dropped outside the lock: its last messages may wait for the lock.
    let (lines, calls, subscription) = state.withLock { state in
      state.isStopped = true
      defer { (state.calls, state.subscription) = ([:], nil) }
      return (state.lines.values.map(\.self), state.calls.values.map(\.self), state.subscription)
    }
    _ = subscription
    for line in lines { line.end() }
    for call in calls { answer(call, .failure(.unreachable)) }
  }

  /// Asks a peer for a stream.
  ///
  /// - Parameter completion: Called once, with a connected socket that the receiver closes.
  package func connect(
    to peer: PeerIdentity, completion: @escaping @Sendable (Result<Int32, RelayFailure>) -> Void
  ) {
    var generator = SystemRandomNumberGenerator()
    let id = RelayStreamID(using: &generator)
    let call = Call(peer: peer, completion: completion)
    let bus = state.withLock { state in
      state.calls[id] = call
      return state.bus
    }
    guard let bus else { return fail(id, .unreachable) }
    var stream = RelayStream()
    do throws(NATSFailure) {
      try bus.publish(
        stream.next(.open).octets, to: RelaySubject.requests(to: peer),
        reply: RelaySubject.stream(id, to: local))
    } catch {
      return fail(id, .unreachable)
    }
    loop.perform { [self] in
      loop.schedule(after: Self.answerTime) { [weak self] in self?.fail(id, .unreachable) }
    }
  }

  private func fail(_ id: RelayStreamID, _ failure: RelayFailure) {
    if let call = state.withLock({ $0.calls.removeValue(forKey: id) }) { answer(call, .failure(failure)) }
  }

  private func answer(_ call: Call, _ result: Result<Int32, RelayFailure>) {
    loop.perform { call.completion(result) }
  }

  // MARK: On the client's thread

  private func receive(_ message: borrowing NATSBus.Message) {
    guard let place = RelaySubject.parse(message.subject) else { return asked(message) }
    guard place.peer == local else { return }
    let id = place.stream
    if message.hasNoResponders {
      state.withLock { $0.lines[id] }?.finish()
      return fail(id, .nobodyListens)
    }
    // Strangers' octets: what is invalid changes nothing.
    guard let frame = message.withOctets({ try? RelayFrame(parsing: $0) }) else { return }
    if let line = state.withLock({ $0.lines[id] }) {
      return message.withOctets {
        line.receive(frame, UnsafeRawBufferPointer(rebasing: $0.dropFirst(RelayFrame.headerOctets)))
      }
    }
    guard frame.kind == .accept, let call = state.withLock({ $0.calls.removeValue(forKey: id) }) else {
      return
    }
    var stream = RelayStream()
    _ = stream.next(.open)
    guard (try? stream.receive(frame, count: 0)) != nil, let bus = state.withLock({ $0.bus }),
      let descriptor = makeLine(id, call.peer, stream, bus)
    else { return answer(call, .failure(.unreachable)) }
    answer(call, .success(descriptor))
  }

  /// Another peer asks for a stream.
  private func asked(_ message: borrowing NATSBus.Message) {
    guard let reply = message.reply, let place = RelaySubject.parse(reply), place.peer != local,
      let frame = message.withOctets({ try? RelayFrame(parsing: $0) }), frame.kind == .open
    else { return }
    var stream = RelayStream()
    guard (try? stream.receive(frame, count: 0)) != nil else { return }
    let hasRoom = state.withLock { state in
      !state.isStopped && state.lines[place.stream] == nil && state.lines.count < Self.maximumStreams
    }
    guard hasRoom else { return }
    let accept = stream.next(.accept)
    guard let bus = state.withLock({ $0.bus }),
      let descriptor = makeLine(place.stream, place.peer, stream, bus)
    else { return }
    do throws(NATSFailure) {
      let own = RelaySubject.stream(place.stream, to: local)
      try bus.publish(accept.octets, to: reply, reply: own)
    } catch {
      // The line ends when its local side is closed.
      close(descriptor)
      return
    }
    loop.perform { [self] in arrived(descriptor, place.peer) }
  }

  /// Makes a stream's end and returns the socket for its user.
  private func makeLine(
    _ id: RelayStreamID, _ peer: PeerIdentity, _ stream: RelayStream, _ bus: NATSBus
  ) -> Int32? {
    var pair: [Int32] = [-1, -1]
    let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, flags, 0, &pair) == 0 else { return nil }
    let line = RelayLine(
      id, own: RelaySubject.stream(id, to: local), theirs: RelaySubject.stream(id, to: peer), stream: stream,
      descriptor: pair[0], bus: bus, loop: loop
    ) { [weak self] id in self?.state.withLock { $0.lines[id] = nil } }
    state.withLock { $0.lines[id] = line }
    line.begin()
    return pair[1]
  }
}
