import Dispatch
import Foundation

/// What apps did, in order, with the time of each.
final class History: Sendable {
  private let lock = NSLock()
  private nonisolated(unsafe) var entries: [String] = []

  var lines: [String] { lock.withLock { entries } }
  func add(_ line: String) { lock.withLock { entries.append(line) } }
}

/// An app that waits in every way that Foundation, libdispatch and Swift offer. It is written as an app is: nothing in
/// it knows of a world.
final class WaitingApp: @unchecked Sendable {
  private let log: @Sendable (String) -> Void
  private let work = DispatchQueue(label: "app.work")
  private let startDate = Date()
  private let startUptime = DispatchTime.now()
  private var timer: Timer?
  private var source: (any DispatchSourceTimer)?
  private var ticks = 0

  init(log: @escaping @Sendable (String) -> Void) { self.log = log }

  /// Writes what happened, with the time by both clocks in milliseconds since the app was made.
  private func note(_ what: String) {
    let wall = Int((Date().timeIntervalSince(startDate) * 1000).rounded())
    let uptime = (DispatchTime.now().uptimeNanoseconds - startUptime.uptimeNanoseconds) / 1_000_000
    log("\(what) \(wall) \(uptime)")
  }

  func start() {
    startQueues()
    startTimers()
    startTasks()
    startBlocking()
    startGroups()
  }

  private func startQueues() {
    DispatchQueue.main.asyncAfter(deadline: .now() + 5) { [self] in
      dispatchPrecondition(condition: .onQueue(.main))
      note("main.asyncAfter")
      DispatchQueue.global().async { [self] in
        note("global.async")
        DispatchQueue.main.async { [self] in note("main.async") }
      }
    }
    DispatchQueue.global().asyncAfter(wallDeadline: .now() + 4.25) { [self] in note("wallDeadline") }
    let cancelled = DispatchWorkItem { [self] in note("cancelled item") }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: cancelled)
    cancelled.cancel()
  }

  private func startTimers() {
    timer = Timer.scheduledTimer(withTimeInterval: 2, repeats: true) { [self] timer in
      note("Timer")
      ticks += 1
      if ticks == 4 { timer.invalidate() }
    }
    _ = Timer.scheduledTimer(withTimeInterval: 2.6, repeats: false) { [self] _ in note("Timer once") }
    let source = DispatchSource.makeTimerSource(queue: work)
    source.schedule(deadline: .now() + 1.5, repeating: 3)
    source.setEventHandler { [weak self] in
      guard let self else { return }
      dispatchPrecondition(condition: .onQueue(work))
      note("timer source")
    }
    source.activate()
    self.source = source
  }

  private func startTasks() {
    Task { [self] in
      try? await Task.sleep(for: .seconds(3))
      note("Task.sleep(for:)")
      try? await Task.sleep(nanoseconds: 250_000_000)
      note("Task.sleep(nanoseconds:)")
    }
    Task.detached { [self] in
      let clock = ContinuousClock()
      let before = clock.now
      try? await Task.sleep(until: before + .seconds(3.5), clock: clock)
      note("detached \(clock.now - before)")
    }
    Task { @MainActor [self] in
      for second in 1...2 {
        try? await Task.sleep(for: .seconds(second))
        MainActor.assertIsolated()
        note("MainActor")
      }
    }
    Task { [self] in
      let first = await withTaskGroup(of: String.self) { group in
        group.addTask {
          try? await Task.sleep(for: .seconds(2.2))
          return "slow"
        }
        group.addTask {
          try? await Task.sleep(for: .seconds(1.1))
          return "timeout"
        }
        defer { group.cancelAll() }
        return await group.next() ?? "nothing"
      }
      note("race \(first)")
    }
  }

  private func startBlocking() {
    work.asyncAfter(deadline: .now() + 6) { [self] in
      note("work.asyncAfter")
      let semaphore = DispatchSemaphore(value: 0)
      note("semaphore \(semaphore.wait(timeout: .now() + 0.5))")
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.25) { semaphore.signal() }
      note("semaphore \(semaphore.wait(timeout: .now() + 10))")
      Thread.sleep(forTimeInterval: 0.1)
      note("Thread.sleep")
      DispatchQueue.main.sync { note("main.sync") }
    }
  }

  private func startGroups() {
    let group = DispatchGroup()
    for part in [3, 1, 2] {
      group.enter()
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(part)) { group.leave() }
    }
    DispatchQueue.global().async(group: group) { [self] in note("in group") }
    group.notify(queue: .main) { [self] in note("group.notify") }
    let item = DispatchWorkItem { [self] in note("work item") }
    work.asyncAfter(deadline: .now() + 1.25, execute: item)
    item.notify(queue: .main) { [self] in note("item.notify") }
  }
}
