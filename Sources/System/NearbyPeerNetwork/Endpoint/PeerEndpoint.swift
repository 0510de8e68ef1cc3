import Foundation
import NearbyEventLoop
import Synchronization

/// Where channels to peers begin and arrive: it has one key, one listener and one thread.
///
/// `@unchecked Sendable`: its mutable state is used on the loop's thread only.
package final class PeerEndpoint: @unchecked Sendable {
  /// Settings of an endpoint.
  package struct Configuration: Sendable {
    /// The key by which others know this side.
    package var identity: PeerKey
    /// Where to listen; port 0 chooses a free one. The default listens in both families, if the machine has
    /// them.
    package var address = SocketAddress.any(port: 0)
    package var rules = ChannelRules()
    /// Decides about peers; by default everybody is accepted.
    package var decide: CertificateDecision = { _, _, answer in answer(true) }
    /// How long an address may stay silent before the next one is tried in parallel.
    package var stagger = Duration.milliseconds(150)
    package var connectTimeout = Duration.seconds(10)
    var admission = Admission.Limits()

    package init(identity: PeerKey) { self.identity = identity }
  }

  /// How a channel that this side begins is protected.
  package enum Security: Equatable, Sendable {
    case encrypted
    /// Only for peers that have both agreed to it.
    case plain
  }

  /// What an endpoint reports, on its loop's thread.
  package enum Event: Sendable {
    /// Another side began a channel, and both sides accepted.
    case arrived(PeerChannel)
    /// An incoming connection failed, for this reason.
    case refused(SocketAddress, NetworkError)
    /// The system has no room for more connections at the moment.
    case pausedAccepting(NetworkError)
  }

  private static let backlog: Int32 = 1024
  private static let acceptPause = Duration.milliseconds(200)
  /// Largest number of connections accepted in one turn of the loop.
  private static let acceptTurn = 64

  let configuration: Configuration
  /// The thread on which the endpoint and its channels report everything.
  package let loop: EventLoop
  let context: TLSContext
  private let report: @Sendable (Event) -> Void
  private let start = ContinuousClock.now
  private let scratch = ScratchBuffer()

  // On the loop's thread only:
  private var listener: Int32?
  private var admission: Admission
  private var lastID: UInt64 = 0
  private var silent: [UInt64: SilentConnection] = [:]
  private var channels: [UInt64: PeerChannel] = [:]
  private var dials: [UInt64: Dial] = [:]
  private var isStopped = false

  /// Queued octets in a channel above which its user should wait for `onDrained`.
  package var highWater: Int { configuration.rules.highWater }

  /// - Parameter report: Called on the loop's thread; must not block.
  package init(
    _ configuration: Configuration, report: @escaping @Sendable (Event) -> Void
  ) throws(NetworkError) {
    self.configuration = configuration
    self.report = report
    admission = Admission(configuration.admission)
    context = try TLSContext(identity: configuration.identity)
    do throws(EventLoopError) {
      loop = try EventLoop(label: "nearby.peers")
    } catch {
      throw NetworkError(error)
    }
  }

  deinit {
    // Without `stop()`, channels live as long as their users, and nothing new arrives.
    if let listener { close(listener) }
    if !isStopped, channels.isEmpty { loop.stop() }
  }

  /// Starts to listen.
  ///
  /// - Returns: The port.
  package func listen() throws(NetworkError) -> UInt16 {
    let descriptor = try openListener()
    let port = Sockets.localAddress(of: descriptor)?.port ?? 0
    loop.perform { [self] in
      listener = descriptor
      try? loop.watch(descriptor, for: .readable) { [weak self] _ in self?.acceptWaiting() }
    }
    return port
  }

  /// Ends the listener, every channel and the thread. Channels still send what the sockets accept at once.
  package func stop() {
    loop.perform { [self] in
      guard !isStopped else { return }
      isStopped = true
      if let listener {
        loop.unwatch(listener)
        close(listener)
      }
      listener = nil
      for (_, connection) in silent.sorted(by: { $0.key < $1.key }) { connection.close() }
      for (_, dial) in dials.sorted(by: { $0.key < $1.key }) { dial.cancel() }
      let open = channels.sorted { $0.key < $1.key }.map(\.value)
      for channel in open {
        channel.closeGracefully()
        channel.finish(nil)
      }
      silent = [:]
      dials = [:]
      loop.stop()
    }
  }

  private func openListener() throws(NetworkError) -> Int32 {
    let address = configuration.address
    do throws(NetworkError) {
      return try Sockets.listen(at: address, backlog: Self.backlog)
    } catch {
      // The machine has no IPv6.
      guard address == .any(port: address.port), case .system = error else { throw error }
      return try Sockets.listen(at: .anyIPv4(port: address.port), backlog: Self.backlog)
    }
  }
}

