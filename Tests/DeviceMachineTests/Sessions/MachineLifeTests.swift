import NearbyDeviceMachine
import NearbyUCI
import TestSupport
import Testing

@Suite("Device machine: a session's life")
struct MachineLifeTests {
  static let setUp = ["INIT 1", "CONFIG", "START"]
  static let tearDown = ["STOP", "DEINIT"]
  static let goodbye = "DATA [78, 73, 1, 0]"

  @Test("run sets the chip up and reports that it runs; a round reports the distance")
  func run() {
    var bench = MachineBench()
    _ = bench.runningSession()
    #expect(bench.chip.takeLog() == Self.setUp)
    #expect(bench.takeEvents() == ["0 running"])
    bench.round(centimetres: 250)
    bench.round(centimetres: 250)
    #expect(bench.takeEvents().last == "0 at 2.5")
  }

  @Test("run with the same configuration does nothing while opening, and starts over while running")
  func runAgain() {
    var chip = ScriptedChip()
    chip.ignored = [.sessionInit]
    var bench = MachineBench(chip: chip)
    let (id, configuration) = bench.runningSession()
    bench.handle(.run(id, configuration))
    #expect(bench.chip.takeLog() == ["INIT 1"])
    var other = MachineBench()
    let running = other.runningSession()
    _ = (other.takeEvents(), other.chip.takeLog())
    other.handle(.run(running.id, running.configuration))
    #expect(other.chip.takeLog() == Self.tearDown + Self.setUp)
    #expect(other.takeEvents() == ["0 running"])
  }

  @Test("run with another peer leaves the first one")
  func runAnother() {
    var bench = MachineBench()
    let (id, _) = bench.runningSession()
    let first = bench.chip.newest.flatMap { bench.chip.sessions[$0]?.id }
    bench.handle(.run(id, PeerConfiguration(peer: bench.peer())))
    #expect(bench.chip.sessions.count == 1)
    #expect(bench.chip.newest.flatMap { bench.chip.sessions[$0]?.id } != first)
    #expect(bench.takeEvents() == ["0 running", "0 running"])
  }

  @Test("pause stops ranging silently, and run resumes it with the same session id")
  func pause() {
    var bench = MachineBench()
    let (id, configuration) = bench.runningSession()
    bench.round(centimetres: 200)
    let before = bench.chip.newest.flatMap { bench.chip.sessions[$0]?.id }
    _ = (bench.takeEvents(), bench.chip.takeLog())
    bench.handle(.pause(id))
    #expect(bench.chip.takeLog() == Self.tearDown)
    bench.pass(.seconds(100))
    #expect(bench.takeEvents().isEmpty)
    #expect(bench.machine.nextWake == nil)
    bench.handle(.run(id, configuration))
    #expect(bench.takeEvents() == ["0 running"])
    #expect(bench.chip.newest.flatMap { bench.chip.sessions[$0]?.id } == before)
  }

  @Test(
    "invalidate says goodbye to a known peer, then closes; no more events, and run does nothing")
  func invalidate() {
    var bench = MachineBench()
    let (id, configuration) = bench.runningSession()
    bench.round(centimetres: 200)
    _ = (bench.takeEvents(), bench.chip.takeLog())
    bench.handle(.invalidate(id))
    let log = bench.chip.takeLog()
    #expect(log.first?.hasPrefix(Self.goodbye) == true)
    #expect(Array(log.dropFirst()) == Self.tearDown)
    bench.handle(.run(id, configuration))
    bench.handle(.pause(id))
    bench.handle(.invalidate(id))
    bench.pass(.seconds(100))
    #expect(bench.chip.takeLog().isEmpty)
    #expect(bench.takeEvents().isEmpty)
  }

  @Test("A peer that was never received gets no goodbye")
  func invalidateUnheard() {
    var bench = MachineBench()
    let (id, _) = bench.runningSession()
    _ = bench.chip.takeLog()
    bench.handle(.invalidate(id))
    #expect(bench.chip.takeLog() == Self.tearDown)
  }

  @Test(
    "A goodbye that the chip does not confirm, or only repeats, ends by its deadline",
    arguments: [nil, UCITransferStatus.okRepetition])
  func goodbyeLost(status: UCITransferStatus?) {
    var chip = ScriptedChip()
    chip.dataStatus = status
    var bench = MachineBench(chip: chip)
    let (id, _) = bench.runningSession()
    bench.round(centimetres: 200)
    _ = bench.chip.takeLog()
    bench.handle(.release(id))
    #expect(bench.chip.takeLog().count == 1)
    bench.pass(.milliseconds(999))
    #expect(bench.chip.takeLog().isEmpty)
    bench.pass(.milliseconds(1))
    #expect(bench.chip.takeLog() == Self.tearDown)
    bench.pass(.seconds(3))
    #expect(bench.chip.sessions.isEmpty)
    #expect(bench.machine.nextWake == nil)
  }

