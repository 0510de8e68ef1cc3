import NearbyDeviceMachine
import NearbyUCI
import TestSupport
import Testing

@Suite("Device machine: chips that deviate")
struct MachineChipTests {
  private static let stsConfiguration: UInt8 = 0x02
  private static let angleRequest: UInt8 = 0x0D
  private static let vendorID: UInt8 = 0x27
  private static let staticIV: UInt8 = 0x28
  private static let terminationAttempts: UInt8 = 0x2F
  private static let sessionKey: UInt8 = 0x45

  private static func parameter(_ id: UInt8, _ bench: MachineBench) -> [UInt8]? {
    bench.chip.newest.flatMap { bench.chip.sessions[$0]?.octets(id) }
  }

  // MARK: Falling back

  @Test("If a chip refuses sessions with in-band data, ranging works without, and stopping ends it")
  func plainRanging() {
    var chip = ScriptedChip()
    chip.refusedTypes = [.rangingWithInBandData: .invalidParameter]
    var bench = MachineBench(chip: chip)
    let (id, _) = bench.runningSession()
    #expect(bench.chip.takeLog() == ["INIT 1", "INIT 0", "CONFIG", "START"])
    #expect(bench.takeEvents() == ["0 running"])
    #expect(Self.parameter(Self.terminationAttempts, bench) == [1])
    bench.round(centimetres: 200)
    bench.handle(.invalidate(id))
    #expect(bench.chip.takeLog() == ["STOP", "DEINIT"])
    #expect(bench.chip.sessions.isEmpty)
  }

  @Test("A session with in-band data sends no termination when it stops, so a pause does not end it")
  func noTermination() {
    var bench = MachineBench()
    _ = bench.runningSession()
    #expect(Self.parameter(Self.terminationAttempts, bench) == [0])
  }

  @Test("If a chip refuses both session types, the session fails once")
  func bothRefused() {
    var chip = ScriptedChip()
    chip.refusedTypes = [.rangingWithInBandData: .rejected, .ranging: .rejected]
    var bench = MachineBench(chip: chip)
    _ = bench.runningSession()
    #expect(bench.chip.takeLog() == ["INIT 1", "INIT 0"])
    #expect(bench.takeEvents() == ["0 sessionFailed"])
    bench.pass(.seconds(100))
    #expect(bench.takeEvents().isEmpty)
  }

  @Test("A chip with too many sessions is reported as the limit, and not retried")
  func tooManySessions() {
    var chip = ScriptedChip()
    chip.maximumSessions = 1
    var bench = MachineBench(chip: chip)
    _ = bench.runningSession()
    _ = (bench.takeEvents(), bench.chip.takeLog())
    _ = bench.runningSession()
    #expect(bench.takeEvents() == ["1 activeSessionsLimitExceeded"])
    #expect(bench.chip.takeLog() == ["INIT 1"])
  }

  @Test(
    "The STS is provisioned unless the chip supports only static STS",
    arguments: [(nil, true), (0x09, true), (0x19, true), (0x08, true), (0x01, false), (0x03, false)]
      as [(UInt64?, Bool)])
  func staticSTS(mask: UInt64?, isProvisioned: Bool) {
    var chip = ScriptedChip()
    chip.capabilities = mask.map { [.number(.stsConfigurations, $0, size: 1)] } ?? []
    var bench = MachineBench(chip: chip)
    _ = bench.runningSession()
    #expect(Self.parameter(Self.stsConfiguration, bench) == [isProvisioned ? 3 : 0])
    #expect(Self.parameter(Self.sessionKey, bench)?.count == (isProvisioned ? 16 : nil))
    #expect(Self.parameter(Self.vendorID, bench)?.count == (isProvisioned ? nil : 2))
    #expect(Self.parameter(Self.staticIV, bench)?.count == (isProvisioned ? nil : 6))
    #expect(bench.takeEvents() == ["0 running"])
  }

  @Test("Both sides derive the same agreement from any two tokens")
  func agreement() {
    var bench = MachineBench()
    for _ in 0..<200 {
      let (own, peer) = (bench.peer(), bench.peer())
      let (here, there) = (PairAgreement(own: own, peer: peer), PairAgreement(own: peer, peer: own))
      #expect(here.isInitiator != there.isInitiator)
      #expect(here.ownAddress == there.peerAddress)
      #expect(here.peerAddress == there.ownAddress)
      #expect(here.ownAddress != here.peerAddress)
      #expect(here.sessionID == there.sessionID)
      #expect(here.sessionID != 0)
      #expect(here.sessionKey == there.sessionKey)
      #expect(here.sessionKey.count == 16)
      #expect(here.staticIV == there.staticIV)
      #expect(here.staticIV.count == 6)
      #expect(here.staticVendorID == there.staticVendorID)
      #expect(here.preambleCode == there.preambleCode)
      #expect((9...12).contains(here.preambleCode))
    }
  }

