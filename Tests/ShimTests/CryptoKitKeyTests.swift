import CryptoKit
import Testing

private func octets(_ text: String) -> Data {
  let digits = Array(text)
  return Data(
    stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 })
}

@Suite("CryptoKit's authenticated encryption")
struct AuthenticatedEncryptionTests {
  /// NIST's submission of GCM (McGrew and Viega, 2004), test case 4.
  @Test("AES-GCM gives the standard's ciphertext and tag")
  func standardAES() throws {
    let key = SymmetricKey(data: octets("feffe9928665731c6d6a8f9467308308"))
    let message = octets(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
        + "b16aedf5aa0de657ba637b39")
    let other = octets("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    let nonce = try AES.GCM.Nonce(data: octets("cafebabefacedbaddecaf888"))
    let box = try AES.GCM.seal(message, using: key, nonce: nonce, authenticating: other)
    #expect(
      box.ciphertext
        == octets(
          "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05"
            + "1ba30b396a0aac973d58e091"))
    #expect(box.tag == octets("5bc94fbc3221a5db94fae95ae7121a47") && Data(box.nonce) == Data(nonce))
    #expect(try AES.GCM.open(box, using: key, authenticating: other) == message)
    #expect(throws: CryptoKitError.authenticationFailure) { try AES.GCM.open(box, using: key) }
  }

  /// RFC 8439, section 2.8.2.
  @Test("ChaCha20-Poly1305 gives the standard's ciphertext and tag")
  func standardChaCha() throws {
    let message = Data(
      ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
        + "sunscreen would be it.").utf8)
    let box = try ChaChaPoly.seal(
      message, using: SymmetricKey(data: Data(0x80...0x9F)),
      nonce: ChaChaPoly.Nonce(data: octets("070000004041424344454647")),
      authenticating: octets("50515253c0c1c2c3c4c5c6c7"))
    #expect(box.ciphertext.prefix(16) == octets("d31a8d34648e60db7b86afbc53ef7ec2"))
    #expect(box.tag == octets("1ae10b594f09e26a7e902ecbd0600691"))
  }

  @Test("A message of any length is opened again, from the combined form too", arguments: [0, 1, 16, 1000])
  func lengths(count: Int) throws {
    let (message, key) = (Data(repeating: 7, count: count), SymmetricKey(size: .bits256))
    let box = try AES.GCM.seal(message, using: key)
    let combined = try #require(box.combined)
    #expect(combined.count == count + 28)
    #expect(try AES.GCM.open(AES.GCM.SealedBox(combined: combined), using: key) == message)
    let other = try ChaChaPoly.seal(message, using: key)
    #expect(try ChaChaPoly.open(ChaChaPoly.SealedBox(combined: other.combined), using: key) == message)
    #expect(try AES.GCM.seal(message, using: key).nonce.map { $0 } != box.nonce.map { $0 })
  }

  @Test("Any changed octet, another key or another tag fails")
  func changed() throws {
    let (message, key) = (Data("secret".utf8), SymmetricKey(size: .bits128))
    let combined = try #require(try AES.GCM.seal(message, using: key).combined)
    for index in combined.indices {
      var bad = combined
      bad[index] ^= 1
      let box = try AES.GCM.SealedBox(combined: bad)
      #expect(throws: CryptoKitError.authenticationFailure) { try AES.GCM.open(box, using: key) }
    }
    let box = try AES.GCM.SealedBox(combined: combined)
    #expect(throws: CryptoKitError.authenticationFailure) {
      try AES.GCM.open(box, using: SymmetricKey(size: .bits128))
    }
  }

  @Test("Wrong lengths are errors")
  func wrongLengths() throws {
    let (short, message) = (SymmetricKey(data: Data(0..<15)), Data("m".utf8))
    #expect(throws: CryptoKitError.incorrectKeySize) { try AES.GCM.seal(message, using: short) }
    #expect(throws: CryptoKitError.incorrectKeySize) {
      try ChaChaPoly.seal(message, using: SymmetricKey(size: .bits128))
    }
    #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.GCM.Nonce(data: Data(0..<11)) }
    #expect(throws: CryptoKitError.incorrectParameterSize) { try ChaChaPoly.Nonce(data: Data(0..<13)) }
    #expect(throws: CryptoKitError.incorrectParameterSize) {
      try AES.GCM.SealedBox(combined: Data(repeating: 0, count: 27))
    }
    #expect(throws: CryptoKitError.incorrectParameterSize) {
      try ChaChaPoly.SealedBox(nonce: ChaChaPoly.Nonce(), ciphertext: message, tag: Data(0..<15))
    }
    let long = try AES.GCM.Nonce(data: Data(0..<16))
    #expect(try AES.GCM.seal(message, using: SymmetricKey(size: .bits256), nonce: long).combined == nil)
  }
}

