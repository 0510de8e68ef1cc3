import NearbyBluetooth
import NearbyVirtualBluetooth
import Testing

@Suite struct LinkTests {
  @Test("A central finds, connects, discovers, reads, writes and is notified", arguments: 1...10)
  func wholeFlow(seed: UInt64) throws {
    var bench = AirBench(seed: seed)
    bench.medium.loss = 0.2
    let phone = bench.central(0)
    let speaker = bench.peripheral(1)
    bench.serve(speaker)
    let met = bench.meet(phone)
    let (peer, table) = try #require(met)
    #expect(bench.sightings(phone).contains { $0.advertisement.name == "Speaker" })
    let found = table[0].characteristics
    #expect(found.map(\.uuid.description) == ["AA01", "AA02", "AA03", "AA04"])
    #expect(found[2].descriptors.map(\.uuid.description) == ["2902"])
    bench.perform(.read(peer, found[0].id), phone)
    bench.perform(.write(peer, found[1].id, [7], withResponse: true), phone)
    bench.perform(.setNotify(peer, found[2].id, true), phone)
    bench.run(.seconds(1))
    let isTaken = bench.air.update(AirBench.notify, [5, 6], centrals: nil, of: speaker, at: bench.now)
    #expect(isTaken)
    bench.run(.seconds(1))
    #expect(
      bench.names(phone).suffix(4) == [
        "read \(found[0].id.number) [1, 2, 3]", "wrote ", "notifying true ",
        "notified \(found[2].id.number) [5, 6]",
      ], "seed \(seed): \(bench.names(phone))")
    bench.perform(.disconnect(peer), phone)
    bench.run(.seconds(3))
    #expect(bench.names(phone).last == "disconnected asked")
    #expect(bench.names(speaker).suffix(2) == ["unsubscribed", "centralGone"])
  }

  @Test("Reading a secret pairs the devices; a key lost on one side ends links")
  func pairing() throws {
    var bench = AirBench()
    let phone = bench.central(0)
    let speaker = bench.peripheral(1)
    bench.serve(speaker)
    let met = bench.meet(phone)
    let (peer, table) = try #require(met)
    let secret = table[0].characteristics[3].id
    bench.perform(.read(peer, secret), phone)
    bench.run(.seconds(1))
    #expect(bench.names(phone).last == "read \(secret.number) [9, 9]")
    #expect(bench.air.isPaired(0, with: 1) && bench.air.isPaired(1, with: 0))
    bench.perform(.disconnect(peer), phone)
    bench.run(.seconds(1))
    bench.air.unpair(1, from: 0)
    bench.perform(.connect(peer), phone)
    bench.run(.seconds(2))
    #expect(bench.names(phone).suffix(2) == ["connected", "disconnected pairingFailed"])
    bench.air.unpair(0, from: nil)
    bench.perform(.connect(peer), phone)
    bench.run(.seconds(1))
    bench.perform(.read(peer, secret), phone)
    bench.run(.seconds(1))
    #expect(bench.names(phone).last == "read \(secret.number) [9, 9]")
  }

  @Test("A link that hears nothing is lost on both sides after its supervision timeout")
  func supervision() throws {
    var bench = AirBench()
    let phone = bench.central(0)
    let speaker = bench.peripheral(1)
    bench.serve(speaker)
    let met = bench.meet(phone)
    let (peer, table) = try #require(met)
    bench.perform(.setNotify(peer, table[0].characteristics[2].id, true), phone)
    bench.run(.seconds(1))
    bench.medium.cut = [[0, 1]]
    bench.run(.milliseconds(1500))
    #expect(bench.names(phone).last == "notifying true ")
    bench.run(.seconds(1))
    #expect(bench.names(phone).last == "disconnected connectionTimeout")
    #expect(bench.names(speaker).suffix(2) == ["unsubscribed", "centralGone"])
    bench.perform(.connect(peer), phone)
    bench.run(.seconds(60))
    #expect(bench.names(phone).last == "disconnected connectionTimeout")
    bench.medium.cut = []
    bench.run(.seconds(2))
    #expect(bench.names(phone).last == "connected")
  }

  @Test("A full queue says no, and says when there is room")
  func backPressure() throws {
    var bench = AirBench()
    let phone = bench.central(0)
    let speaker = bench.peripheral(1)
    bench.serve(speaker)
    let met = bench.meet(phone)
    let (peer, table) = try #require(met)
    bench.perform(.setNotify(peer, table[0].characteristics[2].id, true), phone)
    bench.run(.seconds(1))
    var sent = 0
    while sent < 100,
      bench.air.update(AirBench.notify, [UInt8(sent)], centrals: nil, of: speaker, at: bench.now)
    {
      sent += 1
    }
    #expect(sent == 10)
    bench.run(.seconds(1))
    #expect(bench.names(speaker).last == "readyToUpdate")
    #expect(bench.names(phone).filter { $0.hasPrefix("notified") }.count == 10)
    var written = 0
    while written < 100, bench.air.canWrite(to: peer, of: phone) {
      bench.perform(
        .write(peer, table[0].characteristics[1].id, [UInt8(written)], withResponse: false), phone)
      written += 1
    }
    #expect(written == 10)
    bench.run(.seconds(1))
    #expect(bench.names(phone).last == "readyToWrite")
    #expect(bench.names(speaker).filter { $0 == "writeRequest" }.count == 10)
  }
}