// MARK: Incoming connections, on the loop's thread

extension PeerEndpoint {
  private func acceptWaiting() {
    guard let listener else { return }
    do throws(NetworkError) {
      for _ in 0..<Self.acceptTurn {
        guard let (descriptor, remote) = try Sockets.accept(from: listener) else { return }
        admit(descriptor, remote)
      }
    } catch {
      report(.pausedAccepting(error))
      loop.change(listener, to: [])
      _ = loop.schedule(after: Self.acceptPause) { [weak self] in
        guard let self, let listener = self.listener else { return }
        loop.change(listener, to: .readable)
      }
    }
  }

  /// Admits a connection that came another way than through the listener, such as through a server.
  ///
  /// - Parameter descriptor: A connected socket that does not block; it belongs to the endpoint from now on.
  package func admit(_ descriptor: Int32, from remote: SocketAddress) {
    loop.perform { [self] in isStopped ? Self.drop(descriptor) : admit(descriptor, remote) }
  }

  /// Closes a socket that nobody uses.
  package static func drop(_ descriptor: Int32) { close(descriptor) }

  private func admit(_ descriptor: Int32, _ remote: SocketAddress) {
    lastID += 1
    let id = lastID
    if let victim = admission.arrived(id, from: remote.octets) { drop(victim) }
    let connection = SilentConnection(
      loop: loop, descriptor: descriptor, timeout: configuration.rules.handshakeTimeout
    ) { [weak self] outcome in self?.firstOctet(outcome, of: id, descriptor, remote) }
    silent[id] = connection
    connection.begin()
  }

  /// Drops a connection to make room; `admission` has already forgotten it.
  private func drop(_ id: UInt64) {
    if let connection = silent.removeValue(forKey: id) {
      connection.close()
    } else {
      channels[id]?.refuse(.refused(.crowded))
    }
  }

  /// Chooses between TLS and plain text by a connection's first octet, or refuses it.
  private func firstOctet(
    _ outcome: Result<UInt8, NetworkError>, of id: UInt64, _ descriptor: Int32, _ remote: SocketAddress
  ) {
    guard silent.removeValue(forKey: id) != nil else { return }
    do throws(NetworkError) {
      let octet = try outcome.get()
      guard admission.spoke(id, at: .now - start) else { throw .refused(.crowded) }
      let isPlain = octet == ChannelPreamble.magic[0]
      guard isPlain || octet == 0x16 else { throw .refused(.otherProtocol) }
      guard !isPlain || configuration.rules.acceptsPlain else { throw .refused(.plainText) }
      let channel = makeChannel(id, descriptor, remote, .acceptor, isPlain ? .plain : .encrypted)
      begin(channel, id) { [weak self] in self?.arrived($0, id, remote) }
    } catch {
      turnAway(descriptor, error)
      admission.ended(id)
      report(.refused(remote, error))
    }
  }

  private func arrived(_ result: Result<PeerChannel, NetworkError>, _ id: UInt64, _ remote: SocketAddress) {
    switch result {
    case .success(let channel):
      admission.opened(id)
      report(.arrived(channel))
    case .failure(let error): report(.refused(remote, error))
    }
  }

  /// Closes a connection after sending the reason for its refusal in plain text, if there is one.
  private func turnAway(_ descriptor: Int32, _ error: NetworkError) {
    if case .refused(let reason) = error {
      var octets: [UInt8] = []
      ChannelPreamble(.refused(reason)).write(to: &octets)
      _ = Foundation.send(descriptor, octets, octets.count, Int32(MSG_NOSIGNAL))
      shutdown(descriptor, Int32(SHUT_WR))
      // Read what has arrived, because closing with unread octets would reset the connection and lose ours.
      _ = Foundation.read(descriptor, scratch.octets.baseAddress, scratch.octets.count)
    }
    close(descriptor)
  }

