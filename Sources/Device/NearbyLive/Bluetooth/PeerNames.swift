import Foundation
import NearbyBluetooth
import NearbyKeyDerivation
import NearbyOctets

/// Derives peers' identifiers from their addresses: random without the secret, the same in every process of this
/// user.
struct PeerNames: Sendable {
  private static let count = 32
  private let secret: [UInt8]

  init(file: URL?) { secret = file.flatMap(Self.kept) ?? Self.made() }

  func peer(address: String) -> BluetoothPeer {
    let octets = KeyDerivation.expand(
      secret: secret, salt: Array("swift-nearby bluetooth peer".utf8), info: Array(address.utf8), count: 16)
    // The version and variant bits of a random UUID.
    let high = octets.span.bigEndian(UInt64.self, at: 0) & ~0xF000 | 0x4000
    let low = octets.span.bigEndian(UInt64.self, at: 8) & ~(3 << 62) | 2 << 62
    return BluetoothPeer(high: high, low: low)
  }

  private static func made() -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max) } }

  /// Reads the secret from the file, or makes the file.
  private static func kept(in file: URL) -> [UInt8]? {
    if let octets = try? Data(contentsOf: file), octets.count == count { return [UInt8](octets) }
    let secret = made()
    let draft = file.path + ".\(getpid()).\(UInt32.random(in: .min ... .max))"
    try? FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    guard
      FileManager.default.createFile(
        atPath: draft, contents: Data(secret), attributes: [.posixPermissions: 0o600])
    else { return nil }
    // Atomic: if two processes make a secret at once, the first one stays.
    link(draft, file.path)
    unlink(draft)
    let octets = (try? Data(contentsOf: file)).map { [UInt8]($0) }
    return octets?.count == count ? octets : secret
  }
}
