import CNearbyOpenSSL
import Foundation
import NearbyPeerNetwork

/// A key with another peer's public half and its own private half, as an attacker with a stolen certificate
/// might make.
enum ForgedKey {
  static func identity(certificate victim: PeerKey, key own: PeerKey) -> PeerKey? {
    guard let victimText = try? victim.pem(), let ownText = try? own.pem(),
      let victimKey = read(victimText), let ownKey = read(ownText)
    else { return nil }
    defer {
      EVP_PKEY_free(victimKey)
      EVP_PKEY_free(ownKey)
    }
    guard let forged = forge(publicOf: victimKey, privateOf: ownKey), let keyText = write(forged) else {
      return nil
    }
    let text = String(decoding: victimText, as: UTF8.self)
    guard let start = text.range(of: "-----BEGIN CERTIFICATE") else { return nil }
    return try? PeerKey(pem: keyText + Array(text[start.lowerBound...].utf8))
  }

  private static func read(_ pem: [UInt8]) -> OpaquePointer? {
    pem.withUnsafeBytes { raw in
      guard let reader = BIO_new_mem_buf(raw.baseAddress, Int32(raw.count)) else { return nil }
      defer { BIO_free(reader) }
      return PEM_read_bio_PrivateKey(reader, nil, nil, nil)
    }
  }

  private static func write(_ key: OpaquePointer) -> [UInt8]? {
    guard let memory = BIO_new(BIO_s_mem()) else { return nil }
    defer {
      BIO_free(memory)
      EVP_PKEY_free(key)
    }
    guard PEM_write_bio_PKCS8PrivateKey(memory, key, nil, nil, 0, nil, nil) == 1 else { return nil }
    var octets = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
    return BIO_read(memory, &octets, Int32(octets.count)) > 0 ? octets : nil
  }

  /// A C string that outlives the call.
  private static func lasting(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  private static func forge(publicOf victim: OpaquePointer, privateOf own: OpaquePointer) -> OpaquePointer? {
    var point = [UInt8](repeating: 0, count: 133)
    var count = 0
    var number: OpaquePointer?
    guard EVP_PKEY_get_octet_string_param(victim, "pub", &point, point.count, &count) == 1,
      EVP_PKEY_get_bn_param(own, "priv", &number) == 1, let builder = OSSL_PARAM_BLD_new()
    else { return nil }
    defer {
      BN_free(number)
      OSSL_PARAM_BLD_free(builder)
    }
    // The builder keeps pointers, even to names.
    let made = point.withUnsafeBytes { raw in
      OSSL_PARAM_BLD_push_utf8_string(builder, lasting("group"), lasting("P-256"), 0)
      OSSL_PARAM_BLD_push_octet_string(builder, lasting("pub"), raw.baseAddress, count)
      OSSL_PARAM_BLD_push_BN(builder, lasting("priv"), number)
      return OSSL_PARAM_BLD_to_param(builder)
    }
    guard let parameters = made, let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else {
      return nil
    }
    defer {
      OSSL_PARAM_free(parameters)
      EVP_PKEY_CTX_free(context)
    }
    var key: OpaquePointer?
    EVP_PKEY_fromdata_init(context)
    // EVP_PKEY_KEYPAIR: parameters, public and private half.
    let selection = Int32(0x84 | 0x02 | 0x01)
    return EVP_PKEY_fromdata(context, &key, selection, parameters) == 1 ? key : nil
  }
}
