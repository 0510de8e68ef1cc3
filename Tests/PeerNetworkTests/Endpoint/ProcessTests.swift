import Foundation
import NearbyPeerNetwork
import TestSupport
import Testing

/// Each process contains Avahi, or shares the machine's daemon if there is one.
@Suite("Processes on one machine", .tags(.slow), .ownThreads)
struct ProcessTests {
  @Test("Two processes find each other and connect, and report a changed text and a goodbye")
  func two() async throws {
    let type = DiscoveryTests.freshType()
    let left = try PeerProcess(type, "a")
    let right = try PeerProcess(type, "b", meets: true)
    let (leftPlace, rightPlace) = (try await left.place(), try await right.place())
    try await right.line("connected \(leftPlace.fingerprint) a")
    try await left.line("arrived \(rightPlace.fingerprint)")
    left.writeLine("text changed")
    try await right.said.until { $0.contains { $0.hasPrefix("changed a") && $0.hasSuffix("key=changed") } }
    try await left.finish()
    try await right.line("lost a")
    #expect(right.count("failed") == 0)
    #expect(left.count("failed") == 0)
  }

  @Test("Threads can still use OpenSSL while the process exits")
  func late() async throws {
    let peer = try PeerProcess(DiscoveryTests.freshType(), "late", isLate: true)
    _ = try await peer.place()
    try await peer.finish()
    #expect(peer.said.entries.contains("at exit true"), "\(peer.said.entries)")
  }

  @Test("A restarted process keeps its service name and is found at its new port")
  func killed() async throws {
    let type = DiscoveryTests.freshType()
    let watcher = try PeerProcess(type, "watcher", meets: true)
    let first = try PeerProcess(type, "phone")
    let firstPlace = try await first.place()
    try await watcher.line("found phone other \(firstPlace.port)")
    first.kill()
    try await first.line("ended")
    let second = try PeerProcess(type, "phone")
    let secondPlace = try await second.place()
    try await watcher.said.until { lines in
      lines.contains { $0.contains(" phone other \(secondPlace.port) ") }
    }
    try await second.line("registered phone")
    #expect(!second.said.entries.contains("registered phone #2"))
  }

  @Test("Ten processes started at once all find and connect to each other, and no name conflicts")
  func ten() async throws {
    let type = DiscoveryTests.freshType()
    let names = (0..<10).map { "peer\($0)" }
    let peers = try names.map { try PeerProcess(type, $0, meets: true) }
    for (index, peer) in peers.enumerated() {
      for name in names where name != names[index] { try await peer.line("found \(name) other") }
      try await peer.said.until { $0.count { $0.hasPrefix("connected ") } == index }
      try await peer.said.until { $0.count { $0.hasPrefix("arrived ") } == names.count - 1 - index }
      try await peer.line("registered \(names[index])")
      #expect(peer.said.entries.filter { $0.hasPrefix("failed") || $0.hasPrefix("refused") } == [])
    }
    for peer in peers { try await peer.finish() }
  }
}
