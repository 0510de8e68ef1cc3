import NearbyDeviceMachine
import TestSupport
import Testing

@Suite("Device machine: permission")
struct MachinePermissionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var before: Permission
    var answer: Permission?
    var isAsked: Bool
    var events: [String]
    var testDescription: String { "\(before), then \(answer.map { "\($0)" } ?? "no answer")" }
  }

  static let matrix: [Case] = [
    Case(before: .notDetermined, answer: nil, isAsked: true, events: []),
    Case(before: .notDetermined, answer: .allowed, isAsked: true, events: ["0 running"]),
    Case(before: .notDetermined, answer: .allowedOnce, isAsked: true, events: ["0 running"]),
    Case(before: .notDetermined, answer: .denied, isAsked: true, events: ["0 userDidNotAllow"]),
    Case(before: .notDetermined, answer: .notDetermined, isAsked: true, events: []),
    Case(before: .allowed, answer: nil, isAsked: false, events: ["0 running"]),
    Case(before: .allowedOnce, answer: nil, isAsked: false, events: ["0 running"]),
    Case(before: .denied, answer: nil, isAsked: false, events: ["0 userDidNotAllow"]),
    Case(before: .denied, answer: .allowed, isAsked: false, events: ["0 userDidNotAllow"]),
  ]

  @Test("The user is asked at the first run if the permission is not determined", arguments: matrix)
  func ask(row: Case) {
    var bench = MachineBench(permission: row.before)
    let id = bench.session().id
    #expect(bench.questions == 0, "making a session asks no question")
    bench.handle(.run(id, PeerConfiguration(peer: bench.peer())))
    if let answer = row.answer { bench.handle(.answerPermission(answer)) }
    bench.pass(.seconds(60))
    #expect(bench.questions == (row.isAsked ? 1 : 0))
    #expect(bench.takeEvents() == row.events)
    let decides = row.isAsked && row.answer != nil && row.answer != .notDetermined
    #expect(bench.stored == (decides ? [row.answer].compactMap(\.self) : []))
  }

  @Test("Waiting sessions share one question and its answer")
  func oneQuestion() {
    var bench = MachineBench(permission: .notDetermined)
    _ = bench.runningSession()
    _ = bench.runningSession()
    #expect(bench.questions == 1)
    bench.handle(.answerPermission(.allowed))
    #expect(bench.takeEvents() == ["0 running", "1 running"])
    _ = bench.runningSession()
    #expect(bench.questions == 1)
  }

  @Test(
    "Sessions paused, ended or put into the background during the question do not run after it")
  func changedMeanwhile() {
    var bench = MachineBench(permission: .notDetermined)
    let paused = bench.runningSession().id
    let ended = bench.runningSession().id
    let released = bench.runningSession().id
    _ = bench.runningSession()
    bench.handle(.pause(paused))
    bench.handle(.invalidate(ended))
    bench.handle(.release(released))
    bench.handle(.enterBackground)
    #expect(bench.takeEvents().isEmpty)
    bench.handle(.answerPermission(.allowed))
    #expect(bench.takeEvents() == ["3 suspended"])
    #expect(bench.chip.takeLog().isEmpty)
    bench.handle(.enterForeground)
    #expect(bench.takeEvents() == ["3 suspensionEnded"])
  }

  @Test("Permission is checked before the configuration, so that running with the own token reveals it")
  func probe() {
    for (permission, expected) in [
      (Permission.allowed, "0 invalidConfiguration"), (.denied, "0 userDidNotAllow"),
    ] {
      var bench = MachineBench(permission: permission)
      let (id, identity) = bench.session()
      bench.handle(.run(id, PeerConfiguration(peer: identity)))
      #expect(bench.takeEvents() == [expected])
    }
  }

  @Test("Without a usage description the user is not asked; without a radio the platform is unsupported")
  func nothingToAsk() {
    var bench = MachineBench(permission: .notDetermined, usageDescription: nil)
    _ = bench.runningSession()
    #expect(bench.takeEvents() == ["0 userDidNotAllow"])
    bench = MachineBench(permission: .notDetermined, hasRadio: false, usageDescription: nil)
    _ = bench.runningSession()
    #expect(bench.takeEvents() == ["0 unsupportedPlatform"])
    #expect(bench.machine.capabilities == [])
    #expect(bench.questions == 0)
    #expect(bench.chip.takeLog().isEmpty)
    #expect(bench.machine.nextWake == nil)
  }

  @Test("Denying in Settings ends running and suspended sessions; allowing starts none")
  func settings() {
    var bench = MachineBench()
    _ = bench.runningSession()
    bench.handle(.enterBackground)
    bench.handle(.enterForeground)
    _ = bench.runningSession()
    _ = bench.takeEvents()
    bench.handle(.setPermission(.denied))
    #expect(bench.takeEvents() == ["1 userDidNotAllow"], "session 0 had not been run again")
    bench.handle(.setPermission(.allowed))
    bench.pass(.seconds(60))
    #expect(bench.takeEvents().isEmpty)
    _ = bench.runningSession()
    bench.handle(.enterBackground)
    bench.handle(.setPermission(.denied))
    #expect(bench.takeEvents() == ["2 running", "2 suspended", "2 userDidNotAllow"])
  }

  @Test("A change in Settings answers an open question")
  func settingsAnswer() {
    var bench = MachineBench(permission: .notDetermined)
    _ = bench.runningSession()
    bench.handle(.setPermission(.allowed))
    #expect(bench.takeEvents() == ["0 running"])
    bench.handle(.answerPermission(.denied))
    #expect(bench.takeEvents().isEmpty, "the question is answered")
  }

  @Test(
    "\"Allow once\" ends with the next launch; the other answers do not",
    arguments: [Permission.allowed, .allowedOnce, .denied])
  func nextLaunch(answer: Permission) {
    var bench = MachineBench(permission: .notDetermined)
    _ = bench.runningSession()
    bench.handle(.answerPermission(answer))
    bench.handle(.relaunch)
    _ = bench.runningSession()
    #expect(bench.questions == (answer == .allowedOnce ? 2 : 1))
  }

  @Test("An answer after the app was relaunched is ignored")
  func lateAnswer() {
    var bench = MachineBench(permission: .notDetermined)
    _ = bench.runningSession()
    bench.handle(.relaunch)
    bench.handle(.answerPermission(.allowed))
    #expect(bench.machine.permission == .notDetermined)
    #expect(bench.takeEvents().isEmpty)
  }
}
