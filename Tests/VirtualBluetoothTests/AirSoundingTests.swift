import NearbyBluetooth
import NearbyVirtualBluetooth
import Testing

/// A phone that is connected to a tag, which was set up for its app.
private struct Meeting {
  var bench: AirBench
  let phone: BluetoothUser
  let tag: BluetoothUser
  let peer: BluetoothPeer

  init(seed: UInt64 = 1, offers: Bool = true, isSetUp: Bool = true) throws {
    bench = AirBench(seed: seed, devices: 3)
    phone = bench.central(0)
    tag = bench.peripheral(1)
    bench.serve(tag)
    if offers { bench.perform(.offerSounding(true), tag) }
    let met = bench.meet(phone)
    peer = try #require(met).peer
    if isSetUp { bench.air.setVisiblePeers([peer], device: 0, at: bench.now) }
    bench.heard = [:]
  }

  mutating func start() { bench.perform(.startSounding(peer), phone) }
  var names: [String] { bench.names(phone) }
}

@Suite("Channel Sounding on the air")
struct AirSoundingTests {
  @Test("Starting pairs the devices, then a procedure comes four times a second until it is stopped")
  func procedures() throws {
    var meeting = try Meeting()
    meeting.start()
    meeting.start()
    meeting.bench.run(.seconds(5.6))
    #expect(meeting.bench.air.isPaired(0, with: 1))
    #expect(Set(meeting.names) == ["sounded"] && (18...20).contains(meeting.names.count), "\(meeting.names)")
    let count = meeting.names.count
    meeting.bench.perform(.stopSounding(meeting.peer), meeting.phone)
    meeting.bench.perform(.stopSounding(meeting.peer), meeting.phone)
    meeting.bench.run(.seconds(2))
    #expect(meeting.names.dropFirst(count) == ["soundingEnded asked"])
  }

  @Test("Stopping while it starts ends it, and no procedure comes")
  func stoppedEarly() throws {
    var meeting = try Meeting()
    meeting.start()
    meeting.bench.perform(.stopSounding(meeting.peer), meeting.phone)
    meeting.bench.run(.seconds(3))
    #expect(meeting.names == ["soundingEnded asked"])
  }

  @Test("It is refused for a peer that was not set up, that does not offer it, or in the background")
  func refusals() throws {
    let refused = ["soundingEnded soundingConfigurationFailed"]
    var stranger = try Meeting(isSetUp: false)
    stranger.start()
    stranger.bench.run(.seconds(2))
    #expect(stranger.names == refused)
    var plain = try Meeting(offers: false)
    plain.start()
    plain.bench.run(.seconds(2))
    #expect(plain.names == refused)
    var hidden = try Meeting()
    hidden.bench.air.setForeground(false, device: 0, at: hidden.bench.now)
    hidden.start()
    hidden.bench.run(.seconds(2))
    #expect(hidden.names == refused)
    var unpaired = try Meeting()
    unpaired.bench.air.setAcceptsPairing(false, device: 1)
    unpaired.start()
    unpaired.bench.run(.seconds(2))
    #expect(unpaired.names == ["soundingEnded pairingFailed"], "\(unpaired.names)")
  }

  @Test("The background, a lost link, a hidden peer and Bluetooth off end it", arguments: 0...3)
  func ends(_ cause: Int) throws {
    var meeting = try Meeting()
    meeting.start()
    meeting.bench.run(.seconds(3))
    let count = meeting.names.count
    #expect(count > 5)
    switch cause {
    case 0: meeting.bench.air.setForeground(false, device: 0, at: meeting.bench.now)
    case 1: meeting.bench.medium.cut = [[0, 1]]
    case 2: meeting.bench.air.setVisiblePeers([], device: 0, at: meeting.bench.now)
    default: meeting.bench.air.setPower(isOn: false, device: 0, at: meeting.bench.now)
    }
    meeting.bench.collect()
    meeting.bench.run(.seconds(5))
    let later = meeting.names.dropFirst(count)
    #expect(later.count { $0.hasPrefix("soundingEnded") } == 1, "\(later)")
    let end = cause == 0 ? "soundingEnded soundingProcedureFailed" : "soundingEnded notConnected"
    #expect(later.contains(end), "\(later)")
    #expect(!later.contains("sounded"), "\(later)")
    // A cut link is noticed by its silence; until then procedures fail.
    #expect(later.contains("sounded soundingProcedureFailed") == (cause == 1), "\(later)")
  }

  @Test("Two peers share the radio's procedures")
  func shared() throws {
    var meeting = try Meeting()
    let other = meeting.bench.peripheral(2)
    meeting.bench.serve(other)
    meeting.bench.perform(.offerSounding(true), other)
    meeting.bench.air.setVisiblePeers(nil, device: 0, at: meeting.bench.now)
    meeting.bench.perform(
      .scan(BluetoothScan(services: [AirBench.service], allowsDuplicates: false)), meeting.phone)
    meeting.bench.run(.seconds(3))
    let second = try #require(
      meeting.bench.sightings(meeting.phone).map(\.peer).first { $0 != meeting.peer })
    meeting.bench.perform(.connect(second), meeting.phone)
    meeting.bench.run(.seconds(2))
    meeting.bench.air.setVisiblePeers([meeting.peer, second], device: 0, at: meeting.bench.now)
    meeting.start()
    meeting.bench.perform(.startSounding(second), meeting.phone)
    meeting.bench.run(.seconds(3))
    meeting.bench.heard = [:]
    meeting.bench.run(.seconds(10))
    let peers = meeting.bench.events(meeting.phone).compactMap { event -> BluetoothPeer? in
      if case .sounded(let peer, _) = event { peer } else { nil }
    }
    for peer in [meeting.peer, second] { #expect((19...21).contains(peers.count { $0 == peer })) }
  }

  @Test("While a link carries data, procedures come at most half as often")
  func load() throws {
    var meeting = try Meeting()
    meeting.start()
    meeting.bench.run(.seconds(3))
    func count(_ meeting: inout Meeting, keepsBusy: Bool) -> Int {
      meeting.bench.heard = [:]
      for _ in 0..<400 {
        if keepsBusy {
          for _ in 0..<4 {
            meeting.bench.perform(
              .write(meeting.peer, AirBench.write, [UInt8](repeating: 7, count: 20), withResponse: false),
              meeting.phone)
          }
        }
        meeting.bench.run(.milliseconds(25))
      }
      return meeting.names.count { $0 == "sounded" }
    }
    let idle = count(&meeting, keepsBusy: false)
    #expect((39...41).contains(idle))
    let busy = count(&meeting, keepsBusy: true)
    #expect((18...36).contains(busy), "\(busy) of \(idle)")
  }

  @Test("Losses while it starts end in procedures or in an error", arguments: 1...100)
  func losses(seed: UInt64) throws {
    var meeting = try Meeting(seed: seed)
    meeting.bench.medium.loss = 0.6
    meeting.start()
    meeting.bench.run(.seconds(40))
    let isWorking = meeting.names.contains("sounded")
    let isOver = meeting.names.contains { $0.hasPrefix("soundingEnded") }
    #expect(isWorking || isOver, "seed \(seed): \(meeting.names)")
  }
}
