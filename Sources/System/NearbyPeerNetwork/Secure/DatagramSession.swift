import CNearbyOpenSSL

/// The DTLS handshakes and encryption of one association, without socket or clock: datagrams and the time go
/// in, datagrams and decrypted payloads come out.
///
/// The client, the side that began the channel, retransmits what was lost, and starts over if that does not
/// help. The server only answers, and replaces its current connection only once a new handshake is complete.
/// So the client becomes ready only with a handshake that the server has completed, and both use the same
/// one.
final class DatagramSession {
  /// Overhead of one DTLS record in octets: header, explicit nonce and tag.
  static let recordCost = 13 + 8 + 16
  /// How long the client waits before it starts over, so that datagrams in flight are gone.
  static let pause = Duration.milliseconds(250)
  /// Delay before the first retransmission; it doubles each time.
  static let firstRepeat = Duration.milliseconds(50)
  /// Duration of the first handshake attempt. It doubles with each attempt up to `longestTry`, for slow
  /// paths.
  static let firstTry = Duration.seconds(1)
  static let longestTry = Duration.seconds(4)
  private static let cipher = "PSK-AES128-GCM-SHA256"

  private let isClient: Bool
  private let key: [UInt8]
  private let mtu: Int
  private let context: OpaquePointer
  /// Sends one datagram.
  private let transmit: (Span<UInt8>) -> Void
  private let receive: (Span<UInt8>) -> Void

  /// The connection whose handshake is complete.
  private var current: DatagramConnection?
  /// A connection whose handshake is in progress.
  private var candidate: DatagramConnection?
  /// When the client gives up its candidate, or creates one if it has no candidate.
  private var turnsAt: Duration?
  private var repeatsAt: Duration?
  private var repeatDelay = firstRepeat
  private var attempts = 0
  private var isClosed = false
  /// Separate buffers for the two directions, because a receiver may reply immediately.
  private var opened = [UInt8](repeating: 0, count: 17 * 1024)
  private var sealed = [UInt8](repeating: 0, count: 17 * 1024)

  /// - Parameters:
  ///   - mtu: Largest datagram in octets.
  ///   - send: Called with datagrams for the other side.
  ///   - receive: Called with what the other side passed to `send`.
  init(
    isClient: Bool, key: [UInt8], mtu: Int, send: @escaping (Span<UInt8>) -> Void,
    receive: @escaping (Span<UInt8>) -> Void
  ) throws(NetworkError) {
    try SecureLibrary.prepare()
    guard let context = Self.makeContext(isClient: isClient) else {
      throw .secureLayer(reason: Certificates.libraryReason())
    }
    self.isClient = isClient
    self.key = key
    self.mtu = mtu
    self.context = context
    self.transmit = send
    self.receive = receive
  }

  deinit {
    current = nil
    candidate = nil
    SSL_CTX_free(context)
  }

  /// Whether datagrams can be exchanged.
  var isReady: Bool { current.map { !$0.isDead } ?? false }

  /// When to call `wake` next.
  var wakesAt: Duration? {
    guard let turnsAt else { return nil }
    return repeatsAt.map { min($0, turnsAt) } ?? turnsAt
  }

  /// Starts, once the other side's address is known.
  func begin(at now: Duration) {
    if isClient { beginAnew(at: now) }
  }

  /// Ends, notifying the other side.
  func close() {
    isClosed = true
    if let current { say(current.shutDown()) }
    current = nil
    candidate = nil
    turnsAt = nil
  }

  /// Sends one datagram, or drops it if there is no connection.
  func send(_ octets: [UInt8]) {
    guard let current else { return }
    let count = current.seal(octets, in: &sealed)
    guard count > 0 else { return }
    let sealed = sealed
    transmit(sealed.span.extracting(first: count))
  }

  /// Handles a received datagram.
  func received(_ octets: Span<UInt8>, at now: Duration) {
    guard let shape = DatagramShape(of: octets) else { return }
    received(octets, shape, at: now)
  }

  /// Handles a received datagram whose shape is known.
  func received(_ octets: Span<UInt8>, _ shape: DatagramShape, at now: Duration) {
    guard !isClosed else { return }
    switch shape {
    case .sealed: open(octets, at: now)
    case .hello: if !isClient { answerHello(octets) }
    case .handshake: if isClient { goOn(octets, at: now) } else { answer(octets) }
    }
  }

  /// Does what is due.
  func wake(at now: Duration) {
    guard isClient, !isClosed, let turnsAt else { return }
    if now >= turnsAt { return beginAnew(at: now) }
    guard let repeatsAt, now >= repeatsAt, let candidate else { return }
    say(candidate.flight)
    repeatDelay *= 2
    self.repeatsAt = now + repeatDelay
  }

