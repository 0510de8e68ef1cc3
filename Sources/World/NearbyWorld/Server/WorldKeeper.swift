import Dispatch
import Foundation
import NearbyConcurrency
import NearbyWorldProtocol
import Synchronization

/// Saves a served world to its file: within two seconds of a change of the scene, otherwise every few seconds
/// while its time passes. A killed process loses no more than that.
package final class WorldKeeper: Sendable {
  private static let interval = DispatchTimeInterval.seconds(1)
  /// Number of checks between two saves if only the time has changed.
  private static let checksPerSave = 5

  private struct State: Sendable {
    var saved: WorldSave?
    var checks = 0
    /// The failure last reported, so that a full disk is reported only once.
    var lastFailure = ""
  }

  private let server: WorldServer
  private let file: WorldStateFile
  private let report: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "nearby.world.saving")
  private let state = Mutex(State())
  /// `UncheckedSendable`: set in `init` before anything runs, and cancelled only once.
  private let ticker: UncheckedSendable<any DispatchSourceTimer>

  /// Starts saving; the first save happens after one second.
  ///
  /// - Parameter report: Called on the keeper's queue with the reason why a save failed.
  package init(
    _ server: WorldServer, _ file: WorldStateFile, report: @escaping @Sendable (String) -> Void
  ) {
    self.server = server
    self.file = file
    self.report = report
    ticker = UncheckedSendable(DispatchSource.makeTimerSource(queue: queue))
    ticker.value.setEventHandler { [weak self] in self?.saveIfDue() }
    ticker.value.schedule(
      deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(50))
    ticker.value.resume()
  }

  deinit { ticker.value.cancel() }

  /// Checks whether a save is due. The scene is compared every time; a change of time alone is saved less
  /// often.
  private func saveIfDue() {
    let now = server.withWorld { WorldSave($0) }
    let isDue = state.withLock { state in
      state.checks += 1
      guard let saved = state.saved, saved.hasSameScene(as: now) else { return true }
      return state.checks >= Self.checksPerSave && saved.time != now.time
    }
    guard isDue else { return }
    do throws(WorldStateFile.Failure) {
      try save(now)
    } catch {
      let isNew = state.withLock { state in
        defer { state.lastFailure = error.description }
        return state.lastFailure != error.description
      }
      if isNew { report(error.description) }
    }
  }

  private func save(_ save: WorldSave) throws(WorldStateFile.Failure) {
    state.withLock { $0.checks = 0 }
    let data: Data
    do {
      data = try save.data()
    } catch {
      throw WorldStateFile.Failure(kind: .unwritable, description: "\(file.path): can't be written: \(error)")
    }
    try file.write(data)
    state.withLock { ($0.saved, $0.lastFailure) = (save, "") }
  }

  /// Saves for the last time. Call once, while the server is still running.
  package func stop() throws(WorldStateFile.Failure) {
    ticker.value.cancel()
    let result = queue.sync { () -> Result<Void, WorldStateFile.Failure> in
      Result { () throws(WorldStateFile.Failure) in try save(server.withWorld { WorldSave($0) }) }
    }
    try result.get()
  }
}
