import Dispatch
import Foundation
import NearbyTesting

/// The cost of virtual time for apps: of apps that wait in a world, and of the same calls where no world lives.
func waitsBenchmark() -> [Figure] {
  [runOfWaitingApps(), costOfClock(), costOfSemaphore()]
}

/// Two phones whose apps wait in a dozen ways.
private func runOfWaitingApps() -> Figure {
  var times: [Duration] = []
  for _ in 0..<201 {
    let start = ContinuousClock.now
    let world = World(seed: 1)
    for name in ["Ann", "Ben"] {
      world.addPhone(name, at: [0, 0, 0]).launch {
        waitInQueues()
        waitInTimersAndTasks()
        waitBlocking()
      }
    }
    world.advance(by: .seconds(10))
    times.append(ContinuousClock.now - start)
    consume(UInt64(world.stalls))
  }
  return Figure(
    name: "two phones that wait in twelve ways for 10 s, median", value: times.sorted()[100].seconds * 1000,
    unit: "ms", target: .under(10))
}

private func done() { consume(UInt64(1)) }

private func waitInQueues() {
  let work = DispatchQueue(label: "work")
  for second in 1...5 {
    DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(second)) {
      DispatchQueue.global().async { DispatchQueue.main.async { done() } }
    }
    work.asyncAfter(wallDeadline: .now() + .seconds(second)) { done() }
  }
  let group = DispatchGroup()
  group.enter()
  work.asyncAfter(deadline: .now() + 3) { group.leave() }
  group.notify(queue: .main) { done() }
}

private func waitInTimersAndTasks() {
  _ = Timer.scheduledTimer(withTimeInterval: 2, repeats: true) { _ in done() }
  let source = DispatchSource.makeTimerSource(queue: .global())
  source.schedule(deadline: .now() + 1.5, repeating: 3)
  source.setEventHandler { withExtendedLifetime(source) { done() } }
  source.activate()
  for second in 1...4 {
    Task { try? await Task.sleep(for: .seconds(second)) }
    Task { @MainActor in try? await Task.sleep(nanoseconds: UInt64(second) * 1_500_000_000) }
  }
  Task.detached { try? await Task.sleep(until: .now + .seconds(3.5), clock: .continuous) }
}

private func waitBlocking() {
  DispatchQueue(label: "blocking").async {
    let semaphore = DispatchSemaphore(value: 0)
    _ = semaphore.wait(timeout: .now() + 0.5)
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.25) { semaphore.signal() }
    semaphore.wait()
    Thread.sleep(forTimeInterval: 0.1)
    usleep(1000)
    DispatchQueue.main.sync { done() }
    let condition = NSCondition()
    condition.lock()
    _ = condition.wait(until: Date() + 1)
    condition.unlock()
  }
}

// MARK: Without a world

/// A function of a library itself, which this program's definition does not replace.
private func original<Function>(_ name: String, in library: String, as type: Function.Type) -> Function? {
  guard let handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD), let address = dlsym(handle, name) else {
    return nil
  }
  return unsafeBitCast(address, to: Function.self)
}

/// How much longer a call of this program's definition takes than one of the library's, in nanoseconds.
private func difference(_ name: String, _ defined: () -> Void, _ original: () -> Void) -> Figure {
  let calls = 100_000
  func time(_ body: () -> Void) -> Double {
    let least = leastTime {
      for _ in 0..<calls { body() }
      return 0
    }
    return least.nanoseconds / Double(calls)
  }
  return Figure(name: name, value: time(defined) - time(original), unit: "ns", target: .under(5))
}

private func costOfClock() -> Figure {
  typealias Clock = @convention(c) (clockid_t, UnsafeMutablePointer<timespec>) -> Int32
  let original = original("clock_gettime", in: "libc.so.6", as: Clock.self)
  return difference(
    "clock_gettime without a world, above the C library's",
    {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      consume(UInt64(bitPattern: Int64(time.tv_nsec)))
    },
    {
      var time = timespec()
      _ = original?(CLOCK_MONOTONIC, &time)
      consume(UInt64(bitPattern: Int64(time.tv_nsec)))
    })
}

private func costOfSemaphore() -> Figure {
  typealias Signal = @convention(c) (UnsafeMutableRawPointer) -> Int
  typealias Wait = @convention(c) (UnsafeMutableRawPointer, UInt64) -> Int
  let signal = original("dispatch_semaphore_signal", in: "libdispatch.so", as: Signal.self)
  let wait = original("dispatch_semaphore_wait", in: "libdispatch.so", as: Wait.self)
  // The main program's own definitions, if it links the library.
  let own = dlopen(nil, RTLD_LAZY)
  let ownSignal = dlsym(own, "dispatch_semaphore_signal").map { unsafeBitCast($0, to: Signal.self) }
  let ownWait = dlsym(own, "dispatch_semaphore_wait").map { unsafeBitCast($0, to: Wait.self) }
  let semaphore = DispatchSemaphore(value: 0)
  let address = Unmanaged.passUnretained(semaphore).toOpaque()
  return withExtendedLifetime(semaphore) {
    difference(
      "semaphore's signal and wait without a world, above libdispatch's",
      {
        _ = ownSignal?(address)
        _ = ownWait?(address, .max)
      },
      {
        _ = signal?(address)
        _ = wait?(address, .max)
      })
  }
}
