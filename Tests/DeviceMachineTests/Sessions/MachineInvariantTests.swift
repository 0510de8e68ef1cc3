import TestSupport
import Testing

@testable import NearbyDeviceMachine
@testable import NearbyUCI

@Suite("Device machine: invariants")
struct MachineInvariantTests {
  @Test("10 000 sessions created, run and released leave nothing behind", .tags(.slow))
  func noGrowth() {
    var bench = MachineBench()
    for index in 0..<10_000 {
      let (id, _) = bench.runningSession()
      if index % 2 == 0 { bench.round(centimetres: 200) }
      bench.handle(.release(id))
    }
    bench.pass(.seconds(10))
    expectNothingLeft(bench)
  }

  private func expectNothingLeft(
    _ bench: MachineBench, _ context: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let machine = bench.machine
    #expect(
      machine.sessions.isEmpty,
      "\(context)", sourceLocation: sourceLocation)
    #expect(
      machine.radio.departing.isEmpty,
      "\(context)", sourceLocation: sourceLocation)
    #expect(
      machine.host.sessions.isEmpty,
      "\(context)", sourceLocation: sourceLocation)
    #expect(
      machine.host.queue.isEmpty,
      "\(context)", sourceLocation: sourceLocation)
    // A chip that did not answer DEINIT keeps its sessions.
    #expect(
      bench.chip.sessions.isEmpty || bench.chip.hasWithheld, "\(context)", sourceLocation: sourceLocation)
    #expect(machine.nextWake == nil, "\(context)", sourceLocation: sourceLocation)
  }

  /// Apps, users and chips that do anything at any time. A session that is over must be silent, the number of
  /// wake-ups must be limited (`MachineBench.pass` checks it), and in the end neither side may have anything
  /// left.
  @Test("After random events, sessions have ended once and left nothing behind", arguments: 1...300)
  func anything(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var bench = MachineBench(permission: Bool.random(using: &random) ? .allowed : .notDetermined)
    var made: [SessionID] = []
    var history: [String] = []
    for _ in 0..<120 {
      step(&bench, &made, &random)
      history += bench.takeEvents()
    }
    bench.chip.ignored = []
    bench.chip.refused = [:]
    for id in made { bench.handle(.release(id)) }
    bench.pass(.seconds(400))
    history += bench.takeEvents()
    for id in made { check(history.filter { $0.hasPrefix("\(id.index) ") }, seed) }
    expectNothingLeft(bench, "seed \(seed)")
  }

  private func check(_ history: [String], _ seed: Int) {
    let ends = ["sessionFailed", "Exceeded", "Configuration", "Allow", "resourceUsageTimeout"]
    if let end = history.firstIndex(where: { event in ends.contains { event.hasSuffix($0) } }) {
      #expect(end == history.count - 1, "seed \(seed): \(history)")
    }
    var isRunning = false
    var isSuspended = false
    for event in history.map({ $0.split(separator: " ", maxSplits: 1)[1] }) {
      switch event {
      case "running": isRunning = true
      case "suspended": (isRunning, isSuspended) = (false, true)
      case "suspensionEnded":
        #expect(isSuspended, "seed \(seed): \(history)")
        isSuspended = false
      case "timeout", "peerEnded":
        #expect(isRunning, "seed \(seed): \(history)")
        isRunning = false
      case "nowhere": #expect(isRunning, "seed \(seed): \(history)")
      default: #expect(isRunning || !event.hasPrefix("at "), "seed \(seed): \(history)")
      }
    }
  }

  private func step(
    _ bench: inout MachineBench, _ made: inout [SessionID], _ random: inout SeededGenerator
  ) {
    switch Int.random(in: 0...19, using: &random) {
    case 0...3: made.append(bench.runningSession().id)
    case 4...9: act(&bench, made.randomElement(using: &random), &random)
    case 10, 11: bench.round(centimetres: UInt16.random(in: 0...900, using: &random))
    case 12: misbehave(&bench, &random)
    case 13:
      let octets = bench.chip.fails()
      bench.chipSays(octets)
    case 14:
      guard let handle = bench.chip.sessions.keys.sorted().randomElement(using: &random) else { return }
      let state = [UCISessionState.idle, .deinitialised, .active, .error, .initialised]
      let octets = bench.chip.status(
        handle, state.randomElement(using: &random) ?? .idle,
        UCIReason(rawValue: UInt8.random(in: 0...6, using: &random)))
      bench.chipSays(octets)
    case 15: bench.chipSays(bench.chip.data(bench.chip.newest ?? 0, Goodbye.octets))
    case 16: bench.handle([.enterBackground, .enterForeground].randomElement(using: &random) ?? .relaunch)
    case 17:
      let answer = [Permission.allowed, .allowedOnce, .denied, .notDetermined].randomElement(using: &random)
      bench.handle(.answerPermission(answer ?? .allowed))
    default: bench.pass(.milliseconds(Int.random(in: 0...5_000, using: &random)))
    }
  }

  private func act(_ bench: inout MachineBench, _ id: SessionID?, _ random: inout SeededGenerator) {
    guard let id else { return }
    switch Int.random(in: 0...6, using: &random) {
    case 0, 1: bench.handle(.pause(id))
    case 2: bench.handle(.invalidate(id))
    case 3: bench.handle(.release(id))
    case 4: if Int.random(in: 0...9, using: &random) == 0 { bench.linkCloses() }
    default:
      guard let session = bench.machine.sessions.first(where: { $0.id == id }) else { return }
      bench.handle(.run(id, session.configuration ?? PeerConfiguration(peer: bench.peer())))
    }
  }

  private func misbehave(_ bench: inout MachineBench, _ random: inout SeededGenerator) {
    let commands: [UCIMessageID] = [
      .deviceReset, .capabilities, .sessionInit, .setAppConfiguration, .sessionStart, .sessionStop,
      .sessionDeinit,
    ]
    let command = commands.randomElement(using: &random) ?? .sessionInit
    switch Int.random(in: 0...4, using: &random) {
    case 0: bench.chip.ignored = [command]
    case 1: bench.chip.refused = [command: .rejected]
    case 2: bench.chip.dataStatus = [nil, .ok, .error, .okRepetition].randomElement(using: &random) ?? nil
    case 3: bench.chip.startsSessions.toggle()
    default:
      bench.chip.ignored = []
      bench.chip.refused = [:]
    }
  }
}
