// Parts of the C library come by whichever of these modules the compiler meets first.
import CAvahi
import CLinux
import COpenSSL
import Foundation

/// Datagrams to one peer beside a channel: DTLS 1.2 with a key that the channel's TLS exported, or bare.
///
/// Both sides' sockets hear only each other, so no stranger's datagram gets as far as the library. Used on
/// its loop's thread only.
final class DatagramAssociation {
  /// What the key is exported for.
  static let keyLabel = "EXPORTER-nearby-datagrams"
  static let keyCount = 32
  /// What the side that begins waits before it begins anew: what is on its way is gone by then.
  private static let pause = Duration.milliseconds(250)
  private static let cipher = "PSK-AES128-GCM-SHA256"
  /// Header, explicit nonce and tag of one record.
  private static let recordCost = 13 + 8 + 16
  /// The most that one record carries.
  private static let recordLimit = 16 * 1024

  private let loop: EventLoop
  private let descriptor: Int32
  private let isIPv6: Bool
  private let isClient: Bool
  private let context: OpaquePointer?
  private var connection: OpaquePointer?
  /// The accepting side's next connection: the other side has begun anew, and has yet to prove that it is who it was.
  private var successor: OpaquePointer?
  private let key: [UInt8]
  private let opened: (Int) -> Void
  private let receive: (Span<UInt8>) -> Void
  private var alarm: UInt64?
  /// When the handshake that is under way began, and how many there were with it.
  private var began = ContinuousClock.now
  private var attempts = 0
  private var isClosed = false
  /// Datagrams pass from now on.
  private(set) var isReady = false
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  private(set) var limit = 0

  let port: UInt16

  /// Takes a socket beside a channel's.
  ///
  /// - Parameters:
  ///   - local: The address of this side of the channel, so that both take the same way.
  ///   - key: Of the channel; `nil` sends in the clear.
  ///   - opened: Called when datagrams pass, with the size of the largest.
  init(
    loop: EventLoop, local: SocketAddress, isClient: Bool, key: [UInt8]?, opened: @escaping (Int) -> Void,
    receive: @escaping (Span<UInt8>) -> Void
  ) throws(NetworkError) {
    self.loop = loop
    self.isClient = isClient
    self.key = key ?? []
    self.opened = opened
    self.receive = receive
    isIPv6 = local.isIPv6
    var place = local
    place.port = 0
    descriptor = try Sockets.datagrams(at: place)
    port = Sockets.localAddress(of: descriptor)?.port ?? 0
    context = key == nil ? nil : Self.makeContext(isClient: isClient)
  }

  deinit {
    SSL_free(connection)
    SSL_free(successor)
    SSL_CTX_free(context)
    // Only an association that was never opened or closed still has its socket.
    if !isClosed { Foundation.close(descriptor) }
  }

  /// Begins, once the other side's port is known.
  func open(to remote: SocketAddress) throws(NetworkError) {
    try Sockets.join(descriptor, to: remote)
    findLimit()
    if context != nil { try makeConnection() }
    try loop.watch(descriptor, for: .readable) { [weak self] _ in self?.readable() }
    if context == nil { becomeReady() } else { advance() }
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    isReady = false
    loop.cancel(alarm)
    loop.unwatch(descriptor)
    if let connection, SSL_is_init_finished(connection) == 1 { SSL_shutdown(connection) }
    ERR_clear_error()
    SSL_free(connection)
    SSL_free(successor)
    connection = nil
    successor = nil
    Foundation.close(descriptor)
  }

  /// Sends one datagram at once, or not at all.
  func send(_ octets: [UInt8]) throws(NetworkError) {
    guard isReady else { throw .noDatagrams }
    guard octets.count <= limit, !octets.isEmpty else { throw .tooLarge(limit: limit) }
    let count: Int
    if let connection {
      ERR_clear_error()
      count = Int(SSL_write(connection, octets, Int32(octets.count)))
    } else {
      count = Foundation.send(descriptor, octets, octets.count, 0)
    }
    guard count <= 0 else { return }
    if errno == EMSGSIZE {
      findLimit()
      throw .tooLarge(limit: limit)
    }
    // A full socket or a peer that is away for a moment: the datagram is lost, as any may be.
    ERR_clear_error()
  }

