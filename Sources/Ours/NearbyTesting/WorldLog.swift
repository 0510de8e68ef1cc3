import NearbyScenarios
import NearbySimulated
import Synchronization

/// Remembers what happened in the worlds that a test makes, so that a test that fails can leave a recording.
///
/// While `current` is set, every world logs its sessions' events there.
package final class WorldLog: Sendable {
  /// The log of the test that this code runs in.
  @TaskLocal package static var current: WorldLog?

  /// What happened in one world.
  struct Run: Sendable {
    let seed: UInt64
    var events: [Event] = []
    /// Events that were left out.
    var dropped = 0
  }

  struct Event: Sendable {
    /// Names of phones.
    let device: String
    let peer: String?
    let logged: LoggedSessionEvent
  }

  /// Events of one world that are kept: hours of ranging in 200 MB.
  private static let mostEvents = 500_000
  /// Worlds of one test that are kept.
  private static let mostRuns = 16

  private let state = Mutex<[Run]>([])

  package init() {}

  var runs: [Run] { state.withLock { $0 } }

  /// The different seeds of the worlds so far, in their order.
  package var seeds: [UInt64] {
    runs.reduce(into: []) { seeds, run in if !seeds.contains(run.seed) { seeds.append(run.seed) } }
  }

  /// Starts to log a new world.
  func follow(_ pump: WorldPump) {
    let index = state.withLock { runs -> Int? in
      guard runs.count < Self.mostRuns else { return nil }
      runs.append(Run(seed: pump.seed))
      return runs.count - 1
    }
    guard let index else { return }
    pump.logSessions { [weak self, weak pump] logged in
      guard let self, let pump else { return }
      let peer = logged.peer.map(pump.name)
      add(Event(device: pump.name(of: logged.device), peer: peer, logged: logged), to: index)
    }
  }

  private func add(_ event: Event, to run: Int) {
    state.withLock { runs in
      if runs[run].events.count < Self.mostEvents {
        runs[run].events.append(event)
      } else {
        runs[run].dropped += 1
      }
    }
  }
}
