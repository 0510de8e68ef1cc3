import NearbyExchange
import NearbyUCI
import NearbyVirtualUWB
import TestSupport
import Testing

@Suite("Octets from any host")
struct RobustnessTests {
  /// One well-formed packet of every command, and of a data message.
  static let goldens: [[UInt8]] = {
    let token = UCISessionToken(7)
    let commands: [UCICommand] = [
      .deviceReset(configuration: 0), .getDeviceInfo, .getCapabilities,
      .setDeviceConfiguration([UCITLV(id: 1, value: [1])]), .getDeviceConfiguration([0, 1]), .queryTimestamp,
      .sessionInit(sessionID: 7, type: .rangingWithInBandData),
      .setAppConfiguration(token, TestSession.pair(isController: true, [0x03: [1], 0x2B: [1, 0, 0, 0]])),
      .getAppConfiguration(token, [4, 8]), .getSessionCount, .getSessionState(token),
      .updateMulticastList(token, .add, [UCIControlee(address: 3, subSessionID: 1)]),
      .updateDTAnchorRounds(
        token, [.responder(round: 0), .initiator(round: 1, UCIAnchorResponders(addresses: [.short(2)]))]),
      .updateDTTagRounds(token, [0, 1]), .queryDataSize(token),
      .configureDataTransferPhase(
        token, repetition: 1, control: 0,
        [UCITransferPhaseEntry(address: .short(2), slotBitmap: [1], stop: nil)]),
      .sessionStart(token),
      .getRangingCount(token), .sessionStop(token), .sessionDeinit(token),
      .deviceSuspend, .getPowerStatistics,
      .setInitiatorAnchorRounds(
        token,
        [UCIAnchorRoundResponders(round: 1, responders: UCIAnchorResponders(addresses: [.short(2)]))]),
      .setHybridControleePhases(token, [token]), .setCountryCode([0x44, 0x45]),
      .setHybridControllerPhases(
        token,
        UCIHybridSchedule(phases: [
          UCIHybridPhase(token: token, startSlot: 0, endSlot: 1, control: 0, address: .short(2))
        ])),
    ]
    var packets = commands.map { command in
      var octets: [UInt8] = []
      UCIMessage.command(command).write(to: &octets, dialect: .v1)
      return octets
    }
    var data: [UInt8] = []
    UCIMessage.data(.send(token, destination: 2, sequence: 1, [1, 2])).write(to: &data, dialect: .v1)
    packets.append(data)
    return packets
  }()

  /// A chip with session 7, in IDLE.
  private func makeBench(isActive: Bool) -> AirBench {
    var bench = AirBench.pair()
    if isActive { bench.start() }
    return bench
  }

  @Test("Every strict prefix of a payload is answered once, with its own ids", arguments: goldens)
  func prefixes(_ golden: [UInt8]) {
    for length in 4..<golden.count {
      var packet = Array(golden[0..<length])
      if packet[0] == 1 { packet[2] = UInt8(length - 4) } else { packet[3] = UInt8(length - 4) }
      for isActive in [false, true] {
        var bench = makeBench(isActive: isActive)
        let answers = bench.send(packet)
        if golden[0] == 1 {
          #expect(answers.count == (length >= 8 ? 1 : 0), "\(packet)")
        } else {
          #expect(answers.count == 1, "\(packet)")
          #expect(answers.first?.prefix(2) == [golden[0] + 0x20, golden[1]], "\(packet)")
          #expect([3, 6].contains(answers.first?.dropFirst(4).first), "\(packet) \(answers)")
        }
      }
    }
  }

  @Test("A truncated packet is not answered until the rest arrives", arguments: goldens)
  func cut(_ golden: [UInt8]) {
    var bench = makeBench(isActive: false)
    #expect(bench.send(Array(golden.dropLast())) == [])
    var whole = makeBench(isActive: false)
    #expect(bench.send([golden[golden.count - 1]]) == whole.send(golden))
  }

  @Test("A changed octet is answered, and the chip still works", arguments: goldens)
  func changes(_ golden: [UInt8]) {
    for index in golden.indices {
      for value in [0, 1, 2, 3, 0x10, 0x7F, 0x80, 0xFE, 0xFF] as [UInt8] where golden[index] != value {
        var packet = golden
        packet[index] = value
        var bench = makeBench(isActive: index % 2 == 0)
        let answers = bench.send(packet)
        if index >= 4, golden[0] != 1 {
          #expect(answers.first?.prefix(2) == [golden[0] + 0x20, golden[1]], "\(packet)")
        }
        bench.advance(150)
        // A stream with altered lengths is synchronized again after one packet's worth of octets.
        if index < 4 { _ = bench.send([UInt8](repeating: 0xFF, count: 70_000)) }
        #expect(bench.send([0x20, 0, 0, 1, 0]).first == [0x40, 0, 0, 1, 0], "\(packet)")
      }
    }
  }

