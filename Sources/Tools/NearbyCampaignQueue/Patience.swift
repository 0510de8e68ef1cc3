import Foundation
import NearbyNATS

/// Repeats calls while a server is gone.
struct Patience: Sendable {
  /// Time between the first two attempts, and the longest.
  private static let shortest = 0.1
  private static let longest = 2.0

  let isCancelled: @Sendable () -> Bool
  /// Told once per outage.
  let report: @Sendable (String) -> Void

  /// Calls `body` until it succeeds, or fails for another reason than a server that cannot be reached.
  ///
  /// - Returns: `nil` if cancelled.
  func attempt<Result>(_ body: () throws(NATSFailure) -> Result) throws(NATSFailure) -> Result? {
    var pause = Self.shortest
    var hasReported = false
    while !isCancelled() {
      do throws(NATSFailure) {
        return try body()
      } catch {
        // A server that starts again answers before its JetStream does.
        guard error.cause == .unreachable || error.cause == .noJetStream else { throw error }
        if !hasReported, pause >= 1 {
          report("waiting for the NATS server: \(error)")
          hasReported = true
        }
        // The random part keeps workers apart that lost the same server.
        Thread.sleep(forTimeInterval: pause * Double.random(in: 0.5...1))
        pause = min(pause * 2, Self.longest)
      }
    }
    return nil
  }
}
