import Foundation
import PeerNetwork
import TestSupport
import Testing

/// Each process has Avahi in it, or shares the machine's daemon where there is one.
@Suite("Processes on one machine", .timeLimit(.minutes(2)), .tags(.slow), .ownThreads)
struct ProcessTests {
  @Test(
    "Two processes find each other and connect, follow the text, and notice a kill no more than a goodbye")
  func two() async throws {
    let type = DiscoveryTests.freshType()
    let left = try PeerProcess(type, "a")
    let right = try PeerProcess(type, "b", meets: true)
    let (leftPlace, rightPlace) = (await left.place(), await right.place())
    await right.line("connected \(leftPlace.fingerprint) a")
    await left.line("arrived \(rightPlace.fingerprint)")
    left.tell("text changed")
    await right.said.until { $0.contains { $0.hasPrefix("changed a") && $0.hasSuffix("key=changed") } }
    await left.finish()
    await right.line("lost a")
    #expect(right.count("failed") == 0 && left.count("failed") == 0)
  }

  @Test("A killed process comes back under its name and is found at its new port")
  func killed() async throws {
    let type = DiscoveryTests.freshType()
    let watcher = try PeerProcess(type, "watcher", meets: true)
    let first = try PeerProcess(type, "phone")
    let firstPlace = await first.place()
    await watcher.line("found phone other \(firstPlace.port)")
    first.kill()
    await first.line("ended")
    let second = try PeerProcess(type, "phone")
    let secondPlace = await second.place()
    await watcher.said.until { lines in
      lines.contains { $0.contains(" phone other \(secondPlace.port) ") }
    }
    await second.line("registered phone")
    #expect(!second.said.entries.contains("registered phone #2"))
  }

  @Test("Ten processes at once: each finds each, every pair connects, no name is disputed")
  func ten() async throws {
    let type = DiscoveryTests.freshType()
    let names = (0..<10).map { "peer\($0)" }
    let peers = try names.map { try PeerProcess(type, $0, meets: true) }
    for (index, peer) in peers.enumerated() {
      for name in names where name != names[index] { await peer.line("found \(name) other") }
      await peer.said.until { $0.count { $0.hasPrefix("connected ") } == index }
      await peer.said.until { $0.count { $0.hasPrefix("arrived ") } == names.count - 1 - index }
      await peer.line("registered \(names[index])")
      #expect(peer.count("failed") == 0 && peer.count("refused") == 0)
    }
    for peer in peers { await peer.finish() }
  }
}