  @Test(
    "Direction is a capability unless the chip reports that it lacks azimuth or elevation",
    arguments: [(nil, true), (0x0D, true), (0x06, true), (0x00, false), (0x01, false), (0x04, false)]
      as [(UInt64?, Bool)])
  func direction(mask: UInt64?, isKept: Bool) {
    var chip = ScriptedChip()
    chip.capabilities = mask.map { [.number(.angleOfArrival, $0, size: 1)] } ?? []
    var bench = MachineBench(chip: chip, isUp: false)
    #expect(bench.machine.capabilities == [.preciseDistance, .direction], "unknown before the chip is up")
    bench = MachineBench(chip: chip)
    #expect(bench.machine.capabilities == (isKept ? [.preciseDistance, .direction] : .preciseDistance))
    #expect(bench.session().identity.capabilities == bench.machine.capabilities)
    _ = bench.runningSession()
    #expect(Self.parameter(Self.angleRequest, bench) == [isKept ? 1 : 0])
  }

  // MARK: Failing

  @Test("After the chip's ERROR sessions open again, without events for the app")
  func recovering() {
    var bench = MachineBench()
    let (id, _) = bench.runningSession()
    for _ in 0..<10 { bench.round(centimetres: 200) }
    _ = (bench.takeEvents(), bench.chip.takeLog())
    let octets = bench.chip.fails()
    bench.chipSays(octets)
    #expect(bench.chip.takeLog() == ["RESET", "INFO", "CAPS"] + MachineLifeTests.setUp)
    #expect(bench.takeEvents().isEmpty)
    bench.round(centimetres: 200)
    #expect(bench.takeEvents() == ["0 at 2.0"], "the peer's estimate is kept")
    bench.handle(.pause(id))
    #expect(bench.chip.sessions.isEmpty)
  }

  @Test("A peer that leaves during a recovery is removed by its time-out")
  func silenceWhileRecovering() {
    var bench = MachineBench()
    _ = bench.runningSession()
    bench.round(centimetres: 200)
    _ = bench.takeEvents()
    bench.chip.ignored = [.capabilities]
    let octets = bench.chip.fails()
    bench.chipSays(octets)
    bench.pass(.seconds(1))
    bench.chip.ignored = []
    let answer: UCIMessage = .response(.capabilities(.ok, []))
    var late: [UInt8] = []
    answer.write(to: &late, dialect: .v2)
    bench.chipSays(late)
    bench.pass(.seconds(8))
    #expect(!bench.takeEvents().contains("0 timeout"))
    bench.pass(.seconds(1))
    #expect(bench.takeEvents().last == "0 timeout")
    #expect(bench.chip.sessions.isEmpty)
  }

  @Test("Requests during a recovery take effect after it")
  func askedWhileRecovering() {
    var bench = MachineBench()
    let (paused, _) = bench.runningSession()
    let (ended, _) = bench.runningSession()
    let (kept, _) = bench.runningSession()
    _ = bench.takeEvents()
    bench.chip.ignored = [.capabilities]
    let octets = bench.chip.fails()
    bench.chipSays(octets)
    bench.handle(.pause(paused))
    bench.handle(.release(ended))
    let fresh = bench.runningSession().id
    bench.chip.ignored = []
    var late: [UInt8] = []
    UCIMessage.response(.capabilities(.ok, [])).write(to: &late, dialect: .v2)
    bench.chipSays(late)
    #expect(bench.takeEvents() == ["\(fresh.index) running"])
    #expect(bench.chip.sessions.count == 2)
    bench.handle(.invalidate(kept))
    bench.handle(.invalidate(fresh))
    #expect(bench.chip.sessions.isEmpty)
  }

  @Test("A failed bring-up fails the sessions that wait for it; the next run retries")
  func bringUpFails() {
    var chip = ScriptedChip()
    chip.ignored = [.capabilities]
    var bench = MachineBench(chip: chip)
    _ = bench.runningSession()
    #expect(bench.takeEvents().isEmpty)
    bench.pass(.seconds(3))
    #expect(bench.takeEvents() == ["0 sessionFailed"])
    _ = bench.chip.takeLog()
    bench.chip.ignored = []
    _ = bench.runningSession()
    #expect(bench.chip.takeLog() == ["RESET", "INFO", "CAPS"] + MachineLifeTests.setUp)
    #expect(bench.takeEvents() == ["1 running"])
  }

  @Test("When the link closes, running sessions fail; others are unaffected")
  func linkCloses() {
    var bench = MachineBench()
    _ = bench.runningSession()
    let (paused, configuration) = bench.runningSession()
    bench.handle(.pause(paused))
    _ = bench.takeEvents()
    bench.linkCloses()
    bench.linkCloses()
    #expect(bench.takeEvents() == ["0 sessionFailed"])
    bench.pass(.seconds(100))
    bench.handle(.run(paused, configuration))
    #expect(bench.takeEvents() == ["1 running"], "the bench's chip is still there")
  }

