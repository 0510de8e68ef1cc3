import Foundation

/// Keys and certificates made by openssl, each in its own file.
final class IdentityFiles: Sendable {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "swift-nearby-\(UUID().uuidString)")

  struct Failed: Error { let status: Int32 }

  /// `plain.pem`: key and certificate; `turned.pem`: in reverse order; `locked.pem` and `both.p12`: the same,
  /// encrypted with “secret”; `key.pem`: only the key; `other.pem`: another key and certificate;
  /// `stranger.pem`: a key with another key's certificate.
  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-ec", Self.script]
    process.currentDirectoryURL = folder
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func read(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }

  private static let script = """
    make() {
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj /CN=$1 \
        -keyout $1.key -out $1.crt
      cat $1.key $1.crt > $1.pem
    }
    make plain
    make other
    cp plain.key key.pem
    cat plain.crt plain.key > turned.pem
    cat plain.key other.crt > stranger.pem
    openssl pkcs8 -topk8 -in plain.key -out locked.key -passout pass:secret
    cat locked.key plain.crt > locked.pem
    openssl pkcs12 -export -in plain.pem -out both.p12 -passout pass:secret
    """
}
