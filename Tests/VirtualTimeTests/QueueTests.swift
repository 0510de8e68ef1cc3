import Dispatch
import Foundation
import NearbyTesting
import Testing

@Suite("Order of queues in virtual time")
struct QueueTests {
  @Test("What was sent to a serial queue before a synchronous call has run when the call runs")
  func synchronousAfterAsynchronous() {
    let scene = Scene()
    let log = scene.log
    scene.phone.launch {
      let queue = DispatchQueue(label: "serial")
      queue.async { log("first") }
      queue.async { log("second") }
      queue.sync { log("third") }
      log("after")
    }
    #expect(scene.history.lines == ["0 first", "0 second", "0 third", "0 after"])
    #expect(scene.world.stalls == 0)
  }

  @Test("A piece that waits keeps its serial queue; a concurrent queue goes on")
  func heldQueue() async {
    let scene = Scene()
    let log = scene.log
    scene.phone.launch {
      let serial = DispatchQueue(label: "serial")
      let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
      for queue in [serial, concurrent] {
        queue.async {
          Thread.sleep(forTimeInterval: 1)
          log("\(queue.label) slept")
        }
        queue.async { log("\(queue.label) next") }
      }
    }
    await scene.world.advance(by: .seconds(2))
    #expect(
      scene.history.lines == [
        "0 concurrent next", "1000 serial slept", "1000 serial next", "1000 concurrent slept",
      ])
    #expect(scene.world.stalls == 0)
  }

  @Test("Queues with one serial target run one piece at a time")
  func target() async {
    let scene = Scene()
    let log = scene.log
    scene.phone.launch {
      let base = DispatchQueue(label: "base")
      let first = DispatchQueue(label: "first", target: base)
      let second = DispatchQueue(label: "second", attributes: .initiallyInactive)
      second.setTarget(queue: base)
      second.activate()
      first.async {
        Thread.sleep(forTimeInterval: 1)
        log("first")
      }
      second.async { log("second") }
    }
    await scene.world.advance(by: .seconds(2))
    #expect(scene.history.lines == ["1000 first", "1000 second"])
    #expect(scene.world.stalls == 0)
  }

  @Test("A blocked main queue runs nothing else, and the test's own synchronous advance waits for it")
  @MainActor func blockedMain() {
    let scene = Scene()
    let log = scene.log
    scene.phone.launch {
      DispatchQueue.main.async {
        let semaphore = DispatchSemaphore(value: 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + 2) {
          log("signal")
          semaphore.signal()
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { log("main") }
        semaphore.wait()
        log("goes on")
      }
    }
    scene.world.advance(by: .milliseconds(500))
    #expect(scene.history.lines == ["2000 signal", "2000 goes on", "2000 main"])
    #expect(scene.world.stalls == 0)
  }

  @Test("A run loop inside a run loop runs timers and the main queue")
  @MainActor func nestedLoop() {
    let scene = Scene()
    let log = scene.log
    scene.phone.launch {
      DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
        nonisolated(unsafe) var isDone = false
        _ = Timer.scheduledTimer(withTimeInterval: 0.3, repeats: false) { _ in
          isDone = true
          log("timer")
        }
        while !isDone { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1)) }
        log("loop over")
      }
    }
    scene.world.advance(by: .seconds(3))
    #expect(scene.history.lines.first == "1300 timer")
    #expect(scene.history.lines.last?.hasSuffix("loop over") == true)
    #expect(scene.world.stalls == 0)
  }

  @Test("Groups, conditions, operations, threads, poll and reading the clock wait in virtual time")
  func blockingCalls() async {
    let scene = Scene()
    let log = scene.log
    scene.phone.launch {
      Thread.detachNewThread {
        let group = DispatchGroup()
        group.enter()
        log("group \(group.wait(timeout: .now() + .milliseconds(300)))")
        group.leave()
        let condition = NSCondition()
        condition.lock()
        log("condition \(condition.wait(until: Date() + 0.5))")
        condition.unlock()
        let operations = OperationQueue()
        operations.addOperation { Thread.sleep(forTimeInterval: 0.2) }
        operations.waitUntilAllOperationsAreFinished()
        log("operations")
        _ = poll(nil, 0, 100)
        log("poll")
        usleep(50_000)
        log("usleep")
        let end = Date() + 0.5
        while Date() < end {}
        log("clock")
      }
    }
    await scene.world.advance(by: .seconds(5))
    let lines = scene.history.lines
    #expect(
      lines.prefix(5) == [
        "300 group timedOut", "800 condition false", "1000 operations", "1100 poll", "1150 usleep",
      ])
    #expect(lines.last?.hasSuffix("clock") == true)
    #expect(lines.count == 6)
    #expect(scene.world.stalls == 0)
  }

  @Test("Launching code may wait, and time passes until the wait is over")
  func waitInLaunch() {
    let scene = Scene()
    let log = scene.log
    scene.phone.launch {
      let semaphore = DispatchSemaphore(value: 0)
      DispatchQueue.global().asyncAfter(deadline: .now() + 1.5) { semaphore.signal() }
      semaphore.wait()
      log("signalled")
      Thread.sleep(forTimeInterval: 0.5)
      log("slept")
    }
    #expect(scene.history.lines == ["1500 signalled", "2000 slept"])
    #expect(scene.world.now == .seconds(2))
  }

  @Test("A timer source can be suspended, resumed, moved and cancelled")
  func timerSource() async {
    let scene = Scene()
    let log = scene.log
    let source = scene.phone.run {
      let source = DispatchSource.makeTimerSource(queue: .global())
      source.schedule(deadline: .now() + 1, repeating: 1)
      source.setEventHandler { log("tick") }
      source.setCancelHandler { log("cancelled") }
      source.resume()
      return source
    }
    await scene.world.advance(by: .milliseconds(2500))
    scene.phone.run { source.suspend() }
    await scene.world.advance(by: .seconds(2))
    scene.phone.run { source.resume() }
    await scene.world.advance(by: .milliseconds(100))
    scene.phone.run { source.schedule(deadline: .now() + 0.5, repeating: .never) }
    await scene.world.advance(by: .seconds(3))
    scene.phone.run { source.cancel() }
    await scene.world.advance(by: .seconds(3))
    #expect(
      scene.history.lines == ["1000 tick", "2000 tick", "4500 tick", "5100 tick", "7600 cancelled"])
  }
}
