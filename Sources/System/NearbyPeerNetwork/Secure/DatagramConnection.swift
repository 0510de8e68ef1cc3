import CNearbyOpenSSL

/// One DTLS connection that is given received datagrams, and returns those to be sent.
///
/// The library's retransmission timer is switched off, because it uses the system's clock; the owner decides
/// what to send again.
final class DatagramConnection {
  enum Progress { case goesOn, done, failed }

  /// In microseconds; longer than any handshake attempt.
  private static let never: UInt32 = 3_600_000_000
  /// Number of datagrams whose answers are kept; a handshake has two.
  private static let answerLimit = 4

  private let connection: OpaquePointer
  /// Owned by the connection.
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer
  /// Whether the connection has failed or ended; it then decrypts nothing more.
  private(set) var isDead = false
  /// The sealed alert that a dead connection leaves to be sent.
  private(set) var farewell: [UInt8] = []
  /// Handshake datagrams that were answered, with their answers.
  private var answers: [(heard: [UInt8], answer: [UInt8])] = []
  /// What was sent last in the handshake.
  private(set) var flight: [UInt8] = []

  /// - Parameter mtu: Largest datagram of the handshake in octets.
  init?(_ context: OpaquePointer?, isClient: Bool, mtu: Int, owner: UnsafeMutableRawPointer) {
    guard let made = SSL_new(context) else { return nil }
    guard let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
      SSL_free(made)
      return nil
    }
    connection = made
    self.incoming = incoming
    self.outgoing = outgoing
    SSL_set_bio(made, incoming, outgoing)
    SSL_ctrl(made, DTLS_CTRL_SET_LINK_MTU, mtu, nil)
    DTLS_set_timer_cb(made, { _, _ in DatagramConnection.never })
    SSL_set_ex_data(made, 0, owner)
    if isClient { SSL_set_connect_state(made) } else { SSL_set_accept_state(made) }
  }

  deinit { SSL_free(connection) }

  // MARK: Handshake

  /// Starts the handshake, or continues it with a datagram.
  ///
  /// - Returns: The progress, and whether `flight` now contains a new answer to send.
  func shakeHands(_ octets: Span<UInt8>? = nil) -> (progress: Progress, hasAnswer: Bool) {
    if let octets { put(octets) }
    ERR_clear_error()
    let result = SSL_do_handshake(connection)
    let isWaiting = result != 1 && SSL_get_error(connection, result) == SSL_ERROR_WANT_READ
    ERR_clear_error()
    dropRest()
    let answer = takeOutput()
    // After a failure the output is an unencrypted alert, which the other side ignores.
    guard result == 1 || isWaiting else { return (.failed, false) }
    if !answer.isEmpty {
      flight = answer
      if let octets, answers.count < Self.answerLimit { answers.append((octets.array, answer)) }
    }
    return (result == 1 ? .done : .goesOn, !answer.isEmpty)
  }

  /// The answer to a datagram that was received before. If it is received again, the answer was lost.
  func answer(to octets: Span<UInt8>) -> [UInt8]? {
    answers.first { $0.heard.span.equals(octets) }?.answer
  }

  // MARK: Datagrams

  /// Decrypts a datagram. A datagram may contain several records, so `receive` may be called several times,
  /// until it returns `false`.
  func open(_ octets: Span<UInt8>, in room: inout [UInt8], _ receive: (Span<UInt8>) -> Bool) {
    guard !isDead else { return }
    put(octets)
    var count: Int32
    repeat {
      ERR_clear_error()
      count = SSL_read(connection, &room, Int32(clamping: room.count))
      if count <= 0, SSL_get_error(connection, count) != SSL_ERROR_WANT_READ { isDead = true }
    } while count > 0 && receive(room.span.extracting(first: Int(count)))
    ERR_clear_error()
    dropRest()
    if isDead { farewell = takeOutput() }
  }

  /// Encrypts one datagram.
  ///
  /// - Returns: The size of the datagram to be sent, in `room`; 0 if the connection is dead.
  func seal(_ octets: [UInt8], in room: inout [UInt8]) -> Int {
    guard !isDead else { return 0 }
    ERR_clear_error()
    if SSL_write(connection, octets, Int32(clamping: octets.count)) <= 0 { ERR_clear_error() }
    return takeOutput(in: &room)
  }

  /// Closes the connection, and returns the datagram that says so.
  func shutDown() -> [UInt8] {
    guard !isDead else { return [] }
    ERR_clear_error()
    SSL_shutdown(connection)
    ERR_clear_error()
    return takeOutput()
  }

  /// What the library wants to send.
  func takeOutput() -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: BIO_ctrl_pending(outgoing))
    let count = takeOutput(in: &octets)
    return Array(octets.prefix(count))
  }

  private func takeOutput(in room: inout [UInt8]) -> Int {
    guard BIO_ctrl_pending(outgoing) > 0 else { return 0 }
    return Int(max(0, BIO_read(outgoing, &room, Int32(clamping: room.count))))
  }

  private func put(_ octets: Span<UInt8>) {
    octets.withUnsafeBufferPointer { _ = BIO_write(incoming, $0.baseAddress, Int32(clamping: $0.count)) }
  }

  /// Drops what the library has left of a datagram, so that the next one is not read as its continuation.
  private func dropRest() {
    if BIO_ctrl_pending(incoming) > 0 { BIO_ctrl(incoming, BIO_CTRL_RESET, 0, nil) }
  }
}

extension Span<UInt8> {
  fileprivate var array: [UInt8] { withUnsafeBufferPointer { Array($0) } }

  fileprivate func equals(_ other: Span<UInt8>) -> Bool {
    withUnsafeBufferPointer { own in other.withUnsafeBufferPointer { own.elementsEqual($0) } }
  }
}