  @Test(
    "The unexpected end of a running session is reported according to its reason",
    arguments: [
      (UCISessionState.idle, UCIReason.stoppedInBand, "0 peerEnded"),
      (.idle, .maxRoundRetries, "0 timeout"),
      (.idle, .byCommand, "0 sessionFailed"),
      (.idle, .maxMeasurements, "0 sessionFailed"),
      (.idle, UCIReason(rawValue: 0xEE), "0 sessionFailed"),
      (.deinitialised, .byCommand, "0 sessionFailed"),
      (.deinitialised, .stoppedInBand, "0 peerEnded"),
      (.error, .byCommand, "0 sessionFailed"),
    ])
  func unexpectedEnd(state: UCISessionState, reason: UCIReason, expected: String) {
    var bench = MachineBench()
    let (id, configuration) = bench.runningSession()
    bench.round(centimetres: 200)
    _ = bench.takeEvents()
    let octets = bench.chip.status(bench.chip.newest ?? 0, state, reason)
    bench.chipSays(octets)
    #expect(bench.takeEvents() == [expected])
    #expect(bench.chip.sessions.isEmpty)
    bench.handle(.run(id, configuration))
    #expect(bench.takeEvents() == (expected.hasSuffix("Failed") ? [] : ["0 running"]))
  }

  @Test("A session suspended in band waits to be resumed, until its time-out")
  func suspendedInBand() {
    var bench = MachineBench()
    _ = bench.runningSession()
    bench.round(centimetres: 200)
    let idle = bench.chip.status(bench.chip.newest ?? 0, .idle, .suspendedInBand)
    bench.chipSays(idle)
    bench.pass(.seconds(5))
    let active = bench.chip.status(bench.chip.newest ?? 0, .active, .resumedInBand)
    bench.chipSays(active)
    _ = bench.takeEvents()
    bench.round(centimetres: 200)
    #expect(bench.takeEvents().allSatisfy { $0.hasPrefix("0 at") })
    bench.pass(.seconds(11))
    #expect(bench.takeEvents().last == "0 timeout")
  }

  @Test(
    "A session that fails to start leaves nothing on the chip, whichever command is refused",
    arguments: [
      UCIMessageID.setAppConfiguration, .sessionStart,
    ])
  func refused(command: UCIMessageID) {
    var chip = ScriptedChip()
    chip.refused = [command: .rejected]
    var bench = MachineBench(chip: chip)
    _ = bench.runningSession()
    #expect(bench.takeEvents() == ["0 sessionFailed"])
    #expect(bench.chip.sessions.isEmpty)
  }

  @Test(
    "If the chip does not answer during set-up, the session fails within 30 s",
    arguments: [UCIMessageID.sessionInit, .setAppConfiguration, .sessionStart])
  func ignored(command: UCIMessageID) {
    var chip = ScriptedChip()
    chip.ignored = [command]
    var bench = MachineBench(chip: chip)
    _ = bench.runningSession()
    bench.pass(.seconds(30))
    #expect(bench.takeEvents() == ["0 sessionFailed"])
    #expect(bench.machine.nextWake == nil)
  }

  @Test("START that is accepted but not executed, or undone immediately, fails the session")
  func startWithoutActive() {
    var chip = ScriptedChip()
    chip.startsSessions = false
    var bench = MachineBench(chip: chip)
    _ = bench.runningSession()
    bench.pass(.milliseconds(9_999))
    #expect(bench.takeEvents().isEmpty)
    bench.pass(.milliseconds(1))
    #expect(bench.takeEvents() == ["0 sessionFailed"])
    #expect(bench.chip.sessions.isEmpty)
    chip.startReason = .sessionKeyNotFound
    bench = MachineBench(chip: chip)
    _ = bench.runningSession()
    #expect(bench.takeEvents() == ["0 sessionFailed"])
    #expect(bench.chip.sessions.isEmpty)
  }

  @Test("A session that disappears from the chip while it opens fails")
  func deinitWhileOpening() {
    var chip = ScriptedChip()
    chip.ignored = [.sessionStart]
    var bench = MachineBench(chip: chip)
    _ = bench.runningSession()
    let octets = bench.chip.status(bench.chip.newest ?? 0, .deinitialised, .byCommand)
    bench.chipSays(octets)
    #expect(bench.takeEvents() == ["0 sessionFailed"])
  }

  @Test(
    "When a session is given up, commands in flight may fail; the chip is still cleaned up",
    arguments: [UCIMessageID.sessionStart, .setAppConfiguration])
  func refusedWhileClosing(command: UCIMessageID) {
    var chip = ScriptedChip()
    chip.ignored = [command]
    var bench = MachineBench(chip: chip)
    let (id, configuration) = bench.runningSession()
    bench.handle(.pause(id))
    bench.chip.ignored = []
    _ = bench.chip.takeLog()
    var octets: [UInt8] = []
    UCIMessage.response(.bareStatus(group: command.group, opcode: command.opcode, .rejected))
      .write(to: &octets, dialect: .v2)
    bench.chipSays(octets)
    #expect(bench.chip.takeLog().last == "DEINIT")
    #expect(bench.chip.sessions.isEmpty)
    bench.handle(.run(id, configuration))
    #expect(bench.takeEvents() == ["0 running"])
  }
}
