import CNearbyOpenSSL
import Foundation

/// What all TLS channels of one endpoint share: its key and the rules.
///
/// TLS 1.3 only, certificates from both sides, and no tickets: each handshake proves both keys.
///
/// `@unchecked Sendable`: not changed after `init`, and the library's reference counts are thread-safe.
final class TLSContext: @unchecked Sendable {
  /// The protocol's name in ALPN.
  static let protocolName: [UInt8] = Array("nearby/1".utf8)
  /// Largest number of octets read from the socket at once: four full records.
  private static let readBuffer = 4 * (16 * 1024 + 256)

  let pointer: OpaquePointer

  init(identity: PeerKey) throws(NetworkError) {
    try SecureLibrary.prepare()
    guard let context = SSL_CTX_new(TLS_method()) else {
      throw .secureLayer(reason: Certificates.libraryReason())
    }
    pointer = context
    Self.setRules(context)
    guard SSL_CTX_use_certificate(context, identity.certificate) == 1,
      SSL_CTX_use_PrivateKey(context, identity.key) == 1
    else { throw .badIdentity(Certificates.libraryReason()) }
    for certificate in identity.chain {
      guard SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(certificate)) == 1 else {
        throw .badIdentity(Certificates.libraryReason())
      }
    }
  }

  deinit { SSL_CTX_free(pointer) }

  private static func setRules(_ context: OpaquePointer) {
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_3_VERSION), nil)
    SSL_CTX_set_ciphersuites(
      context, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256")
    SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, UnsafeMutableRawPointer(mutating: groups.utf8Start))
    // Accept every certificate here; the app decides once the handshake has proved the key.
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
    SSL_CTX_set_cert_verify_callback(context, { _, _ in 1 }, nil)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_CERT_LIST, 64 * 1024, nil)
    SSL_CTX_set_num_tickets(context, 0)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
    let modes = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
    SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(modes), nil)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_READ_AHEAD, 1, nil)
    SSL_CTX_set_default_read_buffer_len(context, readBuffer)
    let offer = [UInt8(protocolName.count)] + protocolName
    SSL_CTX_set_alpn_protos(context, offer, UInt32(offer.count))
    SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
  }

  private static let groups: StaticString = "X25519:P-256"
}

/// Selects our protocol from a client's offer, or ends the handshake.
private func selectProtocol(
  _ connection: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  _ chosenCount: UnsafeMutablePointer<UInt8>?, _ offer: UnsafePointer<UInt8>?, _ offerCount: UInt32,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  let name = TLSContext.protocolName
  var index = 0
  while let offer, index < Int(offerCount) {
    let count = Int(offer[index])
    guard index + 1 + count <= Int(offerCount) else { break }
    if UnsafeBufferPointer(start: offer + index + 1, count: count).elementsEqual(name) {
      // The pointer into the client's offer is enough, because the library copies the name.
      chosen?.pointee = offer + index + 1
      chosenCount?.pointee = UInt8(count)
      return SSL_TLSEXT_ERR_OK
    }
    index += 1 + count
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL
}
