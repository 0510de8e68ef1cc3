import Foundation
import NearbyDevice
import NearbyTesting
import Testing

@Suite("Whole apps in virtual time")
struct WaitingAppTests {
  /// Two phones with an app each, before time moves.
  private struct Scene {
    let world = World(seed: 1)
    let history = History()
    let apps: [WaitingApp]

    init() {
      let (world, history) = (world, history)
      apps = (0..<2).map { index in
        world.addPhone("Phone \(index)", at: [Double(index), 0, 0]).launch {
          let app = WaitingApp { [weak world] line in
            let here = DeviceOfThread.device?.name ?? "nobody"
            history.add("\(here) \(line)")
            // Both of an app's clocks and the world's show the same.
            let now = Int(((world?.now ?? .zero) / .milliseconds(1)).rounded())
            if !line.hasSuffix(" \(now) \(now)") { history.add("wrong time: \(now)") }
          }
          app.start()
          return app
        }
      }
    }

    /// Synchronously, also where the caller is asynchronous.
    func advance(by duration: Duration) { world.advance(by: duration) }

    func check() {
      let lines = history.lines
      let mine = (0..<2).map { phone in
        lines.compactMap { $0.hasPrefix("Phone \(phone) ") ? String($0.dropFirst(8)) : nil }
      }
      #expect(lines.count == 2 * Self.expected.count)
      #expect(mine[0] == Self.expected)
      #expect(mine[1] == Self.expected)
      #expect(world.stalls == 0)
      withExtendedLifetime(apps) {}
    }

    static let expected = [
      "in group 0 0", "MainActor 1000 1000", "race timeout 1100 1100", "work item 1250 1250",
      "item.notify 1250 1250", "timer source 1500 1500", "Timer 2000 2000", "Timer once 2600 2600",
      "group.notify 3000 3000", "Task.sleep(for:) 3000 3000", "MainActor 3000 3000",
      "Task.sleep(nanoseconds:) 3250 3250", "detached 3.5 seconds 3500 3500", "Timer 4000 4000",
      "wallDeadline 4250 4250", "timer source 4500 4500", "main.asyncAfter 5000 5000",
      "global.async 5000 5000", "main.async 5000 5000", "work.asyncAfter 6000 6000", "Timer 6000 6000",
      "semaphore timedOut 6500 6500", "semaphore success 6750 6750", "Thread.sleep 6850 6850",
      "main.sync 6850 6850", "timer source 7500 7500", "Timer 8000 8000",
    ]
  }

  @Test("Every way of waiting ends at its virtual time, on its own phone")
  func ways() async {
    let scene = Scene()
    await scene.world.advance(by: .seconds(10))
    scene.check()
  }

  @Test("The same holds for a test on the main actor")
  @MainActor func mainActor() async {
    let scene = Scene()
    await scene.world.advance(by: .seconds(10))
    scene.check()
  }

  @Test("The same holds for a test that blocks the main queue while it advances time")
  @MainActor func blockingMainActor() {
    let scene = Scene()
    scene.advance(by: .seconds(10))
    scene.check()
  }

  @Test("The same holds for a test that advances time on its own thread, in small steps")
  func steps() {
    let scene = Scene()
    for _ in 0..<400 { scene.advance(by: .milliseconds(25)) }
    scene.check()
  }

  @Test("A hundred worlds in parallel tests have a time each", arguments: 0..<100)
  func parallel(world: Int) async {
    let scene = Scene()
    await scene.world.advance(by: .seconds(10))
    scene.check()
  }

  @Test("Two hundred runs have equal histories")
  func repeatable() {
    var histories: Set<[String]> = []
    for _ in 0..<200 {
      let scene = Scene()
      scene.advance(by: .seconds(10))
      histories.insert(scene.history.lines)
    }
    #expect(histories.count == 1)
  }
}
