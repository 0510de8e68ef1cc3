import NearbyBluetooth
import TestSupport
import Testing

@testable import NearbyVirtualBluetooth

@Suite struct AdvertisingTests {
  private func beacon(_ bench: inout AirBench, interval: Duration, name: String? = nil) {
    var advertisement = Advertisement()
    advertisement.name = name
    advertisement.manufacturerData = [
      Advertisement.ManufacturerData(company: 0x004C, octets: [2, 0x15] + [UInt8](repeating: 1, count: 21))
    ]
    _ = bench.air.addBeacon(
      identity: 77, BluetoothAdvertising(advertisement, interval: interval), at: bench.now)
  }

  @Test(
    "Advertisements arrive at their interval plus up to 10 ms while the scanner listens",
    arguments: [100, 350, 1000])
  func rate(milliseconds: Int) {
    var bench = AirBench(seed: 3, devices: 1)
    beacon(&bench, interval: .milliseconds(milliseconds))
    let user = bench.central(0)
    bench.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)), user)
    bench.run(.seconds(200))
    let sightings = bench.sightings(user)
    // The scanner listens for three quarters of the time.
    let expected = 200_000.0 / Double(milliseconds + 5) * 0.75
    #expect(abs(Double(sightings.count) / expected - 1) < 0.12, "\(sightings.count) of \(expected)")
    let least = zip(sightings, sightings.dropFirst()).map { $1.time - $0.time }
    #expect(least.filter { $0 < .milliseconds(milliseconds) - .milliseconds(2) }.count <= 20)
  }

  @Test("Without duplicates each advertiser is reported once per scan")
  func duplicates() {
    var bench = AirBench(seed: 3, devices: 2)
    let user = bench.central(0)
    let speaker = bench.peripheral(1)
    bench.advertise(speaker, name: "A name too long to stand beside the rest")
    bench.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: false)), user)
    bench.run(.seconds(10))
    #expect(bench.sightings(user).count == 1)
    #expect(bench.sightings(user).first?.advertisement.name == "A name too long to stand besi")
    bench.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: false)), user)
    bench.run(.seconds(10))
    #expect(bench.sightings(user).count == 2)
  }

  @Test(
    "Without duplicates a changed advertisement is reported, and one that is known is not asked about again")
  func changes() {
    var bench = AirBench(seed: 3, devices: 2)
    let (user, speaker) = (bench.central(0), bench.peripheral(1))
    bench.advertise(speaker, name: "One")
    bench.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: false)), user)
    bench.run(.seconds(5))
    let asked = bench.medium.receptions
    bench.run(.seconds(20))
    #expect(bench.medium.receptions == asked)
    bench.perform(.stopAdvertising, speaker)
    bench.advertise(speaker, name: "Two")
    bench.run(.seconds(5))
    #expect(bench.sightings(user).map(\.advertisement.name) == ["One", "Two"])
  }

  @Test("A sender that was reported already can still be connected to")
  func connectAfterReport() throws {
    var bench = AirBench(seed: 3, devices: 2)
    let (user, speaker) = (bench.central(0), bench.peripheral(1))
    bench.advertise(speaker)
    bench.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: false)), user)
    bench.run(.seconds(5))
    bench.perform(.connect(try #require(bench.sightings(user).first).peer), user)
    bench.run(.seconds(5))
    #expect(bench.names(user).contains("connected"))
  }

  @Test("A sender whose advertisement changes all the time leaves a bounded memory")
  func restless() {
    var bench = AirBench(seed: 3, devices: 2)
    let (user, speaker) = (bench.central(0), bench.peripheral(1))
    bench.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: false)), user)
    for number in 0..<200 {
      bench.advertise(speaker, name: "\(number)")
      bench.run(.seconds(1))
      bench.perform(.stopAdvertising, speaker)
    }
    #expect(bench.sightings(user).count == 200)
    let remembered = bench.air.clients.values.flatMap(\.reported.values).map(\.count)
    #expect(remembered == [64])
  }

  @Test("Only advertisements with requested services are reported, including overflow services")
  func filter() {
    var bench = AirBench(seed: 4, devices: 2)
    let user = bench.central(0)
    let speaker = bench.peripheral(1)
    var advertisement = Advertisement()
    advertisement.isConnectable = true
    advertisement.services = (0..<3).map { BluetoothUUID(high: 0xABCD + $0, low: 7) }
    bench.perform(.advertise(BluetoothAdvertising(advertisement)), speaker)
    for (number, isFound) in [(0, true), (2, true), (9, false)] {
      bench.heard = [:]
      let wanted = BluetoothUUID(high: 0xABCD + UInt64(number), low: 7)
      bench.perform(.scan(BluetoothScan(services: [wanted], allowsDuplicates: false)), user)
      bench.run(.seconds(5))
      #expect(bench.sightings(user).isEmpty == !isFound, "service \(number)")
    }
    #expect(bench.heard[speaker] == nil)
  }

  @Test("A scanner's results do not depend on other scanners")
  func independence() {
    func times(_ others: Bool) -> [Duration] {
      var bench = AirBench(seed: 5, devices: 3)
      beacon(&bench, interval: .milliseconds(100))
      if others {
        let other = bench.central(2)
        bench.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)), other)
      }
      bench.run(.seconds(17))
      let user = bench.central(0)
      bench.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)), user)
      bench.run(.seconds(17))
      return bench.sightings(user).map(\.time)
    }
    #expect(times(false) == times(true))
    #expect(times(false).count > 50)
  }

  @Test("Without a scanner the air schedules no events")
  func silence() {
    var bench = AirBench(seed: 5, devices: 1)
    beacon(&bench, interval: .milliseconds(100))
    #expect(bench.air.nextEventTime == nil)
  }

  @Test("A device cannot have more links than its limit")
  func limit() {
    var bench = AirBench(seed: 6, devices: 5)
    bench.air.setConnectionLimit(3, device: 0)
    let phone = bench.central(0)
    for device in 1..<5 { bench.serve(bench.peripheral(device)) }
    bench.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: false)), phone)
    bench.run(.seconds(3))
    let peers = bench.sightings(phone).map(\.peer)
    #expect(Set(peers).count == 4)
    for peer in peers { bench.perform(.connect(peer), phone) }
    bench.run(.seconds(3))
    #expect(bench.names(phone).filter { $0 == "connected" }.count == 3)
    #expect(bench.names(phone).filter { $0 == "notConnected connectionLimitReached" }.count == 1)
  }

  @Test(
    "After any order of requests and events no links are left over and devices can still connect",
    arguments: 1...60)
  func anyOrder(seed: UInt64) {
    var bench = AirBench(seed: seed, devices: 4)
    bench.medium.loss = 0.3
    var random = SeededGenerator(seed: seed &* 77)
    var users: [BluetoothUser] = []
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    for _ in 0..<400 {
      let user = users.isEmpty ? nil : users[number(users.count)]
      let peers = user.map { bench.sightings($0).map(\.peer) } ?? []
      let peer = peers.isEmpty ? BluetoothPeer(high: 1, low: 2) : peers[number(peers.count)]
      let id = AttributeID(number(60))
      switch (number(24), user) {
      case (0, _), (1, _): users.append(bench.central(number(4), restoring: number(2) == 0 ? "name" : nil))
      case (2, _), (3, _): users.append(bench.peripheral(number(4), restoring: number(2) == 0 ? "name" : nil))
      case (4, let user?): bench.perform(.scan(BluetoothScan(services: nil, allowsDuplicates: true)), user)
      case (5, let user?), (6, let user?): bench.serve(user)
      case (7, let user?), (8, let user?), (9, let user?): bench.perform(.connect(peer), user)
      case (10, let user?): bench.perform(.disconnect(peer), user)
      case (11, let user?): bench.perform(.discover(peer), user)
      case (12, let user?): bench.perform(.read(peer, id), user)
      case (13, let user?):
        bench.perform(
          .write(peer, id, [UInt8](repeating: 1, count: number(600)), withResponse: number(2) == 0), user)
      case (14, let user?): bench.perform(.setNotify(peer, id, number(2) == 0), user)
      case (15, let user?): _ = bench.air.update(AirBench.notify, [1], centrals: nil, of: user, at: bench.now)
      case (16, let user?): bench.perform(number(2) == 0 ? .removeAll : .stopAdvertising, user)
      case (17, let user?): bench.perform(.readRSSI(peer), user)
      case (18, let user?): bench.air.release(user, at: bench.now)
      case (19, _): bench.air.endApp(of: number(4), at: bench.now)
      case (20, _): bench.air.setPower(isOn: number(3) > 0, device: number(4), at: bench.now)
      case (21, _): bench.air.setForeground(number(2) == 0, device: number(4), at: bench.now)
      case (22, _): bench.air.unpair(number(4), from: number(4))
      case (_, _): bench.air.cut(number(4), number(4), at: bench.now)
      }
      bench.collect()
      bench.run(.milliseconds(number(300)))
    }
    for device in 0..<4 {
      bench.air.setPower(isOn: false, device: device, at: bench.now)
      bench.air.unpair(device, from: nil)
    }
    bench.run(.seconds(40))
    #expect(bench.air.nextEventTime == nil, "seed \(seed): links are left over")
    for device in 0..<4 {
      bench.air.setPower(isOn: true, device: device, at: bench.now)
      bench.air.setForeground(true, device: device, at: bench.now)
      bench.air.endApp(of: device, at: bench.now)
    }
    for user in users { bench.air.release(user, at: bench.now) }
    bench.medium.loss = 0
    let phone = bench.central(0)
    let speaker = bench.peripheral(1)
    bench.serve(speaker)
    let met = bench.meet(phone)
    #expect(met != nil, "seed \(seed)")
  }
}