  @Test("The peer's goodbye removes it, once; other messages and those of strangers do not")
  func peerEnds() {
    var bench = MachineBench()
    let (id, configuration) = bench.runningSession()
    bench.round(centimetres: 200)
    _ = (bench.takeEvents(), bench.chip.takeLog())
    let handle = bench.chip.newest ?? 0
    bench.chipSays(bench.chip.data(handle, Goodbye.octets, from: 0xABCDEF))
    bench.chipSays(bench.chip.data(handle, [1, 2, 3]))
    bench.chipSays(bench.chip.data(handle, Goodbye.octets + [0]))
    #expect(bench.takeEvents().isEmpty)
    bench.chipSays(bench.chip.data(handle, Goodbye.octets))
    bench.chipSays(bench.chip.data(handle, Goodbye.octets))
    #expect(bench.takeEvents() == ["0 peerEnded"])
    #expect(bench.chip.takeLog() == Self.tearDown)
    bench.pass(.seconds(60))
    #expect(bench.takeEvents().isEmpty)
    bench.handle(.run(id, configuration))
    #expect(bench.takeEvents() == ["0 running"])
  }

  @Test("After silence the distance is removed, then the peer after 10 s, each once; run resumes")
  func timeout() {
    var bench = MachineBench()
    let (id, configuration) = bench.runningSession()
    for _ in 0..<20 { bench.round(centimetres: 200) }
    _ = bench.takeEvents()
    bench.pass(.milliseconds(9_999))
    let silent = bench.takeEvents()
    #expect(silent.last == "0 nowhere")
    #expect(silent.filter { $0 == "0 nowhere" }.count == 1)
    bench.pass(.milliseconds(1))
    #expect(bench.takeEvents() == ["0 timeout"])
    bench.pass(.seconds(100))
    #expect(bench.takeEvents().isEmpty)
    bench.handle(.run(id, configuration))
    #expect(bench.takeEvents() == ["0 running"])
    bench.round(centimetres: 300)
    bench.round(centimetres: 300)
    #expect(bench.takeEvents().last == "0 at 3.0")
  }

  @Test("Failed rounds do not keep a peer from its time-out")
  func failedRounds() {
    var bench = MachineBench()
    _ = bench.runningSession()
    bench.round(centimetres: 200)
    for _ in 0..<80 { bench.round(centimetres: nil) }
    let events = bench.takeEvents()
    #expect(events.last == "0 timeout")
    #expect(events.filter { $0 == "0 timeout" }.count == 1)
  }

  @Test("A peer that was never received is awaited indefinitely, without wake-ups")
  func neverHeard() {
    var bench = MachineBench()
    _ = bench.runningSession()
    bench.round(centimetres: nil)
    _ = bench.takeEvents()
    #expect(bench.machine.nextWake == nil || bench.machine.nextWake ?? .zero <= bench.now + .seconds(2))
    let wakes = bench.wakes
    bench.pass(.seconds(10_000))
    #expect(bench.takeEvents().isEmpty)
    #expect(bench.wakes <= wakes + 1)
  }

  @Test("Leaving the foreground suspends running sessions; returning is reported and resumes nothing")
  func suspension() {
    var bench = MachineBench()
    let (id, configuration) = bench.runningSession()
    let idle = bench.session().id
    _ = (bench.takeEvents(), bench.chip.takeLog())
    bench.handle(.enterBackground)
    bench.handle(.enterBackground)
    #expect(bench.takeEvents() == ["0 suspended"])
    #expect(bench.chip.takeLog() == Self.tearDown)
    bench.handle(.run(id, configuration))
    bench.handle(.run(idle, PeerConfiguration(peer: bench.peer())))
    #expect(bench.takeEvents() == ["0 suspended", "1 suspended"])
    bench.handle(.enterForeground)
    bench.handle(.enterForeground)
    #expect(bench.takeEvents() == ["0 suspensionEnded", "1 suspensionEnded"])
    bench.pass(.seconds(1000))
    #expect(bench.chip.takeLog().isEmpty)
    bench.handle(.run(id, configuration))
    #expect(bench.takeEvents() == ["0 running"])
  }

  @Test("A session paused in the background gets no suspensionEnded")
  func pausedWhileSuspended() {
    var bench = MachineBench()
    let (id, _) = bench.runningSession()
    bench.handle(.enterBackground)
    bench.handle(.pause(id))
    _ = bench.takeEvents()
    bench.pass(.seconds(1000))
    bench.handle(.enterForeground)
    #expect(bench.takeEvents().isEmpty)
  }

