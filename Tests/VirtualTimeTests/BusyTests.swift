import Dispatch
import Foundation
import NearbyTesting
import Testing

@Suite("Apps that wait by working", .timeLimit(.minutes(1)))
struct BusyTests {
  @Test("Code that yields until something has happened lets time move")
  func yielding() {
    let scene = Scene()
    let history = scene.history
    scene.phone.launch {
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { history.add("due") }
      Task {
        while history.lines.isEmpty { await Task.yield() }
        history.add("seen")
      }
    }
    scene.world.advance(by: .milliseconds(100))
    #expect(history.lines == ["due", "seen"])
    #expect(scene.world.stalls == 0)
  }

  @Test("An app that sends itself work for ever does not stop its world")
  func endless() {
    final class Loop: Sendable {
      func run() { DispatchQueue.main.async { self.run() } }
    }
    let scene = Scene()
    let log = scene.log
    scene.phone.launch {
      Loop().run()
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) { log("due") }
    }
    scene.world.advance(by: .milliseconds(10))
    #expect(scene.history.lines == ["5 due"])
    #expect(scene.world.now == .milliseconds(10))
  }
}
