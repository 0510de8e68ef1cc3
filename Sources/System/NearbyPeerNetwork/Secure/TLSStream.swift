import CNearbyOpenSSL
import Foundation

/// One TLS connection over a non-blocking socket. Used on its loop's thread only.
final class TLSStream {
  enum Progress: Equatable { case done, wantsRead, wantsWrite, ended(isClean: Bool), failed(NetworkError) }

  private let connection: OpaquePointer

  init(_ context: TLSContext, descriptor: Int32, isClient: Bool) throws(NetworkError) {
    guard let connection = SSL_new(context.pointer) else {
      throw .secureLayer(reason: Certificates.libraryReason())
    }
    self.connection = connection
    guard let socket = SocketBIO.make(for: descriptor) else {
      throw .secureLayer(reason: Certificates.libraryReason())
    }
    SSL_set_bio(connection, socket, socket)
    if isClient { SSL_set_connect_state(connection) } else { SSL_set_accept_state(connection) }
  }

  deinit { SSL_free(connection) }

  func handshake() -> Progress {
    ERR_clear_error()
    let result = SSL_do_handshake(connection)
    return result == 1 ? .done : progress(result)
  }

  /// Reads decrypted octets.
  ///
  /// - Returns: How many were read, and if none, why.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, Progress) {
    ERR_clear_error()
    var count = 0
    let result = SSL_read_ex(connection, buffer.baseAddress, buffer.count, &count)
    return result == 1 ? (count, .done) : (0, progress(result))
  }

  /// Whether octets have been read from the socket that `read` has not returned yet.
  var hasUnread: Bool { SSL_has_pending(connection) == 1 }

  func write(_ octets: UnsafeRawBufferPointer) -> (count: Int, Progress) {
    ERR_clear_error()
    var count = 0
    let result = SSL_write_ex(connection, octets.baseAddress, octets.count, &count)
    return result == 1 ? (count, .done) : (0, progress(result))
  }

  /// Stops reading beyond the current record, because what follows may not be TLS.
  func stopReadingAhead() { SSL_set_read_ahead(connection, 0) }

  /// Ends this side's direction; the other direction continues.
  func endSending() -> Progress {
    ERR_clear_error()
    let result = SSL_shutdown(connection)
    return result >= 0 ? .done : progress(result)
  }

  /// Sends close_notify, ignoring errors.
  func shutDown() {
    ERR_clear_error()
    SSL_shutdown(connection)
    ERR_clear_error()
  }

  /// What the other side proved; available after the handshake.
  func credentials() throws(NetworkError) -> PeerCredentials {
    guard let leaf = SSL_get1_peer_certificate(connection) else { throw .refused(.certificate) }
    defer { X509_free(leaf) }
    let own = try Certificates.octets(of: leaf)
    let sent = SSL_get_peer_cert_chain(connection)
    let chain = (0..<max(0, OPENSSL_sk_num(sent))).compactMap { OpaquePointer(OPENSSL_sk_value(sent, $0)) }
    var all = try PeerCredentials(leaf: leaf, chain: chain)
    // On the client, the library's chain contains the peer's own certificate too.
    if all.chain.count > 1, all.chain[1] == own {
      all = PeerCredentials(fingerprint: all.fingerprint, chain: Array(all.chain.dropFirst()))
    }
    return all
  }

  /// Whether both sides agreed on our protocol.
  var isOurProtocol: Bool {
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(connection, &name, &count)
    return UnsafeBufferPointer(start: name, count: Int(count)).elementsEqual(TLSContext.protocolName)
  }

  /// Keying material that only the two ends of this connection know (RFC 8446, section 7.5).
  func exportKey(label: String, count: Int) throws(NetworkError) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: count)
    let name = Array(label.utf8CString)
    guard
      SSL_export_keying_material(connection, &key, count, name, name.count - 1, nil, 0, 0) == 1
    else { throw .secureLayer(reason: Certificates.libraryReason()) }
    return key
  }

  private func progress(_ result: Int32) -> Progress {
    let number = errno
    switch SSL_get_error(connection, result) {
    case SSL_ERROR_WANT_READ: return .wantsRead
    case SSL_ERROR_WANT_WRITE: return .wantsWrite
    case SSL_ERROR_ZERO_RETURN: return .ended(isClean: true)
    case SSL_ERROR_SYSCALL:
      ERR_clear_error()
      // The connection was cut, with or without an error from the system.
      let isCut = number == 0 || number == ECONNRESET || number == EPIPE
      return isCut ? .ended(isClean: false) : .failed(.system(call: "TLS", errno: number))
    default:
      let code = ERR_peek_last_error()
      let reason = Certificates.libraryReason()
      let isCut = code & 0x7F_FFFF == UInt(SSL_R_UNEXPECTED_EOF_WHILE_READING)
      return isCut ? .ended(isClean: false) : .failed(.secureLayer(reason: reason))
    }
  }
}
