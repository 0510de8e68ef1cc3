import NearbyAccessoryProtocol
import NearbyDeviceMachine
import NearbyUCI
import TestSupport
import Testing

@Suite("Accessory machine")
struct AccessoryMachineTests {
  private let one = AccessoryBench.phones[0]
  private let two = AccessoryBench.phones[1]

  @Test("Initialise, configure, rounds and stop produce the expected messages and requests in order")
  func honestPhone() throws {
    var bench = AccessoryBench()
    bench.connect(one)
    bench.say(.initialize, one)
    let data = try #require(
      bench.messages.compactMap { if case .configurationData(let data) = $0 { data } else { nil } }.first)
    let configuration = try AccessoryConfigurationData(data)
    #expect(configuration.uwb.address == AccessoryBench.address)
    #expect(configuration.uwb.role == .responder)
    bench.takeAll()
    bench.say(.configureAndStart(AccessoryBench.shareable()), one)
    #expect(bench.messages == [.didStart])
    #expect(bench.events == [.started(one)])
    #expect(bench.requests.map(\.sessionID) == [0x5108])
    #expect(bench.requests.first?.type == .ranging)
    bench.takeAll()
    for _ in 0..<5 {
      bench.pass(.milliseconds(200))
      bench.round(0x5108)
    }
    guard case .measured(one, let reading) = bench.events.last else {
      Issue.record("no measurement: \(bench.events)")
      return
    }
    #expect(abs((reading.distance ?? 0) - 3) < 0.5)
    bench.takeAll()
    bench.say(.stop, one)
    #expect(bench.messages == [.didStop])
    #expect(bench.events == [.stopped(one, .byPhone)])
    #expect(bench.onChip.isEmpty)
    #expect(bench.faults.isEmpty)
  }

  @Test("The chip's parameters match the phone's data, with Apple's vendor id in the static STS")
  func parameters() throws {
    var settings = AccessorySettings()
    settings.role = .initiator
    settings.version = .v2_0
    var bench = AccessoryBench(settings)
    bench.connect(one)
    bench.say(.initialize, one)
    var data = ShareableConfigurationData(
      version: .v2_0, sessionID: 7, initialVector: [1, 2, 3, 4, 5, 6], phoneAddress: 0x7570)
    data.hopping = 1
    data.channel = 5
    data.preamble = 12
    data.slotsPerRound = 8
    data.slotDurationRSTU = 3600
    data.intervalMilliseconds = 240
    bench.say(.configureAndStart(data.octets), one)
    let parameters = try #require(bench.requests.first?.parameters)
    let expected: [UCIAppParameter] = [
      .deviceType(.controller), .deviceRole(.initiator), .deviceAddress(.short(AccessoryBench.address)),
      .destinationAddresses([.short(0x7570)]), .stsConfiguration(.fixed), .vendorID(0x004C),
      .staticSTSIV([1, 2, 3, 4, 5, 6]), .channel(.five), .preambleCodeIndex(12), .slotsPerRound(8),
      .slotDuration(rstu: 3600), .rangingDuration(milliseconds: 240), .hoppingMode(1),
      .rangingRoundUsage(.doubleSidedDeferred), .multiNodeMode(.unicast), .scheduleMode(.timeScheduled),
      .rframeConfiguration(.sp3), .sfdID(2),
    ]
    for parameter in expected { #expect(parameters.contains(parameter), "\(parameter)") }
    // The octets of the vendor id are 4C 00.
    #expect(UCIAppParameter.vendorID(0x004C).tlv.value == [0x4C, 0x00])
  }

  struct Hostile: Sendable, CustomTestStringConvertible {
    let what: String
    let messages: [[UInt8]]
    let refusals: [AccessoryRefusal]
    var testDescription: String { what }
    init(_ what: String, _ messages: [[UInt8]], _ refusals: [AccessoryRefusal]) {
      self.what = what
      self.messages = messages
      self.refusals = refusals
    }
    static let start: [UInt8] = [0x0B] + AccessoryBench.shareable()
    static let all: [Hostile] = [
      Hostile("an empty message", [[]], [.malformed(.truncated(.messageID, needed: 1, left: 0))]),
      Hostile("an unknown id", [[0x77, 1]], [.malformed(.unknownMessage(0x77))]),
      Hostile(
        "messages that only accessories send", [[1, 2], [2], [3]],
        [.notForAccessories, .notForAccessories, .notForAccessories]),
      Hostile("configure before initialise", [start], [.notInitialised]),
      Hostile("stop before anything", [[0x0C]], [.notRunning]),
      Hostile("stop twice", [[0x0A], start, [0x0C], [0x0C]], [.notRunning]),
      Hostile(
        "a truncated configuration", [[0x0A], Array(start.dropLast())],
        [.malformed(.truncated(.length, needed: 25, left: 24))]),
      Hostile("no configuration", [[0x0A], [0x0B]], [.malformed(.truncated(.version, needed: 2, left: 0))]),
      Hostile(
        "an unknown version", [[0x0A], [0x0B, 9, 0, 0, 0, 0]],
        [.malformed(.unsupportedVersion(.version, AccessoryVersion(9, 0)))]),
      Hostile(
        "a later version than requested",
        [
          [0x0A],
          [0x0B]
            + ShareableConfigurationData(
              version: .v2_0, sessionID: 1, initialVector: [0, 0, 0, 0, 0, 0], phoneAddress: 9
            ).octets,
        ], [.versionMismatch]),
      Hostile(
        "the accessory's own address",
        [[0x0A], [0x0B] + AccessoryBench.shareable { $0.phoneAddress = AccessoryBench.address }],
        [.addressInUse]),
    ]
  }

  @Test(
    "A hostile phone's messages are refused with a reason, and the next honest phone is served",
    arguments: Hostile.all)
  func hostilePhone(_ hostile: Hostile) {
    var bench = AccessoryBench()
    bench.connect(one)
    for message in hostile.messages { bench.say(message, one) }
    #expect(bench.refusals == hostile.refusals)
    bench.takeAll()
    bench.connect(two)
    bench.say(.initialize, two)
    bench.say(.configureAndStart(AccessoryBench.shareable(0x9999)), two)
    #expect(bench.events.contains(.started(two)))
    bench.disconnect(one)
    bench.disconnect(two)
    #expect(bench.onChip.isEmpty)
    #expect(bench.faults.isEmpty)
  }

  @Test("Data for another phone's session are refused, and that session continues")
  func foreignSession() {
    var bench = AccessoryBench()
    for phone in [one, two] {
      bench.connect(phone)
      bench.say(.initialize, phone)
    }
    bench.say(.configureAndStart(AccessoryBench.shareable()), one)
    bench.takeAll()
    bench.say(.configureAndStart(AccessoryBench.shareable()), two)
    #expect(bench.refusals == [.sessionInUse])
    #expect(bench.onChip == [0x5108])
    bench.round(0x5108)
    #expect(bench.events.contains { if case .measured(one, _) = $0 { true } else { false } })
  }

  @Test("A phone that floods is refused once, others are served, and after a pause it is served again")
  func flood() {
    var bench = AccessoryBench()
    bench.connect(one)
    for _ in 0..<5000 { bench.say(.initialize, one) }
    #expect(bench.messages.count == AccessorySettings().messageBurst)
    #expect(bench.refusals == [.tooManyMessages])
    bench.takeAll()
    bench.connect(two)
    bench.say(.initialize, two)
    #expect(bench.messages.count == 1)
    bench.pass(.seconds(3))
    bench.takeAll()
    bench.say(.initialize, one)
    #expect(bench.messages.count == 1)
    #expect(bench.refusals.isEmpty)
  }

  @Test("A phone over the limit is refused, and served once another phone has disconnected")
  func phoneLimit() {
    var settings = AccessorySettings()
    settings.phoneLimit = 1
    var bench = AccessoryBench(settings)
    bench.connect(one)
    bench.connect(two)
    bench.say(.initialize, two)
    #expect(bench.refusals == [.tooManyPhones, .tooManyPhones])
    #expect(bench.messages.isEmpty)
    bench.disconnect(one)
    // The second phone has been connected all the time.
    bench.say(.initialize, two)
    #expect(bench.messages.count == 1)
    bench.say(.initialize, one)
    #expect(bench.refusals.last == .unknownPhone)
    #expect(bench.messages.count == 1)
    bench.disconnect(two)
    bench.say(.initialize, two)
    #expect(bench.refusals.last == .unknownPhone)
    #expect(bench.messages.count == 1)
  }

  @Test("If the chip is slow, superseded configurations are skipped and a phone keeps at most one session")
  func slowChip() {
    var bench = AccessoryBench()
    bench.isPrompt = false
    bench.connect(one)
    bench.say(.initialize, one)
    for id in UInt32(1)...8 { bench.say(.configureAndStart(AccessoryBench.shareable(id)), one) }
    #expect(bench.requests.map(\.sessionID) == [1])
    #expect(bench.onChip.count <= 1)
    for _ in 0..<20 { bench.chipSpeaks() }
    #expect(bench.requests.map(\.sessionID) == [1, 8])
    #expect(bench.onChip == [8])
    #expect(bench.events.contains(.started(one)))
  }

  @Test("A disconnect in every state leaves no session on the chip", arguments: 0..<8)
  func disconnects(_ steps: Int) {
    var bench = AccessoryBench()
    bench.isPrompt = false
    bench.connect(one)
    bench.say(.initialize, one)
    bench.say(.configureAndStart(AccessoryBench.shareable()), one)
    for _ in 0..<min(steps, 4) { bench.chipSpeaks() }
    if steps > 4 { bench.say(.stop, one) }
    if steps > 5 { bench.say(.configureAndStart(AccessoryBench.shareable(2)), one) }
    if steps > 6 { bench.chipSpeaks() }
    bench.disconnect(one)
    for _ in 0..<20 { bench.chipSpeaks() }
    #expect(bench.onChip.isEmpty)
    #expect(bench.faults.isEmpty)
    bench.isPrompt = true
    bench.takeAll()
    bench.connect(one)
    bench.say(.initialize, one)
    bench.say(.configureAndStart(AccessoryBench.shareable()), one)
    #expect(bench.events.contains(.started(one)))
  }

  @Test("After the chip recovers from ERROR, sessions reopen without messages to their phones")
  func recovery() {
    var bench = AccessoryBench()
    bench.connect(one)
    bench.say(.initialize, one)
    bench.say(.configureAndStart(AccessoryBench.shareable()), one)
    bench.takeAll()
    bench.chipRecovers()
    bench.chipUp()
    #expect(bench.onChip == [0x5108])
    #expect(bench.messages.isEmpty)
    #expect(bench.events.isEmpty)
    bench.round(0x5108)
    #expect(!bench.events.isEmpty)
  }

  @Test("Losing the chip stops every session; a new chip serves phones again")
  func lostChip() {
    var bench = AccessoryBench()
    bench.connect(one)
    bench.say(.initialize, one)
    bench.say(.configureAndStart(AccessoryBench.shareable()), one)
    bench.takeAll()
    bench.chipDies()
    #expect(bench.messages == [.didStop])
    #expect(bench.events == [.unavailable, .stopped(one, .byChip)])
    bench.say(.initialize, one)
    #expect(bench.refusals == [.chipUnsuitable])
    bench.chipUp()
    bench.takeAll()
    bench.say(.initialize, one)
    bench.say(.configureAndStart(AccessoryBench.shareable()), one)
    #expect(bench.events.contains(.started(one)))
  }

  @Test("A session that the chip rejects is reported, and the phone receives didStop")
  func refusingChip() {
    var bench = AccessoryBench()
    bench.refusesSessions = true
    bench.connect(one)
    bench.say(.initialize, one)
    bench.takeAll()
    bench.say(.configureAndStart(AccessoryBench.shareable()), one)
    #expect(bench.refusals == [.chipRefused])
    #expect(bench.messages == [.didStop])
  }

  @Test("A session ends after 30 s of silence, and immediately if the phone ends it in band")
  func silence() {
    var bench = AccessoryBench()
    bench.connect(one)
    bench.say(.initialize, one)
    bench.say(.configureAndStart(AccessoryBench.shareable()), one)
    bench.pass(.seconds(29))
    bench.round(0x5108)
    bench.pass(.seconds(29))
    bench.takeAll()
    bench.pass(.seconds(2))
    #expect(bench.messages == [.didStop])
    #expect(bench.events == [.stopped(one, .silence)])
    bench.say(.configureAndStart(AccessoryBench.shareable(5)), one)
    bench.takeAll()
    bench.chipStops(5, .stoppedInBand)
    #expect(bench.messages == [.didStop])
    #expect(bench.events == [.stopped(one, .inBand)])
    #expect(bench.onChip.isEmpty)
  }

  @Test("Random sequences of events from phones and chip leak no session and break no rule")
  func randomOrders() {
    for seed in UInt64(0)..<400 {
      var random = SeededGenerator(seed: seed)
      var bench = AccessoryBench()
      bench.isPrompt = Bool.random(using: &random)
      for _ in 0..<150 { step(&bench, &random) }
      #expect(bench.faults.isEmpty, "seed \(seed): \(bench.faults)")
      #expect(bench.onChip.count <= AccessoryBench.phones.count * 2, "seed \(seed)")
      bench.chipUp()
      bench.refusesSessions = false
      for phone in AccessoryBench.phones { bench.disconnect(phone) }
      bench.isPrompt = true
      bench.pass(.seconds(1))
      while !bench.pending.isEmpty { bench.chipSpeaks() }
      #expect(bench.onChip.isEmpty, "seed \(seed): \(bench.onChip) are left on the chip")
      bench.takeAll()
      bench.connect(one)
      bench.say(.initialize, one)
      bench.say(.configureAndStart(AccessoryBench.shareable(77)), one)
      #expect(bench.events.contains(.started(one)), "seed \(seed): the next honest phone is not served")
    }
  }

  private func step(_ bench: inout AccessoryBench, _ random: inout SeededGenerator) {
    let phone = AccessoryBench.phones.randomElement(using: &random) ?? one
    let id = UInt32.random(in: 1...4, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1: bench.connect(phone)
    case 2: bench.disconnect(phone)
    case 3...5: bench.say(.initialize, phone)
    case 6...9: bench.say(.configureAndStart(AccessoryBench.shareable(id)), phone)
    case 10, 11: bench.say(.stop, phone)
    case 12:
      let count = Int.random(in: 0...40, using: &random)
      bench.say((0..<count).map { _ in UInt8.random(in: 0...13, using: &random) }, phone)
    case 13: bench.chipStops(id, .stoppedInBand)
    case 14: bench.round(id)
    case 15: bench.pass(.milliseconds(Int64.random(in: 0...40_000, using: &random)))
    case 16: bench.refusesSessions = Bool.random(using: &random)
    case 17 where Int.random(in: 0..<4, using: &random) == 0:
      bench.chipRecovers()
      bench.chipUp()
    case 18 where Int.random(in: 0..<8, using: &random) == 0:
      bench.chipDies()
      bench.chipUp()
    case _: bench.chipSpeaks()
    }
  }
}
