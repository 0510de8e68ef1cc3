import CNearbyOpenSSL

/// SHA-256 (FIPS 180-4), by OpenSSL.
package enum SHA256Digest {
  /// The 32 octets of a digest.
  package static func of(_ octets: some Sequence<UInt8>) -> [UInt8] {
    let message = Array(octets)
    var digest = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    let result = EVP_Digest(message, message.count, &digest, &length, EVP_sha256(), nil)
    precondition(result == 1 && length == 32, "OpenSSL computed no SHA-256")
    return digest
  }

  /// A digest as 64 hexadecimal digits.
  package static func hexadecimal(of octets: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for octet in of(octets) { text += [digits[Int(octet >> 4)], digits[Int(octet & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
