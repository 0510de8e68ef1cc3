import CommonCrypto
import CryptoKit
import Testing

/// The octets of a text of hexadecimal digits.
private func octets(_ text: String) -> [UInt8] {
  stride(from: 0, to: text.count, by: 2).map { place in
    let start = text.index(text.startIndex, offsetBy: place)
    return UInt8(text[start..<text.index(start, offsetBy: 2)], radix: 16) ?? 0
  }
}

private func text<S: Sequence<UInt8>>(_ octets: S) -> String {
  octets.map { String(format: "%02x", $0) }.joined()
}

// Digests of "abc": FIPS 180-4's examples, and RFC 1321, appendix A.5.
private let abc = Data("abc".utf8)
private let md5 = "900150983cd24fb0d6963f7d28e17f72"
private let sha1 = "a9993e364706816aba3e25717850c26c9cd0d89d"
private let sha224 = "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"
private let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
private let sha384 =
  "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
private let sha512 =
  "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
  + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
// RFC 4231, section 4.3, with SHA-256.
private let question = Data("what do ya want for nothing?".utf8)
private let answer = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"

@Suite("CryptoKit's hash functions")
struct CryptoKitTests {
  @Test("Digests are those of the standards")
  func digests() {
    #expect(text(SHA256.hash(data: abc)) == sha256)
    #expect(text(SHA384.hash(data: abc)) == sha384)
    #expect(text(SHA512.hash(data: abc)) == sha512)
    #expect(text(Insecure.SHA1.hash(data: abc)) == sha1)
    #expect(text(Insecure.MD5.hash(data: abc)) == md5)
    #expect(SHA256.hash(data: abc).description == "SHA256 digest: " + sha256)
    #expect(SHA256.hash(data: abc) == Data(octets(sha256)) && SHA256.hash(data: abc) != abc)
    #expect(SHA256.byteCount == 32 && SHA512.blockByteCount == 128 && SHA384Digest.byteCount == 48)
    #expect(SHA256.hash(data: abc).withUnsafeBytes { Data($0) } == Data(octets(sha256)))
    #expect(SHA256.hash(data: abc).compactMap { String(format: "%02x", $0) }.joined() == sha256)
  }

  @Test("A digest in parts is that of the whole, and a copy goes its own way")
  func parts() {
    var first = SHA256()
    first.update(data: Data("a".utf8))
    var second = first
    second.update(data: Data("x".utf8))
    first.update(data: Data("b".utf8))
    first.update(data: [0x63])
    #expect(text(first.finalize()) == sha256)
    #expect(text(first.finalize()) == sha256)
    #expect(second.finalize() == SHA256.hash(data: Data("ax".utf8)))
    first.update(data: [0])
    #expect(first.finalize() == SHA256.hash(data: abc + [0]))
    #expect(text(SHA256.hash(data: Data())).hasPrefix("e3b0c442"))
  }

  @Test("HMAC proves who wrote a message")
  func hmac() {
    let key = SymmetricKey(data: Data("Jefe".utf8))
    let code = HMAC<SHA256>.authenticationCode(for: question, using: key)
    #expect(text(code) == answer && code.byteCount == 32)
    #expect(HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: question, using: key))
    #expect(
      HMAC<SHA256>.isValidAuthenticationCode(Data(octets(answer)), authenticating: question, using: key))
    #expect(!HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: abc, using: key))
    var parts = HMAC<SHA256>(key: key)
    parts.update(data: question.prefix(5))
    parts.update(data: question.dropFirst(5))
    #expect(parts.finalize() == code)
    // RFC 4231, section 4.7: a key longer than a block is hashed first.
    let long = SymmetricKey(data: [UInt8](repeating: 0xAA, count: 131))
    let message = Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
    #expect(text(HMAC<SHA256>.authenticationCode(for: message, using: long)).hasPrefix("60e431591ee0b67f"))
  }

  @Test("HKDF derives the key of RFC 5869, appendix A.1")
  func hkdf() {
    let key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: [UInt8](repeating: 0x0B, count: 22)), salt: [UInt8](0...0x0C),
      info: [UInt8](0xF0...0xF9), outputByteCount: 42)
    #expect(
      text(key.withUnsafeBytes { Array($0) })
        == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
  }

  @Test("Keys have their length, and random ones differ")
  func keys() {
    let key = SymmetricKey(size: .bits256)
    #expect(key.bitCount == 256 && key == key && key != SymmetricKey(size: .bits256))
    #expect(SymmetricKey(data: abc).withUnsafeBytes { Data($0) } == abc)
  }
}

