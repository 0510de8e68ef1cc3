import NearbyCampaigns
import Synchronization
import Testing

/// Collects results from any thread.
final class Collected: Sendable {
  private let results = Mutex<[JobResult]>([])

  func add(_ result: JobResult) { results.withLock { $0.append(result) } }
  var all: [JobResult] { results.withLock { $0 } }
}

extension JobResult {
  /// What every run of the job gives.
  var lineWithoutTime: String {
    get throws { String(line[..<(try #require(line.firstRange(of: ",\"ms\":"))).lowerBound]) }
  }
}