  private func findLimit() {
    let cost = (isIPv6 ? 48 : 28) + (context == nil ? 0 : Self.recordCost)
    limit = min(Self.recordLimit, Sockets.pathMTU(of: descriptor, isIPv6: isIPv6) - cost)
  }

  private func readable() {
    guard isReady || connection != nil else { return drain() }
    advance()
    // A turn's worth: a flood must not keep the loop from its channels.
    for _ in 0..<64 where isReady && !isClosed {
      if !isClient, connection != nil, serveSuccessor() { continue }
      guard let count = readOne(), count >= 0 else { return }
      if count > 0 { receive(buffer.span.extracting(first: count)) }
    }
  }

  /// Takes off what comes between one connection and the next, or the loop would find it again and again.
  private func drain() {
    while recv(descriptor, &buffer, buffer.count, 0) >= 0 {}
  }

  /// - Returns: How many octets came, 0 for a datagram to be passed over, `nil` when none waits.
  private func readOne() -> Int? {
    guard let connection else {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == ECONNREFUSED { return 0 }
      return count < 0 ? nil : count
    }
    ERR_clear_error()
    let count = SSL_read(connection, &buffer, Int32(buffer.count))
    if count > 0 { return Int(count) }
    switch SSL_get_error(connection, count) {
    case SSL_ERROR_WANT_READ: return nil
    // The channel says when it ends; a word of that over here is nobody's.
    case SSL_ERROR_ZERO_RETURN: isReady = false
    default:
      // A refused datagram comes back as an error of the next read, and means nothing for the ones after.
      if errno != ECONNREFUSED { isReady = false }
    }
    ERR_clear_error()
    return nil
  }

  // MARK: the handshake

  private func becomeReady() {
    isReady = true
    opened(limit)
  }