@Suite("CommonCrypto's functions")
struct CommonCryptoTests {
  @Test("Digests at once")
  func digests() {
    func digest(
      _ count: Int32,
      _ function: (UnsafeRawPointer?, CC_LONG, UnsafeMutablePointer<UInt8>?) -> UnsafeMutablePointer<UInt8>?
    ) -> String {
      var hash = [UInt8](repeating: 0, count: Int(count))
      abc.withUnsafeBytes { _ = function($0.baseAddress, CC_LONG(abc.count), &hash) }
      return text(hash)
    }
    #expect(digest(CC_MD5_DIGEST_LENGTH) { CC_MD5($0, $1, $2) } == md5)
    #expect(digest(CC_SHA1_DIGEST_LENGTH) { CC_SHA1($0, $1, $2) } == sha1)
    #expect(digest(CC_SHA224_DIGEST_LENGTH) { CC_SHA224($0, $1, $2) } == sha224)
    #expect(digest(CC_SHA256_DIGEST_LENGTH) { CC_SHA256($0, $1, $2) } == sha256)
    #expect(digest(CC_SHA384_DIGEST_LENGTH) { CC_SHA384($0, $1, $2) } == sha384)
    #expect(digest(CC_SHA512_DIGEST_LENGTH) { CC_SHA512($0, $1, $2) } == sha512)
  }

  @Test("Digests in parts, in memory of the app's own; nothing happens without a beginning")
  func parts() {
    let context = UnsafeMutablePointer<CC_SHA256_CTX>.allocate(capacity: 1)
    defer { context.deallocate() }
    var hash = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
    CC_SHA256_Init(context)
    var copy = context.pointee
    #expect(CC_SHA256_Update(context, "ab", 2) == 1 && CC_SHA256_Update(context, "c", 1) == 1)
    #expect(CC_SHA256_Update(&copy, "abc", 3) == 1)
    #expect(CC_SHA256_Final(&hash, context) == 1 && text(hash) == sha256)
    hash = []
    hash = [UInt8](repeating: 0, count: 32)
    #expect(CC_SHA256_Final(&hash, &copy) == 1 && text(hash) == sha256)
    #expect(CC_SHA256_Final(&hash, context) == 0)
    var empty = CC_SHA1_CTX()
    #expect(CC_SHA1_Update(&empty, "a", 1) == 0)
  }