  private func makeChannel(
    _ id: UInt64, _ descriptor: Int32, _ remote: SocketAddress, _ role: PeerChannel.Role, _ security: Security
  ) -> PeerChannel {
    let channel = PeerChannel(
      loop: loop, rules: configuration.rules, scratch: scratch, descriptor: descriptor, remote: remote,
      role: role, isEncrypted: security == .encrypted)
    channels[id] = channel
    channel.onEnd = { [weak self] in
      self?.channels[id] = nil
      if role == .acceptor { self?.admission.ended(id) }
    }
    return channel
  }

  private func begin(
    _ channel: PeerChannel, _ id: UInt64, _ opened: @escaping (Result<PeerChannel, NetworkError>) -> Void
  ) {
    channel.begin(
      channel.isEncrypted ? context : nil, own: configuration.identity.fingerprint,
      decide: configuration.decide, opened: opened)
  }
}

// MARK: Outgoing connections

extension PeerEndpoint {
  /// Connects to a peer at the first of its addresses that answers.
  ///
  /// - Parameters:
  ///   - addresses: In the order in which to try them.
  ///   - completion: Called once, on the loop's thread.
  /// - Returns: An object that can cancel the attempt; `completion` is then called with `.notOpen`.
  @discardableResult
  package func connect(
    to addresses: [SocketAddress], security: Security = .encrypted,
    completion: @escaping @Sendable (Result<PeerChannel, NetworkError>) -> Void
  ) -> Attempt {
    let attempt = Attempt(self)
    loop.perform { [self] in
      guard !isStopped, !attempt.isCancelled else { return completion(.failure(.notOpen)) }
      lastID += 1
      attempt.id = lastID
      dial(addresses, security, lastID, completion)
    }
    return attempt
  }

  /// Begins a channel over a socket that is connected to a peer another way, such as through a server.
  ///
  /// - Parameters:
  ///   - descriptor: Does not block; it belongs to the endpoint from now on.
  ///   - completion: Called once, on the loop's thread.
  package func connect(
    over descriptor: Int32, to remote: SocketAddress,
    completion: @escaping @Sendable (Result<PeerChannel, NetworkError>) -> Void
  ) -> Attempt {
    let attempt = Attempt(self)
    loop.perform { [self] in
      guard !isStopped, !attempt.isCancelled else {
        close(descriptor)
        return completion(.failure(.notOpen))
      }
      lastID += 1
      attempt.id = lastID
      begin(makeChannel(lastID, descriptor, remote, .initiator, .encrypted), lastID) { completion($0) }
    }
    return attempt
  }

  /// Connects to a peer at the first of its addresses that answers.
  package func connect(
    to addresses: [SocketAddress], security: Security = .encrypted
  ) async throws(NetworkError) -> PeerChannel {
    let result = await withCheckedContinuation { continuation in
      connect(to: addresses, security: security) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// A connection attempt in progress.
  package final class Attempt: Sendable {
    private let state = Mutex<(id: UInt64?, isCancelled: Bool)>((nil, false))
    private let endpoint: PeerEndpoint

    fileprivate init(_ endpoint: PeerEndpoint) { self.endpoint = endpoint }

    fileprivate var id: UInt64? {
      get { state.withLock { $0.id } }
      set { state.withLock { $0.id = newValue } }
    }
    fileprivate var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels the attempt, unless the channel is already open.
    package func cancel() {
      state.withLock { $0.isCancelled = true }
      endpoint.loop.perform { [self] in
        if let id { endpoint.cancelAttempt(id) }
      }
    }
  }

  private func cancelAttempt(_ id: UInt64) {
    dials.removeValue(forKey: id)?.cancel()
    guard let channel = channels[id], channel.phase != .open, channel.phase != .closing else { return }
    channel.finish(nil)
  }

  private func dial(
    _ addresses: [SocketAddress], _ security: Security, _ id: UInt64,
    _ completion: @escaping @Sendable (Result<PeerChannel, NetworkError>) -> Void
  ) {
    let dial = Dial(
      loop: loop, addresses: addresses, stagger: configuration.stagger, timeout: configuration.connectTimeout
    ) { [weak self] result in
      guard let self else { return completion(.failure(.notOpen)) }
      dials[id] = nil
      switch result {
      case .success(let (descriptor, remote)):
        begin(makeChannel(id, descriptor, remote, .initiator, security), id) { completion($0) }
      case .failure(let error): completion(.failure(error))
      }
    }
    dials[id] = dial
    dial.begin()
  }
}
