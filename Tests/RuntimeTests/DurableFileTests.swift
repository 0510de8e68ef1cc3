import Foundation
import NearbyPeerLink
import NearbyPeerNetwork
import TestSupport
import Testing

@testable import NearbyLive

@Suite("Files that several programs change", .ownThreads)
struct DurableFileTests {
  private let folder: URL

  init() throws { folder = try RangingFolders.temporary() }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  @Test("Programs that change a file at once lose nothing of each other's")
  func together() async throws {
    let path = path("counts.json")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for _ in 0..<20 {
            try DurableFile.withLock(on: path) {
              let data = try DurableFile.read(path)
              var counts = try data.map { try JSONDecoder().decode([String: Int].self, from: $0) } ?? [:]
              counts["\(writer)", default: 0] += 1
              try DurableFile.replace(path, with: DurableFile.json(counts), mode: 0o600)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let counts = try JSONDecoder().decode([String: Int].self, from: #require(try DurableFile.read(path)))
    #expect(counts == Dictionary(uniqueKeysWithValues: (0..<8).map { ("\($0)", 20) }))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.filter { $0.hasPrefix("counts") } == ["counts.json", "counts.json.lock"])
  }

  @Test("A secret is its owner's alone, whatever mask the process has, and so is its folder")
  func modes() throws {
    let (place, file) = (path("deep/er"), path("deep/er/secret"))
    try DurableFile.makeFolder(place)
    try DurableFile.makeFolder(place)
    try DurableFile.replace(file, with: [1, 2, 3], mode: 0o600)
    var info = stat()
    #expect(stat(file, &info) == 0 && info.st_mode & 0o777 == 0o600)
    #expect(stat(place, &info) == 0 && info.st_mode & 0o777 == 0o700)
    #expect(stat(path("deep"), &info) == 0 && info.st_mode & 0o777 == 0o700)
    #expect(try DurableFile.read(file) == Data([1, 2, 3]))
  }

  @Test("What is not there is nothing; what cannot be read is an error that says where, and is not replaced")
  func unreadable() throws {
    #expect(try DurableFile.read(path("none")) == nil)
    let blocked = path("blocked.json")
    try FileManager.default.createDirectory(atPath: blocked, withIntermediateDirectories: false)
    #expect(throws: FileFailure(call: "open", path: blocked, number: EISDIR)) {
      try DurableFile.read(blocked)
    }
    #expect(throws: FileFailure(call: "rename", path: blocked, number: EISDIR)) {
      try DurableFile.replace(blocked, with: [1], mode: 0o600)
    }
    // And no draft is left behind.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { $0 == "blocked.json" })
  }
}

@Suite("Which addresses of peers are dialled")
struct PlausibleAddressTests {
  private func address(_ host: String, port: UInt16 = 5000) throws -> SocketAddress {
    try SocketAddress(host: host, port: port)
  }

  private func networks() throws -> [LocalNetwork] {
    [
      try #require(LocalNetwork(octets: [127, 0, 0, 1], prefixLength: 8)),
      try #require(LocalNetwork(octets: [203, 0, 113, 77], prefixLength: 28)),
      try #require(
        LocalNetwork(octets: [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 12), prefixLength: 64)),
    ]
  }

  @Test(
    "Only what can be on a local network, and only ports that peers have",
    arguments: [
      ("192.168.7.7", true), ("10.1.2.3", true), ("172.31.0.1", true), ("172.32.0.1", false),
      ("100.64.0.1", true), ("100.128.0.1", false), ("169.254.3.3", true), ("8.8.8.8", false),
      ("203.0.113.65", true), ("203.0.113.81", false), ("224.0.0.251", false), ("255.255.255.255", false),
      ("0.0.0.0", false), ("127.0.0.1", false), ("::1", false), ("fe80::1", true), ("fd00::1", true),
      ("2001:db8::9", true), ("2001:db8:0:1::9", false), ("ff02::fb", false),
    ] as [(String, Bool)])
  func told(host: String, isPlausible: Bool) throws {
    let networks = try networks()
    let result = PeerContact.plausible([try address(host)], in: networks, isLoopbackKnown: false)
    #expect(result.isEmpty != isPlausible)
    let privileged = [try address(host, port: 443)]
    #expect(PeerContact.plausible(privileged, in: networks, isLoopbackKnown: true).isEmpty)
  }

  @Test(
    "Loopback is dialled where this machine found it, or has nothing else; of many addresses the first eight")
  func loopbackAndMany() throws {
    let loopback = [try address("127.0.0.1")]
    #expect(PeerContact.plausible(loopback, in: try networks(), isLoopbackKnown: true) == loopback)
    let alone = Array(try networks().prefix(1))
    #expect(PeerContact.plausible(loopback, in: alone, isLoopbackKnown: false) == loopback)
    let many = try (1...70).map { try address("10.0.0.\($0)") }
    #expect(PeerContact.plausible(many, in: [], isLoopbackKnown: false) == Array(many.prefix(8)))
  }

  @Test("A name of one character gets more on the network, for Avahi refuses it")
  func shortType() throws {
    #expect(PeerDirectory.name(of: try ServiceType("x")) == "_x-nearby._tcp")
    #expect(PeerDirectory.name(of: try ServiceType("xy")) == "_xy._tcp")
  }
}
