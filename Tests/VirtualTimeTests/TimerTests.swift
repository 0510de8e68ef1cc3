import CNearbyVirtualTime
import Foundation
import NearbyTesting
import Testing

@testable import NearbyVirtualTime

@Suite("Foundation's timers and run loops")
struct TimerTests {
  @Test("A timer made by init fires after its interval, not at once")
  func interval() {
    let scene = Scene()
    let log = scene.log
    scene.phone.launch {
      let once = Timer(timeInterval: 0.5, repeats: false) { _ in log("once") }
      #expect(once.fireDate.timeIntervalSinceNow == 0.5)
      RunLoop.main.add(once, forMode: .common)
      RunLoop.main.add(Timer(timeInterval: 0.3, repeats: true) { _ in log("again") }, forMode: .common)
      RunLoop.main.add(
        Timer(fire: Date() + 0.1, interval: 0, repeats: false) { _ in log("date") }, forMode: .common)
    }
    advance(scene.world, by: .seconds(1))
    #expect(scene.history.lines == ["100 date", "300 again", "500 once", "600 again", "900 again"])
  }

  @Test("A timer with an interval too small for its date lets time move", .timeLimit(.minutes(1)))
  func tiny() {
    let scene = Scene()
    let history = scene.history
    scene.phone.launch {
      _ = Timer.scheduledTimer(withTimeInterval: 1e-12, repeats: true) { timer in
        history.add("fired")
        if history.lines.count == 100 { timer.invalidate() }
      }
    }
    advance(scene.world, by: .seconds(1))
    #expect(history.lines.count == 100)
    #expect(scene.world.now == .seconds(1))
  }

  @Test("A timer that is released without having been added to a run loop is forgotten")
  func released() throws {
    // Foundation's Timer keeps itself alive until it is invalidated; CoreFoundation's does not.
    typealias Create =
      @convention(c) (
        UnsafeRawPointer?, Double, Double, UInt, Int,
        @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> Void,
        UnsafeRawPointer?
      ) -> UnsafeMutableRawPointer
    let program = dlopen(nil, RTLD_LAZY)
    let create = unsafeBitCast(try #require(dlsym(program, "CFRunLoopTimerCreate")), to: Create.self)
    let scene = Scene()
    let first = scene.phone.run { create(nil, 1e9, 0, 0, 0, { _, _ in }, nil) }
    let world = try #require(RunLoopTimers.shared.change(first) { $0.context.pointee.world })
    nvt_timer_release(first)
    // Another world's timer may be at the address by now.
    #expect(RunLoopTimers.shared.change(first) { $0.context.pointee.world } != world)
  }

  @Test("RunLoop.perform runs a block on the main queue, as its phone")
  func perform() {
    let scene = Scene()
    let log = scene.logPhone
    scene.other.launch {
      RunLoop.main.perform {
        dispatchPrecondition(condition: .onQueue(.main))
        log("performed")
      }
    }
    #expect(scene.history.lines.isEmpty)
    advance(scene.world, by: .seconds(1))
    #expect(scene.history.lines == ["0 Ben performed"])
  }

  private func advance(_ world: World, by duration: Duration) { world.advance(by: duration) }
}