@Suite("CryptoKit's Curve25519")
struct Curve25519Tests {
  /// RFC 7748, section 6.1.
  @Test("Two parties agree on the standard's secret")
  func agreement() throws {
    let ben = try Curve25519.KeyAgreement.PrivateKey(
      rawRepresentation: octets("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
    #expect(
      ben.publicKey.rawRepresentation
        == octets("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"))
    let ann = try Curve25519.KeyAgreement.PublicKey(
      rawRepresentation: octets("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"))
    let secret = try ben.sharedSecretFromKeyAgreement(with: ann)
    #expect(secret == octets("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"))
  }

  @Test("Both parties derive the same keys; another purpose gives another key")
  func derivation() throws {
    let (ann, ben) = (Curve25519.KeyAgreement.PrivateKey(), Curve25519.KeyAgreement.PrivateKey())
    let here = try ann.sharedSecretFromKeyAgreement(with: ben.publicKey)
    let there = try ben.sharedSecretFromKeyAgreement(with: ann.publicKey)
    #expect(here == there)
    func key(_ secret: SharedSecret, _ purpose: String) -> SymmetricKey {
      secret.hkdfDerivedSymmetricKey(
        using: SHA256.self, salt: Data(), sharedInfo: Data(purpose.utf8), outputByteCount: 32)
    }
    #expect(key(here, "chat") == key(there, "chat") && key(here, "chat") != key(here, "files"))
    let other = here.x963DerivedSymmetricKey(
      using: SHA256.self, sharedInfo: Data("x".utf8), outputByteCount: 33)
    // SEC 1, section 3.6.1: digests of the secret, a counter and the information.
    let first = SHA256.hash(data: here.withUnsafeBytes { Data($0) } + [0, 0, 0, 1] + Data("x".utf8))
    #expect(other.bitCount == 264 && other.withUnsafeBytes { Data($0.prefix(32)) } == Data(first))
  }

  /// RFC 8032, section 7.1, test 2.
  @Test("Signatures are those of the standard, and prove who signed what")
  func signing() throws {
    let key = try Curve25519.Signing.PrivateKey(
      rawRepresentation: octets("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
    let signature = try key.signature(for: [0x72])
    #expect(
      signature
        == octets(
          "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"))
    #expect(key.publicKey.isValidSignature(signature, for: [0x72]))
    #expect(!key.publicKey.isValidSignature(signature, for: [0x73]))
    #expect(!key.publicKey.isValidSignature(signature.dropLast(), for: [0x72]))
    #expect(!Curve25519.Signing.PrivateKey().publicKey.isValidSignature(signature, for: [0x72]))
  }

  @Test("Keys have 32 octets, and a public key of small order gives no secret")
  func badKeys() throws {
    #expect(throws: CryptoKitError.incorrectKeySize) {
      try Curve25519.Signing.PrivateKey(rawRepresentation: Data(0..<31))
    }
    #expect(throws: CryptoKitError.incorrectKeySize) {
      try Curve25519.KeyAgreement.PublicKey(rawRepresentation: Data(0..<33))
    }
    let zero = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: Data(repeating: 0, count: 32))
    #expect(throws: CryptoKitError.invalidParameter) {
      try Curve25519.KeyAgreement.PrivateKey().sharedSecretFromKeyAgreement(with: zero)
    }
  }
}
