import MultipeerConnectivity
import NearbyTesting
import TestSupport
import Testing

@Suite("Apple's sample on a bad network")
struct MultipeerMeetingTests {
  @Test(
    "If both sides advertise, browse and invite, each gets one connection",
    arguments: 1...120 as ClosedRange<UInt64>)
  func meeting(seed: UInt64) {
    let run = SampleMeeting(seed: seed)
    run.world.setNetworkLoss([0, 0.05, 0.2][Int(seed % 3)])
    run.world.setNetworkLatency([.milliseconds(1), .milliseconds(20), .milliseconds(150)][Int(seed / 3 % 3)])
    run.start()
    run.world.advance(by: .seconds(30))
    for app in run.apps {
      #expect(app.isTogether, "seed \(seed)")
      #expect(app.states == [.connecting, .connected], "seed \(seed): \(app.states)")
      #expect(app.faults.isEmpty, "seed \(seed)")
    }
  }

  @Test(
    "After random failures of links and apps, both are connected again",
    arguments: 1...100 as ClosedRange<UInt64>)
  func flapping(seed: UInt64) {
    let run = SampleMeeting(seed: seed)
    var random = SeededGenerator(seed: seed)
    run.world.setNetworkLoss(0.1)
    run.start()
    for _ in 0..<12 {
      run.world.advance(by: .milliseconds(Int.random(in: 50...4000, using: &random)))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: run.world.breakConnections(run.phones[0], run.phones[1])
      case 1: run.cut(for: .milliseconds(Int.random(in: 100...40_000, using: &random)))
      case 2:
        run.leave(
          Int.random(in: 0...1, using: &random), for: .seconds(Int.random(in: 1...200, using: &random)))
      default: run.restart(Int.random(in: 0...1, using: &random))
      }
    }
    let isTogether = run.world.advance(until: { run.areTogether }, within: .seconds(180))
    #expect(isTogether, "seed \(seed): \(run.apps.map(\.states.last))")
    run.world.advance(by: .seconds(30))
    #expect(run.areTogether, "seed \(seed)")
    for app in run.apps { #expect(app.faults.isEmpty, "seed \(seed): \(app.faults)") }
  }

  @Test("The same seed gives the same trace, including failures of links")
  func determinism() {
    func trace() -> [[String]] {
      let run = SampleMeeting(seed: 77)
      run.world.setNetworkLoss(0.2)
      run.start()
      run.cut(for: .seconds(5))
      run.restart(1)
      run.world.advance(by: .seconds(60))
      return run.apps.map(\.trace)
    }
    let first = trace()
    #expect(first == trace())
    #expect(first.allSatisfy { !$0.isEmpty })
  }
}

/// Two phones with the sample's app.
private final class SampleMeeting {
  let world: World
  let phones: [Phone]
  private(set) var apps: [SampleApp]

  init(seed: UInt64) {
    let world = World(seed: seed, drainsMainQueue: false)
    self.world = world
    phones = ["Ann", "Ben"].enumerated().map { world.addPhone($1, at: [0, Double($0) * 3, 1.2]) }
    apps = phones.map { phone in phone.launch { SampleApp(phone.name, clock: world) } }
  }

  var areTogether: Bool { apps.allSatisfy { $0.isTogether } }

  func start() { apps.forEach { $0.start() } }

  func cut(for time: Duration) {
    world.partition(phones[0], phones[1])
    world.advance(by: time)
    world.heal()
  }

  func leave(_ place: Int, for time: Duration) {
    phones[place].leaveNetwork()
    world.advance(by: time)
    phones[place].joinNetwork()
  }

  /// Kills and restarts the app, with the identity that it stored or with a new one.
  func restart(_ place: Int) {
    let old = apps[place]
    phones[place].relaunch()
    apps[place] = phones[place].launch {
      SampleApp(phones[place].name, peer: old.states.count.isMultiple(of: 2) ? old.peer : nil, clock: world)
    }
    apps[place].start()
  }
}