  @Test("HMAC at once and in parts")
  func hmac() {
    var code = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
    question.withUnsafeBytes {
      CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), "Jefe", 4, $0.baseAddress, $0.count, &code)
    }
    #expect(text(code) == answer)
    var context = CCHmacContext()
    code = [UInt8](repeating: 0, count: 32)
    CCHmacInit(&context, CCHmacAlgorithm(kCCHmacAlgSHA256), "Jefe", 4)
    CCHmacUpdate(&context, "what do ya want ", 16)
    CCHmacUpdate(&context, "for nothing?", 12)
    CCHmacFinal(&context, &code)
    #expect(text(code) == answer)
    CCHmac(99, "k", 1, "m", 1, &code)
    #expect(text(code) == answer)
  }

  /// NIST SP 800-38A, sections F.1.1 and F.2.1: the first block.
  @Test("AES encrypts the blocks of the standard", arguments: [true, false])
  func blocks(isChained: Bool) {
    let (status, output, _) = crypt(
      kCCEncrypt, options: isChained ? 0 : kCCOptionECBMode, octets("6bc1bee22e409f96e93d7e117393172a"))
    #expect(status == kCCSuccess)
    #expect(
      text(output) == (isChained ? "7649abac8119b246cee98e9b12e9197d" : "3ad77bb40d7a3660a89ecaf32466ef97"))
  }

  @Test("A padded message of any length is decrypted again", arguments: 0...33)
  func padded(count: Int) {
    let message = [UInt8](repeating: 7, count: count)
    for (algorithm, key) in [(kCCAlgorithmAES, 16), (kCCAlgorithmAES128, 32), (kCCAlgorithm3DES, 24)] {
      let (status, sealed, _) = crypt(
        kCCEncrypt, algorithm, options: kCCOptionPKCS7Padding, keyCount: key, message)
      #expect(status == kCCSuccess && sealed.count > count)
      let (again, opened, _) = crypt(
        kCCDecrypt, algorithm, options: kCCOptionPKCS7Padding, keyCount: key, sealed)
      #expect(again == kCCSuccess && opened == message)
    }
  }

  @Test("Errors say what is wrong")
  func errors() {
    let block = [UInt8](repeating: 0, count: 16)
    #expect(crypt(kCCEncrypt, options: 0, [1]).status == kCCAlignmentError)
    #expect(crypt(kCCEncrypt, options: 0, keyCount: 15, block).status == kCCKeySizeError)
    #expect(crypt(kCCEncrypt, kCCAlgorithmDES, options: 0, keyCount: 8, block).status == kCCUnimplemented)
    #expect(crypt(2, options: 0, block).status == kCCParamError)
    #expect(crypt(kCCDecrypt, options: kCCOptionPKCS7Padding, block).status == kCCDecodeError)
    let small = crypt(kCCEncrypt, options: kCCOptionPKCS7Padding, block, room: 31)
    #expect(small.status == kCCBufferTooSmall && small.moved == 32)
  }

  private func crypt(
    _ operation: Int, _ algorithm: Int = kCCAlgorithmAES, options: Int, keyCount: Int = 16, _ input: [UInt8],
    room: Int = 64
  ) -> (status: Int, output: [UInt8], moved: Int) {
    let key = Array((octets("2b7e151628aed2a6abf7158809cf4f3c") + [UInt8](1...16)).prefix(keyCount))
    var output = [UInt8](repeating: 0, count: room)
    var moved = 0
    let status = CCCrypt(
      CCOperation(operation), CCAlgorithm(algorithm), CCOptions(options), key, key.count, [UInt8](0...15),
      input,
      input.count, &output, output.count, &moved)
    return (Int(status), Array(output.prefix(moved)), moved)
  }

  @Test("PBKDF2 derives the key of RFC 6070; a missing round is refused")
  func keyDerivation() {
    var key = [UInt8](repeating: 0, count: 20)
    let derive = { (rounds: UInt32, key: inout [UInt8]) in
      CCKeyDerivationPBKDF(
        CCPBKDFAlgorithm(kCCPBKDF2), "password", 8, Array("salt".utf8), 4,
        CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA1), rounds, &key, 20)
    }
    #expect(derive(2, &key) == Int32(kCCSuccess))
    #expect(text(key) == "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957")
    #expect(derive(0, &key) == Int32(kCCParamError))
  }

  @Test("Random octets fill exactly the memory that is given")
  func random() {
    var octets = [UInt8](repeating: 0, count: 64)
    #expect(CCRandomGenerateBytes(&octets, 32) == Int32(kCCSuccess))
    #expect(octets.prefix(32).contains { $0 != 0 } && octets.suffix(32).allSatisfy { $0 == 0 })
    #expect(CCRandomGenerateBytes(nil, 1) == Int32(kCCParamError))
  }
}
