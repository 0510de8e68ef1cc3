import Foundation
import Synchronization
import TestSupport
import Testing

@testable import NearbyPeerNetwork

@Suite("Datagrams on a bad network", .ownThreads)
struct DatagramTests {
  @Test(
    "With loss, duplication and delay, datagrams arrive at most once and unforged",
    arguments: [1, 2, 3, 4])
  func badNetwork(seed: UInt64) async throws {
    let network = Mutex((random: SeededGenerator(seed: seed), late: [[UInt8]]()))
    let pair = try await RelayedPair { _, octets in
      network.withLock { network in
        var passed = network.late
        network.late = []
        switch UInt8.random(in: 0..<10, using: &network.random) {
        case 0..<2: break
        case 2..<4: passed += [octets, octets]
        case 4..<6: network.late = [octets]
        default: passed.insert(octets, at: 0)
        }
        return passed
      }
    }
    try await pair.expectPassage([0xFF])
    for number in 0..<300 {
      pair.client.send([1, UInt8(number & 0xFF), UInt8(number >> 8)])
      pair.server.send([2, UInt8(number & 0xFF), UInt8(number >> 8)])
    }
    pair.relay.change { _, octets in [octets] }
    try await pair.expectPassage([0xFE])
    for (mark, side) in [(UInt8(2), pair.client), (1, pair.server)] {
      let numbers = side.received.entries.filter { $0.count == 3 }
      #expect(numbers.allSatisfy { $0[0] == mark }, "seed \(seed)")
      #expect(Set(numbers).count == numbers.count, "seed \(seed): a datagram arrived twice")
      #expect(numbers.count > 50, "seed \(seed)")
    }
  }

  @Test("Replayed datagrams are ignored")
  func replay() async throws {
    let heard = Mutex<[(DatagramRelay.Direction, [UInt8])]>([])
    let pair = try await RelayedPair { direction, octets in
      heard.withLock { $0.append((direction, octets)) }
      return [octets]
    }
    try await pair.expectPassage([0xFF])
    for number in 0..<50 { pair.client.send([1, UInt8(number)]) }
    try await pair.server.received.until { $0.contains([1, 49]) }
    let all = heard.withLock { $0 }
    for _ in 0..<3 { for (direction, octets) in all { pair.relay.inject(octets, direction) } }
    try await pair.expectPassage([0xFE])
    let numbers = pair.server.received.entries.filter { $0.count == 2 }
    #expect(Set(numbers).count == numbers.count)
    #expect(numbers.count <= 50)
    #expect(numbers.count == 50)
  }

  @Test("Forged datagrams before, during and after the handshake are ignored", arguments: [1, 2, 3])
  func forged(seed: UInt64) async throws {
    let state = Mutex((random: SeededGenerator(seed: seed), left: 20))
    let pair = try await RelayedPair { _, octets in
      state.withLock { state in
        guard state.left > 0 else { return [octets] }
        state.left -= 1
        return [DatagramForgery.of(octets, &state.random), octets, DatagramForgery.of(octets, &state.random)]
      }
    }
    try await pair.expectPassage([0xFF])
    state.withLock { $0.left = 2000 }
    for number in 0..<100 { pair.client.send([1, UInt8(number)]) }
    // The association must stay ready.
    try await pair.expectPassage([1, 99])
    state.withLock { $0.left = 0 }
    try await pair.expectPassage([0xFE])
    let known: Set<[UInt8]> = Set([[0xFF], [0xFE]] + (0..<100).map { [1, UInt8($0)] })
    #expect(pair.server.received.entries.allSatisfy(known.contains), "seed \(seed)")
    #expect(pair.client.received.entries.allSatisfy(known.contains), "seed \(seed)")
  }

  @Test("A record too short for its authentication tag, which OpenSSL 3.0 cannot handle, is ignored")
  func shortRecord() async throws {
    let pair = try await RelayedPair { _, octets in [octets] }
    try await pair.expectPassage([0xFF])
    for count in 0..<24 {
      for type: UInt8 in 20...23 {
        let record =
          [type, 0xFE, 0xFD, 0, 1, 0, 0, 0, 0, 1, 0, 0, UInt8(count)] + [UInt8](repeating: 7, count: count)
        pair.relay.inject(record, .toServer)
        pair.relay.inject(record, .toClient)
      }
    }
    try await pair.expectPassage([0xFE])
    for side in [pair.client, pair.server] {
      #expect(Set(side.received.entries) == [[0xFF], [0xFE]])
    }
  }
}
