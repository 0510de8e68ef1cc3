import NearbyBluetooth
import NearbyVirtualBluetooth
import Testing

@Suite struct LinkTests {
  @Test("A central finds a peripheral, connects, discovers, reads, writes and is notified", arguments: 1...10)
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

  @Test(
    "Reading an encrypted value pairs the devices; if one side loses the key, links end until both pair again"
  )
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
    #expect(bench.air.isPaired(0, with: 1))
    #expect(bench.air.isPaired(1, with: 0))
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

  @Test("Handles of removed services are reused, and centrals find the current services")
  func handlesAreGivenBack() throws {
    var bench = AirBench()
    let phone = bench.central(0)
    let speaker = bench.peripheral(1)
    let keeper = bench.peripheral(1)
    bench.serve(keeper)
    // With fifty attributes each, this is forty times what a device has handles for.
    for round in 0..<50_000 {
      let service = GATTService(
        id: AttributeID(1), uuid: BluetoothUUID(0x5678 as UInt16),
        characteristics: (0..<16).map {
          GATTCharacteristic(
            id: AttributeID(2 + $0), uuid: BluetoothUUID(0xAB01 as UInt16), properties: .read,
            permissions: .readable, value: [UInt8(truncatingIfNeeded: round)])
        })
      bench.perform(.add(service), speaker)
      if round < 49_999 { bench.perform(.remove(AttributeID(1)), speaker) }
    }
    #expect(Self.additions(bench, speaker) == [Bool](repeating: true, count: 50_000))
    let met = bench.meet(phone)
    let (peer, table) = try #require(met)
    #expect(table.map(\.uuid.description) == ["1234", "5678"])
    var handles: Set<Int> = []
    for service in table {
      handles.insert(service.id.number)
      for characteristic in service.characteristics { handles.insert(characteristic.id.number) }
    }
    #expect(handles.count == 2 + 4 + 16)
    #expect(handles.allSatisfy { $0 >= 0x20 && $0 < 0xFFFF })
    let last = table[1].characteristics[15].id
    bench.perform(.read(peer, last), phone)
    bench.run(.seconds(1))
    #expect(bench.names(phone).last == "read \(last.number) [\(49_999 & 0xFF)]")
  }

  @Test("Adding a service fails when all handles are used, and succeeds after one is removed")
  func fullTable() throws {
    var bench = AirBench()
    let speaker = bench.peripheral(1)
    func service(_ number: Int) -> GATTService {
      GATTService(
        id: AttributeID(number * 10_000), uuid: BluetoothUUID(0x5678 as UInt16),
        characteristics: (1..<2000).map {
          GATTCharacteristic(
            id: AttributeID(number * 10_000 + $0), uuid: BluetoothUUID(0xAB01 as UInt16), properties: .read,
            permissions: .readable)
        })
    }
    for number in 1...12 { bench.perform(.add(service(number)), speaker) }
    let results = Self.additions(bench, speaker)
    #expect(results.first == true)
    #expect(results.last == false)
    bench.perform(.remove(AttributeID(20_000)), speaker)
    bench.perform(.add(service(13)), speaker)
    #expect(Self.additions(bench, speaker).last == true)
  }

  /// For each service that a user added, whether it was accepted.
  private static func additions(_ bench: AirBench, _ user: BluetoothUser) -> [Bool] {
    bench.events(user).compactMap { if case .added(_, let error) = $0 { error == nil } else { nil } }
  }

  @Test("A link without packets is lost on both sides after its supervision timeout")
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

  @Test("A full queue rejects updates and writes, and reports when there is room again")
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
