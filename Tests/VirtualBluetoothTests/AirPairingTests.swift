import NearbyBluetooth
import NearbyVirtualBluetooth
import Testing

/// A phone that is connected to a tag.
private struct Meeting {
  var bench: AirBench
  let phone: BluetoothUser
  let peer: BluetoothPeer

  init(seed: UInt64 = 1) throws {
    bench = AirBench(seed: seed)
    phone = bench.central(0)
    bench.serve(bench.peripheral(1))
    let met = bench.meet(phone)
    peer = try #require(met).peer
    bench.heard = [:]
  }

  mutating func pair() { bench.perform(.pair(peer), phone) }
  var names: [String] { bench.names(phone) }
}

@Suite("Pairing on request")
struct AirPairingTests {
  @Test(
    "It pairs once; afterwards the answer comes at once, also on the next link, which is encrypted when it begins"
  )
  func pairing() throws {
    var meeting = try Meeting()
    meeting.pair()
    #expect(meeting.names.isEmpty)
    meeting.bench.run(.seconds(3))
    #expect(meeting.names == ["paired"] && meeting.bench.air.isPaired(0, with: 1))
    meeting.pair()
    #expect(meeting.names == ["paired", "paired"])
    meeting.bench.perform(.disconnect(meeting.peer), meeting.phone)
    meeting.bench.run(.seconds(3))
    meeting.bench.perform(.connect(meeting.peer), meeting.phone)
    meeting.bench.run(.seconds(5))
    meeting.bench.heard = [:]
    meeting.pair()
    #expect(meeting.names == ["paired"])
  }

  @Test("Either side may refuse", arguments: [0, 1])
  func refused(by device: Int) throws {
    var meeting = try Meeting()
    meeting.bench.air.setAcceptsPairing(false, device: device)
    meeting.pair()
    meeting.bench.run(.seconds(3))
    #expect(meeting.names == ["paired pairingFailed"] && !meeting.bench.air.isPaired(0, with: 1))
  }

  @Test("Without a connection it fails, and a peer that lost its keys ends the link")
  func withoutKeys() throws {
    var meeting = try Meeting()
    meeting.pair()
    meeting.bench.run(.seconds(3))
    meeting.bench.perform(.disconnect(meeting.peer), meeting.phone)
    meeting.bench.run(.seconds(3))
    meeting.bench.heard = [:]
    meeting.pair()
    #expect(meeting.names == ["paired notConnected"])
    meeting.bench.air.unpair(1, from: nil)
    meeting.bench.perform(.connect(meeting.peer), meeting.phone)
    meeting.bench.heard = [:]
    meeting.bench.run(.seconds(5))
    #expect(meeting.names == ["connected", "disconnected pairingFailed"])
    meeting.pair()
    #expect(meeting.names.last == "paired notConnected")
  }

  @Test("With losses it ends in a pairing or a failure", arguments: 1...100)
  func losses(seed: UInt64) throws {
    var meeting = try Meeting(seed: seed)
    meeting.bench.medium.loss = 0.6
    meeting.pair()
    meeting.bench.run(.seconds(40))
    let isOver = meeting.names.contains { $0.hasPrefix("paired") }
    #expect(isOver, "seed \(seed): \(meeting.names)")
    #expect(meeting.bench.air.isPaired(1, with: 0) || !meeting.names.contains("paired"), "seed \(seed)")
  }
}
