import Foundation
import TestSupport
import Testing

@testable import NearbyPeerNetwork

@Suite("Peer keys", .ownThreads)
struct IdentityTests {
  @Test("A key is written and read back as PEM and as a file that other users cannot read")
  func storage() throws {
    let identity = try PeerKey.generate()
    #expect(try PeerKey(pem: identity.pem()).fingerprint == identity.fingerprint)
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("id-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let first = try PeerKey.stored(at: path)
    #expect(try PeerKey.stored(at: path).fingerprint == first.fingerprint)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("A key file that is too large is refused, and the error has its path")
  func tooLarge() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("id-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let pem = Data(try PeerKey.generate().pem())
    let most = 64 * 1024
    try (pem + Data(repeating: 10, count: most - pem.count)).write(to: URL(fileURLWithPath: path))
    _ = try PeerKey.stored(at: path)
    try (pem + Data(repeating: 10, count: most - pem.count + 1)).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: NetworkError.self) { try PeerKey.stored(at: path) }
    #expect("\(String(describing: error))".contains(path))
  }

  @Test(
    "An invalid PEM or PKCS#12 identity is refused",
    arguments: ["", "hello", "-----BEGIN PRIVATE KEY-----\nAAAA\n"])
  func refused(text: String) throws {
    #expect(throws: NetworkError.self) { try PeerKey(pem: Array(text.utf8)) }
    #expect(throws: NetworkError.self) { try PeerKey(pkcs12: Array(text.utf8), password: "") }
    // A key with another key's certificate.
    let one = String(decoding: try PeerKey.generate().pem(), as: UTF8.self)
    let other = String(decoding: try PeerKey.generate().pem(), as: UTF8.self)
    let cut = try #require(one.range(of: "-----BEGIN CERT"))
    let start = try #require(other.range(of: "-----BEGIN CERT"))
    let mixed = one[..<cut.lowerBound] + other[start.lowerBound...]
    #expect(throws: NetworkError.self) { try PeerKey(pem: Array(mixed.utf8)) }
  }

  @Test(
    "A PKCS#12 container made by openssl is read with its password and refused without",
    .needs(.openssl))
  func container() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("p12-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let identity = try PeerKey.generate()
    try Data(identity.pem()).write(to: folder.appendingPathComponent("id.pem"))
    let made = Spawning.shell(
      "cd \(folder.path) && openssl pkcs12 -export -in id.pem -out id.p12 -passout pass:secret")
    #expect(made.status == 0, "\(made.output)")
    let octets = Array(try Data(contentsOf: folder.appendingPathComponent("id.p12")))
    #expect(try PeerKey(pkcs12: octets, password: "secret").fingerprint == identity.fingerprint)
    #expect(throws: NetworkError.self) { try PeerKey(pkcs12: octets, password: "wrong") }
  }

  @Test(
    "openssl s_client is accepted only with a certificate, our ALPN protocol and TLS 1.3",
    .needs(.openssl),
    arguments: [
      ("-cert id.pem -key id.pem -alpn nearby/1", true), ("-alpn nearby/1", false),
      ("-cert id.pem -key id.pem -alpn h2", false), ("-cert id.pem -key id.pem", false),
      ("-cert id.pem -key id.pem -alpn nearby/1 -tls1_2", false),
    ])
  func foreignClient(options: String, isTaken: Bool) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sc-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let identity = try PeerKey.generate()
    try Data(identity.pem()).write(to: folder.appendingPathComponent("id.pem"))
    let server = try End()
    // A preamble of eight octets that accepts, and the message after it.
    let command = """
      cd \(folder.path) && printf 'NRBY\\001\\000\\000\\000hello' | \
      timeout 20 openssl s_client -connect 127.0.0.1:\(server.port) -quiet -no_ign_eof \(options)
      """
    let client = Task.onOwnThread { Spawning.shell(command) }
    if isTaken {
      let channel = try await server.arrival()
      #expect(channel.credentials?.fingerprint == identity.fingerprint)
      let told = channel.record()
      let entries = try await told.until { $0.end != nil }
      #expect(entries.octets == Array("hello".utf8))
    } else {
      let error = try await server.refusal()
      #expect(error.isSecureLayer || error == .refused(.otherProtocol), "\(error)")
    }
    _ = try await client.value
  }
}