  private func advance() {
    if !isClient, !isReady, let connection, DatagramHello.waits(at: descriptor, otherThan: connection) {
      // The other side gave up the handshake that this one is in.
      guard (try? makeConnection()) != nil else { return }
    }
    guard let connection, !isReady, !isClosed else { return }
    ERR_clear_error()
    let result = SSL_do_handshake(connection)
    if result == 1 {
      loop.cancel(alarm)
      return becomeReady()
    }
    switch SSL_get_error(connection, result) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: awaitTimeout()
    // A word of the system, such as that the other side's socket is not there yet: asked again in time.
    case SSL_ERROR_SYSCALL: awaitTimeout()
    default:
      // What came fits no handshake: forged, doubled or late. From the start, with the same key.
      restart(after: isClient ? Self.pause : .zero)
    }
    ERR_clear_error()
  }

  /// Serves a handshake that the other side begins although this side's is finished; until it has proved itself,
  /// what there is goes on.
  ///
  /// - Returns: Whether the datagram that waits belonged to it.
  private func serveSuccessor() -> Bool {
    guard let connection, DatagramHello.isHandshake(at: descriptor) else { return false }
    if successor == nil {
      guard DatagramHello.waits(at: descriptor, otherThan: connection) else { return false }
      successor = try? newConnection()
    }
    guard let successor else { return false }
    ERR_clear_error()
    let result = SSL_do_handshake(successor)
    if result == 1 {
      SSL_free(connection)
      self.connection = successor
      self.successor = nil
    } else if SSL_get_error(successor, result) != SSL_ERROR_WANT_READ {
      SSL_free(successor)
      self.successor = nil
    }
    ERR_clear_error()
    return true
  }

  private func awaitTimeout() {
    guard let connection else { return }
    loop.cancel(alarm)
    // In the midst of the other side's flight the library has no alarm, and would wait for the rest for ever.
    var left = timeval()
    if SSL_ctrl(connection, DTLS_CTRL_GET_TIMEOUT, 0, &left) != 1 { left = timeval(tv_sec: 1, tv_usec: 0) }
    let delay = Duration.seconds(left.tv_sec) + .microseconds(Int64(left.tv_usec)) + .milliseconds(1)
    alarm = loop.schedule(after: delay) { [weak self] in
      guard let self, let connection = self.connection, !isReady else { return }
      if hasTriedLong || SSL_ctrl(connection, DTLS_CTRL_HANDLE_TIMEOUT, 0, nil) < 0 {
        ERR_clear_error()
        restart(after: .zero)
      } else {
        advance()
      }
    }
  }

  /// Whether the side that begins had better begin anew: the other may be in no handshake, or in another.
  ///
  /// A second at first, up to four, for ways that are slow.
  private var hasTriedLong: Bool {
    isClient && ContinuousClock.now - began > .seconds(1 << min(attempts - 1, 2))
  }

  private func restart(after delay: Duration) {
    SSL_free(connection)
    connection = nil
    loop.cancel(alarm)
    alarm = loop.schedule(after: delay) { [weak self] in
      guard let self, !isClosed else { return }
      guard (try? makeConnection()) != nil else { return }
      advance()
    }
  }

  private func makeConnection() throws(NetworkError) {
    SSL_free(connection)
    connection = nil
    connection = try newConnection()
    began = .now
    attempts += 1
  }

  private func newConnection() throws(NetworkError) -> OpaquePointer {
    guard let made = SSL_new(context), let socket = BIO_new_dgram(descriptor, BIO_NOCLOSE) else {
      throw .secureLayer(reason: Certificates.libraryReason())
    }
    var remote = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    withUnsafeMutablePointer(to: &remote) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getpeername(descriptor, $0, &size) }
    }
    BIO_ctrl(socket, BIO_CTRL_DGRAM_SET_CONNECTED, 0, &remote)
    SSL_set_bio(made, socket, socket)
    SSL_ctrl(
      made, DTLS_CTRL_SET_LINK_MTU, Sockets.pathMTU(of: descriptor, isIPv6: isIPv6) - (isIPv6 ? 48 : 28), nil)
    DTLS_set_timer_cb(made, { _, last in last == 0 ? 50_000 : min(last * 2, 2_000_000) })
    if isClient { SSL_set_connect_state(made) } else { SSL_set_accept_state(made) }
    // The key is found through the connection; it outlives it.
    SSL_set_ex_data(made, 0, Unmanaged.passUnretained(self).toOpaque())
    return made
  }

  private static func makeContext(isClient: Bool) -> OpaquePointer? {
    guard let context = SSL_CTX_new(DTLS_method()) else { return nil }
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(DTLS1_2_VERSION), nil)
    SSL_CTX_set_cipher_list(context, cipher)
    // The path's limit comes from the channel's socket, not from the library's guesses.
    SSL_CTX_set_options(context, 1 << 12)  // SSL_OP_NO_QUERY_MTU
    if isClient {
      SSL_CTX_set_psk_client_callback(context) { connection, _, identity, identitySize, key, keySize in
        guard let identity, identitySize > 1 else { return 0 }
        identity[0] = CChar(bitPattern: UInt8(ascii: "n"))
        identity[1] = 0
        return DatagramAssociation.copyKey(of: connection, to: key, size: keySize)
      }
    } else {
      SSL_CTX_set_psk_server_callback(context) { connection, _, key, keySize in
        DatagramAssociation.copyKey(of: connection, to: key, size: keySize)
      }
    }
    return context
  }

  private static func copyKey(
    of connection: OpaquePointer?, to place: UnsafeMutablePointer<UInt8>?, size: UInt32
  ) -> UInt32 {
    guard let owner = SSL_get_ex_data(connection, 0), let place else { return 0 }
    let key = Unmanaged<DatagramAssociation>.fromOpaque(owner).takeUnretainedValue().key
    guard key.count <= Int(size) else { return 0 }
    for (index, octet) in key.enumerated() { place[index] = octet }
    return UInt32(key.count)
  }
}
