import NearbyCommandLine
import NearbyTextForms
import Synchronization

/// Says on standard error how far a large file is read, once it takes longer than a moment.
final class ReadingProgress: Sendable {
  private static let interval = Duration.seconds(1)
  private let path: String
  private let errors: any TextOutput
  private let next = Mutex(ContinuousClock.now + interval)

  init(_ path: String, _ errors: any TextOutput) {
    self.path = path
    self.errors = errors
  }

  /// - Parameter share: Of the file, 0 to 1.
  func reached(_ share: Double) {
    let now = ContinuousClock.now
    let isDue = next.withLock { next in
      guard now >= next else { return false }
      next = now + Self.interval
      return true
    }
    if isDue { errors.line("nearby: reading \(path): \(NumberFormat.fixed(share * 100, 0)) %") }
  }
}