  /// How many values a value consists of: what the collections in it hold, and theirs.
  private static func size(of value: Any) -> Int {
    let children = Mirror(reflecting: value).children
    return children.isEmpty ? 1 : children.reduce(0) { $0 + size(of: $1.value) }
  }

  @Test("A flood of random octets does not make a chip's state grow, and the chip still works")
  func memory() {
    var bench = makeBench(isActive: true)
    var random = SeededGenerator(seed: 5)
    var sizes: [Int] = []
    for round in 0..<200 {
      _ = bench.send((0..<5000).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      bench.advance(10)
      if round % 10 == 9 { sizes.append(Self.size(of: bench.air)) }
    }
    // The reassembler's limits: one packet, and one unfinished message of either kind. The flood is five times
    // as large.
    #expect(sizes.allSatisfy { $0 < 4 + 65_535 + 16_384 + 131_072 }, "\(sizes)")
    let answers = bench.send([UInt8](repeating: 0xFF, count: 70_000) + [0x20, 0, 0, 1, 0])
    #expect(answers.suffix(2).last == [0x60, 1, 0, 1, 1])
  }

  @Test("The same seed gives identical octets")
  func determinism() {
    func history(_ seed: UInt64) -> [VirtualAir.Action] {
      var air = VirtualAir(seed: seed)
      var medium = ScriptedMedium()
      var random = SeededGenerator(seed: 9)
      let configuration = VirtualChipConfiguration(dialect: .v1, startSpread: .milliseconds(20))
      for index in 0..<6 {
        _ = air.addChip(configuration, at: .zero)
        medium.positions[index] = Double(random.next() % 30)
      }
      for index in (0..<6).reversed() {
        for golden in Self.goldens.dropFirst(6).prefix(11) {
          var packet = golden
          if golden[1] == 3, golden[0] == 0x21 {
            var octets: [UInt8] = []
            UCIMessage.command(
              .setAppConfiguration(
                UCISessionToken(7),
                TestSession.pair(isController: index % 2 == 0, [0x2C: [1], 0x06: [UInt8(index % 2 + 1), 0]]))
            ).write(to: &octets, dialect: .v1)
            packet = octets
          }
          air.received(packet, from: RadioID(index: index), at: .milliseconds(index))
        }
      }
      air.advance(to: .seconds(3), medium: &medium)
      return air.takeActions()
    }
    let first = history(1)
    #expect(first.count > 200)
    #expect(first == history(1))
    #expect(first != history(2))
  }

  @Test("Anchors of ever new networks leave nothing behind")
  func networks() {
    var bench = AirBench()
    let (first, second) = (bench.addChip(.init()), bench.addChip(.init()))
    for network in 1...100 {
      for (radio, rounds) in [
        (first, [UCIAnchorRound.initiator(round: 0, UCIAnchorResponders(addresses: [.short(2)]))]),
        (second, [.responder(round: 0)]),
      ] {
        let address = UInt16(radio.index + 1)
        let setup = AnchorSetup(network: UInt32(network), address: address, rounds: rounds)
        let runs = bench.air.runAnchor(setup, on: radio, at: .zero)
        #expect(runs)
      }
    }
    #expect((1...2).contains(bench.air.networkPlaces))
  }

  @Test("The cost of a round does not depend on the number of chips", arguments: [10, 10_000])
  func flatness(_ chips: Int) {
    var bench = AirBench()
    let configuration = VirtualChipConfiguration(dialect: .v1)
    for index in 0..<chips {
      bench.addChip(configuration)
      bench.medium.positions[index] = Double(index / 2) * 300 + Double(index % 2)
      var octets: [UInt8] = []
      let id = UInt32(index / 2)
      let token = UCISessionToken(id)
      for command: UCICommand in [
        .sessionInit(sessionID: id, type: .ranging),

        .setAppConfiguration(
          token, TestSession.pair(isController: index % 2 == 0).filter { $0.id < 0x27 && $0.id != 0x05 }),
        .sessionStart(token),
      ] { UCIMessage.command(command).write(to: &octets, dialect: .v1) }
      bench.air.received(octets, from: RadioID(index: index), at: .zero)
    }
    _ = bench.air.takeActions()
    bench.air.advance(to: .milliseconds(50), medium: &bench.medium)
    let rounds = chips / 2
    #expect(bench.medium.plans.count == rounds)
    #expect(bench.medium.cellCalls == 2 * rounds)
    #expect(bench.air.cellLookups == 9 * rounds)
    #expect(bench.medium.powerCalls == 0)
  }
}