  @Test("Too long in the background ends suspended sessions, and no others")
  func backgroundLimit() {
    var bench = MachineBench()
    let (id, configuration) = bench.runningSession()
    _ = bench.session()
    bench.handle(.enterBackground)
    _ = bench.takeEvents()
    bench.pass(.seconds(180) - .nanoseconds(1))
    #expect(bench.takeEvents().isEmpty)
    bench.pass(.nanoseconds(1))
    #expect(bench.takeEvents() == ["0 resourceUsageTimeout"])
    bench.handle(.enterForeground)
    bench.handle(.run(id, configuration))
    #expect(bench.takeEvents().isEmpty)
    // Back in time, and away again: the limit starts over.
    let second = bench.runningSession().id
    for _ in 0..<3 {
      bench.handle(.enterBackground)
      bench.pass(.seconds(170))
      bench.handle(.enterForeground)
      bench.handle(.run(second, PeerConfiguration(peer: bench.peer())))
    }
    #expect(bench.takeEvents().allSatisfy { $0.hasPrefix("2 ") && !$0.hasSuffix("Timeout") })
  }

  @Test("A session's own token as peer is an invalid configuration, and the chip is not used")
  func ownToken() {
    var bench = MachineBench()
    let (id, identity) = bench.session()
    bench.handle(.run(id, PeerConfiguration(peer: identity)))
    #expect(bench.takeEvents() == ["0 invalidConfiguration"])
    #expect(bench.chip.takeLog().isEmpty)
  }

  @Test("A session over the limit is refused, and a pause makes room for another")
  func sessionLimit() {
    var bench = MachineBench()
    let first = bench.runningSession().id
    for _ in 0..<7 { _ = bench.runningSession() }
    _ = bench.takeEvents()
    _ = bench.runningSession()
    #expect(bench.takeEvents() == ["8 activeSessionsLimitExceeded"])
    bench.handle(.pause(first))
    _ = bench.runningSession()
    #expect(bench.takeEvents() == ["9 running"])
  }

  @Test("Rounds and ends of several sessions on one chip are kept apart")
  func severalSessions() {
    var bench = MachineBench()
    let first = bench.runningSession().id
    let handle = bench.chip.newest ?? 0
    _ = bench.runningSession()
    let other = bench.chip.newest ?? 0
    _ = bench.takeEvents()
    for _ in 0..<2 {
      bench.pass(.milliseconds(150))
      bench.chipSays(bench.chip.round(handle, centimetres: 100))
      bench.chipSays(bench.chip.round(other, centimetres: 900))
    }
    #expect(Set(bench.takeEvents()).isSuperset(of: ["0 at 1.0", "1 at 9.0"]))
    bench.handle(.invalidate(first))
    bench.pass(.milliseconds(150))
    bench.chipSays(bench.chip.round(other, centimetres: 900))
    #expect(bench.takeEvents() == ["1 at 9.0"])
    #expect(Array(bench.chip.sessions.keys) == [other])
  }

  @Test("A session that runs again while its previous ranging closes waits until it is closed")
  func runWhileDeparting() {
    var bench = MachineBench()
    let (id, configuration) = bench.runningSession()
    _ = (bench.takeEvents(), bench.chip.takeLog())
    bench.chip.ignored = [.sessionDeinit]
    bench.handle(.pause(id))
    bench.handle(.run(id, configuration))
    #expect(bench.chip.takeLog() == Self.tearDown)
    bench.chip.ignored = []
    bench.pass(.milliseconds(1_999))
    #expect(bench.takeEvents().isEmpty)
    bench.chipSays(bench.chip.status(bench.chip.newest ?? 0, .deinitialised, .byCommand))
    #expect(bench.chip.takeLog() == [])
    bench.pass(.milliseconds(1))
    #expect(bench.chip.takeLog() == Self.setUp)
    #expect(bench.takeEvents() == ["0 running"])
  }

  @Test("Relaunching the app drops its sessions silently")
  func relaunch() {
    var bench = MachineBench()
    let (id, configuration) = bench.runningSession()
    bench.round(centimetres: 200)
    _ = (bench.takeEvents(), bench.chip.takeLog())
    bench.handle(.relaunch)
    #expect(bench.chip.takeLog() == Self.tearDown)
    bench.handle(.run(id, configuration))
    bench.pass(.seconds(60))
    #expect(bench.takeEvents().isEmpty)
    _ = bench.runningSession()
    #expect(bench.takeEvents() == ["1 running"])
  }
}