  private func open(_ octets: Span<UInt8>, at now: Duration) {
    guard let current else { return }
    current.open(octets, in: &opened) { octets in
      receive(octets)
      return !isClosed
    }
    guard current.isDead, !isClosed else { return }
    if isClient {
      pauseBeforeNext(at: now)
    } else {
      // The sealed alert makes the other side start over. A dead connection repeats it in reply to
      // everything.
      say(current.farewell)
    }
  }

  private func say(_ octets: [UInt8]) {
    if !octets.isEmpty { transmit(octets.span) }
  }
}

// MARK: The client

extension DatagramSession {
  private func beginAnew(at now: Duration) {
    current = nil
    candidate = makeConnection()
    attempts += 1
    turnsAt = now + min(Self.firstTry * (1 << min(attempts - 1, 8)), Self.longestTry)
    guard let candidate, candidate.shakeHands().progress == .goesOn else { return pauseBeforeNext(at: now) }
    sayFlight(of: candidate, at: now)
  }

  private func goOn(_ octets: Span<UInt8>, at now: Duration) {
    guard let candidate, candidate.answer(to: octets) == nil else { return }
    let (progress, hasAnswer) = candidate.shakeHands(octets)
    switch progress {
    case .goesOn: if hasAnswer { sayFlight(of: candidate, at: now) }
    case .failed: pauseBeforeNext(at: now)
    case .done:
      current = candidate
      self.candidate = nil
      turnsAt = nil
      repeatsAt = nil
      attempts = 0
    }
  }

  private func sayFlight(of connection: DatagramConnection, at now: Duration) {
    say(connection.flight)
    repeatDelay = Self.firstRepeat
    repeatsAt = now + repeatDelay
  }

  /// Starts over with the same key after a pause, because a datagram fitted no handshake: it was forged,
  /// duplicated or late.
  private func pauseBeforeNext(at now: Duration) {
    current = nil
    candidate = nil
    repeatsAt = nil
    turnsAt = now + Self.pause
  }
}

// MARK: The server

extension DatagramSession {
  /// Handles a hello. An unknown one starts a new handshake; until that is complete, the current connection
  /// continues.
  private func answerHello(_ octets: Span<UInt8>) {
    // The client has already got further with the current connection, so it needs no answer to this hello.
    guard current?.answer(to: octets) == nil else { return }
    if let answer = candidate?.answer(to: octets) { return say(answer) }
    guard let made = makeConnection() else { return }
    let (progress, hasAnswer) = made.shakeHands(octets)
    guard progress == .goesOn, hasAnswer else { return }
    candidate = made
    say(made.flight)
  }

  private func answer(_ octets: Span<UInt8>) {
    if let answer = current?.answer(to: octets) ?? candidate?.answer(to: octets) { return say(answer) }
    guard let candidate else { return }
    let (progress, hasAnswer) = candidate.shakeHands(octets)
    if progress == .failed { self.candidate = nil }
    if hasAnswer { say(candidate.flight) }
    guard progress == .done else { return }
    current = candidate
    self.candidate = nil
  }
}

// MARK: The library

extension DatagramSession {
  private func makeConnection() -> DatagramConnection? {
    defer { ERR_clear_error() }
    // The callbacks find the key through this pointer; the session outlives its connections.
    return DatagramConnection(
      context, isClient: isClient, mtu: mtu, owner: Unmanaged.passUnretained(self).toOpaque())
  }

  private static func makeContext(isClient: Bool) -> OpaquePointer? {
    guard let context = SSL_CTX_new(DTLS_method()) else { return nil }
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(DTLS1_2_VERSION), nil)
    SSL_CTX_set_cipher_list(context, cipher)
    // The limit of the path comes from the channel's socket, not from the library's guesses.
    SSL_CTX_set_options(context, 1 << 12)  // SSL_OP_NO_QUERY_MTU
    if isClient {
      SSL_CTX_set_psk_client_callback(context) { connection, _, identity, identitySize, key, keySize in
        guard let identity, identitySize > 1 else { return 0 }
        identity[0] = CChar(bitPattern: UInt8(ascii: "n"))
        identity[1] = 0
        return DatagramSession.copyKey(of: connection, to: key, size: keySize)
      }
    } else {
      SSL_CTX_set_psk_server_callback(context) { connection, _, key, keySize in
        DatagramSession.copyKey(of: connection, to: key, size: keySize)
      }
    }
    return context
  }

  private static func copyKey(
    of connection: OpaquePointer?, to place: UnsafeMutablePointer<UInt8>?, size: UInt32
  ) -> UInt32 {
    guard let owner = SSL_get_ex_data(connection, 0), let place else { return 0 }
    let key = Unmanaged<DatagramSession>.fromOpaque(owner).takeUnretainedValue().key
    guard key.count <= Int(size) else { return 0 }
    for (index, octet) in key.enumerated() { place[index] = octet }
    return UInt32(key.count)
  }
}
