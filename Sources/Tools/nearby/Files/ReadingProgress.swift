import NearbyCommandLine
import NearbyTextForms
import Synchronization

/// Reports on standard error how much of a large file has been read, once per second.
final class ReadingProgress: Sendable {
  private static let interval = Duration.seconds(1)
  private let path: String
  private let errors: any TextOutput
  private let next = Mutex(ContinuousClock.now + interval)

  init(_ path: String, _ errors: any TextOutput) {
    self.path = path
    self.errors = errors
  }

  /// - Parameter share: The part of the file that has been read, 0 to 1.
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
