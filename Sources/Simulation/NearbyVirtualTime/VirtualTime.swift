import CNearbyVirtualTime
import Foundation
import NearbyDevice
import NearbySchedule
import NearbySimulated
import Synchronization

/// Creates the lines of worlds, if libdispatch and Foundation call the functions that this program defines.
package enum VirtualTime {
  /// Why apps' own timers and queues run in real time in this program; `nil` if they follow their world's time.
  package static let unavailability: String? = {
    guard nvt_is_dynamic() else { return "the program is linked statically with libdispatch" }
    Hooks.installed
    return SelfTest.failure()
  }()

  private static let hasReported = Atomic(false)

  /// Creates the line of a new world. Returns `nil` if apps' own timers and queues run in real time in this program,
  /// and writes the reason once.
  package static func line(for engine: any WorldEngine, startDate: Date) -> AppLine? {
    if let unavailability {
      if !hasReported.exchange(true, ordering: .relaxed) {
        Notice.write(
          "timers, queues and tasks of apps follow real time, not the World's, because \(unavailability)")
      }
      return nil
    }
    return AppLine(engine, startDate: nanoseconds(startDate))
  }

  /// Nanoseconds since 1970, within the 292 years that 64 bits hold.
  private static func nanoseconds(_ date: Date) -> Int64 {
    let exact = (date.timeIntervalSince1970 * 1e9).rounded()
    // Limits that leave 38 years of virtual time before the clock reaches its end.
    return Int64(exactly: min(max(exact, -4e18), 8e18)) ?? 0
  }
}

/// Checks that the ways of waiting reach a world's line. A future libdispatch or Foundation may call its own functions
/// directly, and then our definitions have no effect.
enum SelfTest {
  private final class Nothing: WorldEngine {
    let now = Duration.zero
    let nextEventTime: Duration? = nil
    func step(until end: Duration) -> Bool { false }
    func takeWork() -> WorldWork? { nil }
    func device(_ index: Int) -> NearbyDevice? { nil }
  }

  /// A way of waiting that does not reach the line, as the reason to be reported; `nil` if all do.
  static func failure() -> String? {
    let engine = Nothing()
    let start = Int64(1_234_567_890)
    let line = AppLine(engine, startDate: start * 1_000_000_000)
    let before = nvt_exchange(line.context(of: -1))
    defer {
      nvt_exchange(before)
      line.end()
      withExtendedLifetime(engine) {}
    }
    if Date().timeIntervalSince1970 != Double(start) {
      return "Foundation's Date does not call clock_gettime"
    }
    func reaches(_ name: String, _ wait: () -> Void) -> String? {
      let count = line.count
      wait()
      return line.count == count ? "\(name) does not call the functions that this program defines" : nil
    }
    let timer = Timer(fire: Date() + 1, interval: 0, repeats: false) { _ in }
    defer { timer.invalidate() }
    let source = DispatchSource.makeTimerSource(queue: .global())
    source.setEventHandler {}
    // At once, because releasing a source that was never activated is a fatal error.
    source.activate()
    defer { source.cancel() }
    return reaches("DispatchQueue.async") { DispatchQueue.global().async {} }
      ?? reaches("DispatchQueue.asyncAfter") { DispatchQueue.global().asyncAfter(deadline: .now() + 1) {} }
      ?? reaches("Timer") { RunLoop.current.add(timer, forMode: .default) }
      ?? reaches("DispatchSourceTimer") {
        source.schedule(deadline: .now() + 1)
      }
      ?? reaches("Task") { Task.detached {} }
  }
}

extension AppLine {
  /// The number of pieces that run now or later.
  var count: Int { withState { $0.ready.count - $0.head + $0.deadlines.count } }
}
