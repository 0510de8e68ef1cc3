import CNearbyOpenSSL
import Foundation

extension PeerKey {
  /// Reads a private key and certificates in PEM, in any order, except that the key's own certificate comes
  /// before the others.
  ///
  /// - Parameter password: Password of an encrypted key, which is refused without one.
  package convenience init(pem octets: [UInt8], password: String? = nil) throws(NetworkError) {
    let key = try Self.readKey(octets, password: password)
    var certificates = Self.readCertificates(octets)
    guard !certificates.isEmpty else {
      EVP_PKEY_free(key)
      throw .badIdentity("no certificate in the PEM text")
    }
    try self.init(key: key, certificate: certificates.removeFirst(), chain: certificates)
  }

  /// Reads a PKCS#12 container with a key, its certificate and the chain above it.
  package convenience init(pkcs12 octets: [UInt8], password: String) throws(NetworkError) {
    let container = try Self.withReader(octets) { d2i_PKCS12_bio($0, nil) }
    guard let container else {
      ERR_clear_error()
      throw .badIdentity("no PKCS#12 container")
    }
    defer { PKCS12_free(container) }
    var key: OpaquePointer?
    var certificate: OpaquePointer?
    var others: OpaquePointer?
    guard PKCS12_parse(container, password, &key, &certificate, &others) == 1 else {
      throw .badIdentity(Certificates.libraryReason())
    }
    defer { OPENSSL_sk_free(others) }
    let chain = (0..<max(0, OPENSSL_sk_num(others))).compactMap {
      OpaquePointer(OPENSSL_sk_value(others, $0))
    }
    guard let key, let certificate else {
      EVP_PKEY_free(key)
      X509_free(certificate)
      for other in chain { X509_free(other) }
      throw .badIdentity("no key with its certificate in the container")
    }
    try self.init(key: key, certificate: certificate, chain: chain)
  }

  /// The key and its certificates in PEM. The key is not encrypted, so store it where only its owner can read
  /// it.
  package func pem() throws(NetworkError) -> [UInt8] {
    guard let memory = BIO_new(BIO_s_mem()) else { throw .badIdentity("no memory") }
    defer { BIO_free(memory) }
    guard PEM_write_bio_PKCS8PrivateKey(memory, key, nil, nil, 0, nil, nil) == 1,
      ([certificate] + chain).allSatisfy({ PEM_write_bio_X509(memory, $0) == 1 })
    else { throw .badIdentity(Certificates.libraryReason()) }
    var octets = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
    let count = BIO_read(memory, &octets, Int32(clamping: octets.count))
    return Array(octets.prefix(Int(max(0, count))))
  }

  /// Reads the identity from a file, creating it if there is no file.
  ///
  /// Processes that start at the same time agree on one identity: the file appears complete or not at all,
  /// and the first one remains.
  package static func stored(at path: String, name: String = "nearby") throws(NetworkError) -> PeerKey {
    if let octets = try read(path) { return try PeerKey(pem: octets) }
    let identity = try generate(name: name)
    let draft = "\(path).\(getpid()).\(UInt32.random(in: .min ... .max))"
    try write(identity.pem(), to: draft)
    defer { unlink(draft) }
    if link(draft, path) == 0 {
      syncFolder(above: path)
      return identity
    }
    guard errno == EEXIST, let octets = try read(path) else { throw .system(call: "link", errno: errno) }
    return try PeerKey(pem: octets)
  }

  /// A key and a chain of certificates have a few KiB; a larger file is something else.
  private static let largestFile = 64 * 1024

  private static func read(_ path: String) throws(NetworkError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .system(call: "open", errno: errno)
    }
    defer { close(descriptor) }
    var octets = [UInt8](repeating: 0, count: largestFile + 1)
    var count = 0
    while count < octets.count {
      let got = octets.withUnsafeMutableBytes { raw in
        raw.baseAddress.map { Foundation.read(descriptor, $0 + count, raw.count - count) } ?? 0
      }
      if got < 0, errno != EINTR { throw .system(call: "read", errno: errno) }
      if got == 0 { break }
      count += max(0, got)
    }
    guard count <= largestFile else {
      throw .badIdentity("\(path): more than \(largestFile) octets, too many for a key with certificates")
    }
    return Array(octets[..<count])
  }

  private static func write(_ octets: [UInt8], to path: String) throws(NetworkError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(call: "open", errno: errno) }
    var rest = octets[...]
    var isFailed = false
    while !rest.isEmpty, !isFailed {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      isFailed = count < 0 && errno != EINTR
      rest = rest.dropFirst(max(0, count))
    }
    let isWhole = !isFailed && fsync(descriptor) == 0
    let number = errno
    close(descriptor)
    guard isWhole else {
      unlink(path)
      throw .system(call: "write", errno: number)
    }
  }

  /// Without this, a crash of the machine could undo the new name.
  private static func syncFolder(above path: String) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func readKey(_ octets: [UInt8], password: String?) throws(NetworkError) -> OpaquePointer {
    // Without the callback, the library would ask for a password on the terminal.
    var secret = Array((password ?? "").utf8CString)
    let key = try withReader(octets) { reader in
      secret.withUnsafeMutableBytes { raw in
        PEM_read_bio_PrivateKey(reader, nil, copyPassword, raw.baseAddress)
      }
    }
    guard let key else { throw .badIdentity("no private key: \(Certificates.libraryReason())") }
    return key
  }

  private static func readCertificates(_ octets: [UInt8]) -> [OpaquePointer] {
    let certificates = try? withReader(octets) { reader in
      var found: [OpaquePointer] = []
      while let certificate = PEM_read_bio_X509(reader, nil, copyPassword, nil) { found.append(certificate) }
      return found
    }
    ERR_clear_error()
    return certificates ?? []
  }

  private static func withReader<Result>(
    _ octets: [UInt8], _ body: (OpaquePointer) -> Result
  ) throws(NetworkError) -> Result {
    try SecureLibrary.prepare()
    let result = octets.withUnsafeBytes { raw -> Result? in
      guard let reader = BIO_new_mem_buf(raw.baseAddress, Int32(clamping: raw.count)) else { return nil }
      defer { BIO_free(reader) }
      return body(reader)
    }
    guard let result else { throw .badIdentity("nothing to read") }
    return result
  }
}

/// The PEM reader's password callback: copies the C string it was given, or fails without one.
private func copyPassword(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ isWriting: Int32,
  _ password: UnsafeMutableRawPointer?
) -> Int32 {
  guard let buffer, let password else { return -1 }
  let text = password.assumingMemoryBound(to: CChar.self)
  let count = strlen(text)
  guard count > 0, count <= Int(size) else { return -1 }
  memcpy(buffer, text, count)
  return Int32(count)
}
