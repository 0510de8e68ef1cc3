import Foundation

extension Mailbox {
  /// Waits for the next letter. On the main thread, the main run loop keeps running meanwhile, as in an app.
  package func nextInApp(until end: ContinuousClock.Instant?) -> Letter? {
    guard Thread.isMainThread else { return next(until: end) }
    while true {
      if let letter = next(until: .now) { return letter }
      if let end, ContinuousClock.now >= end { return nil }
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02))
    }
  }
}
