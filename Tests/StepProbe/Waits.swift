import Dispatch
import Foundation

/// Every way in which code waits for a time, each of which takes a different number of milliseconds.
enum Waits {
  static func printAll() {
    measure("usleep 3") { usleep(3_000) }
    measure("sleep 1000") { sleep(1) }
    measure("nanosleep 4") {
      var wanted = timespec(tv_sec: 0, tv_nsec: 4_000_000)
      nanosleep(&wanted, nil)
    }
    measure("clock_nanosleep 5") {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      time.tv_nsec += 5_000_000
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
    }
    measure("poll 6") { _ = poll(nil, 0, 6) }
    measure("select 7") {
      var time = timeval(tv_sec: 0, tv_usec: 7_000)
      _ = select(0, nil, nil, nil, &time)
    }
    measure("thread 8") { Thread.sleep(forTimeInterval: 0.008) }
    measure("condition 9") {
      let condition = NSCondition()
      condition.lock()
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.009))
      condition.unlock()
    }
    measure("semaphore 10") {
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(10))
    }
    measure("group 11") {
      let group = DispatchGroup()
      group.enter()
      _ = group.wait(timeout: .now() + .milliseconds(11))
      group.leave()
    }
    measure("after 12") {
      wait { DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(12), execute: $0) }
    }
    measure("wall 13") {
      wait { DispatchQueue.global().asyncAfter(wallDeadline: .now() + .milliseconds(13), execute: $0) }
    }
    measure("source 14") { source() }
    measure("run loop 15") { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.015)) }
    timer()
    measure("task 17") {
      wait { done in
        Task {
          try? await Task.sleep(for: .milliseconds(17)); done()
        }
      }
    }
    measure("signalled 18") { signalled() }
    measure("stream 0") { stream() }
  }

  /// Prints how long something took, in whole milliseconds of the world's time.
  private static func measure(_ name: String, _ body: () -> Void) {
    let start = ContinuousClock.now
    body()
    show(name, ContinuousClock.now - start)
  }

  private static func show(_ name: String, _ time: Duration) {
    // Foundation's dates are doubles, which hold the time since 2001 to 0.1 µs.
    let exact = time / .milliseconds(1)
    print(name, Int(exact.rounded()), abs(exact - exact.rounded()) < 0.01 ? "exactly" : "\(exact)")
  }

  /// A run loop does not return for a timer, so the timer says when it fired.
  private static func timer() {
    let start = ContinuousClock.now
    _ = Timer.scheduledTimer(withTimeInterval: 0.016, repeats: false) { _ in
      show("timer 16", ContinuousClock.now - start)
    }
    RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.05))
  }

  private static func wait(_ begin: (@escaping @Sendable () -> Void) -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    begin { isDone.signal() }
    isDone.wait()
  }

  private static func source() {
    let timer = DispatchSource.makeTimerSource(queue: .global())
    wait { done in
      timer.setEventHandler(handler: done)
      timer.schedule(deadline: .now() + .milliseconds(14))
      timer.activate()
    }
    timer.cancel()
  }

  /// A semaphore that is signalled before its time is over.
  private static func signalled() {
    let semaphore = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      usleep(18_000)
      semaphore.signal()
    }
    if semaphore.wait(timeout: .now() + .seconds(5)) != .success { print("timed out") }
  }

  /// Octets end a wait without any time.
  private static func stream() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    let (readable, writable) = (ends[0], ends[1])
    Thread.detachNewThread { write(writable, "x", 1) }
    var waiting = pollfd(fd: readable, events: Int16(POLLIN), revents: 0)
    if poll(&waiting, 1, 5_000) != 1 { print("timed out") }
  }
}
