import Foundation
import NearbyCommandLine
import NearbySite
import Synchronization

/// What a site found out since it was asked last.
struct SiteNews: Sendable {
  /// Of the history.
  var lines: [String] = []
  /// The newest of each tag.
  var reports: [SiteReport] = []
  var events: [SiteFenceEvent] = []
}

/// What a site's process keeps and passes on beside its messages: the history, and the reports for the omlox hub.
///
/// `keep` may be called by any thread; `drain` by the command's thread.
final class SiteRecord: Sendable {
  private struct State {
    /// Lines of history that were not taken yet, at most `mostLines`.
    var lines: [String] = []
    var reports: [Int: SiteReport] = [:]
    /// At most `mostLines`.
    var events: [SiteFenceEvent] = []
    var lostLines = 0
    var descriptor: Int32 = -1
  }

  /// Lines that wait for the command's thread: several seconds of a large site.
  private static let mostLines = 50_000

  private let path: String?
  private let hub: OmloxHub?
  private let tell: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameter tell: Tells the user of trouble.
  init(_ plan: SitePlan, errors: any TextOutput, tell: @escaping @Sendable (String) -> Void) {
    path = plan.publishers.history
    hub = plan.publishers.omlox.map { OmloxHub(plan, address: $0) { errors.line("nearby: \($0)") } }
    self.tell = tell
  }

  deinit { state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

  var lostLines: Int { state.withLock { $0.lostLines } }

  func open() throws(CommandError) {
    guard let path else { return }
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .inputOutput("\(path): \(String(cString: strerror(errno)))") }
    state.withLock { $0.descriptor = descriptor }
  }

  func keep(_ output: SiteEngine.Output) {
    guard !output.lines.isEmpty || !output.reports.isEmpty else { return }
    state.withLock { state in
      for line in output.lines {
        guard state.lines.count < Self.mostLines else {
          state.lostLines += 1
          continue
        }
        state.lines.append(line)
      }
      for report in output.reports { state.reports[report.tag] = report }
      state.events += output.events.prefix(max(0, Self.mostLines - state.events.count))
    }
  }

  /// Writes what was kept.
  ///
  /// - Returns: What came since the last call.
  func drain() -> SiteNews {
    let (lines, all, events, descriptor) = state.withLock { state in
      defer { (state.lines, state.reports, state.events) = ([], [:], []) }
      return (state.lines, state.reports, state.events, state.descriptor)
    }
    if descriptor >= 0, !lines.isEmpty { write(lines, to: descriptor) }
    let reports = all.values.sorted { $0.tag < $1.tag }
    hub?.send(reports)
    return SiteNews(lines: lines, reports: reports, events: events)
  }

  private func write(_ lines: [String], to descriptor: Int32) {
    let octets = Array((lines.joined(separator: "\n") + "\n").utf8)
    var start = 0
    while start < octets.count {
      let written = octets[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        state.withLock { $0.lostLines += lines.count }
        return tell("the history can't be written: \(String(cString: strerror(errno)))")
      }
      start += written
    }
  }

  func end() { hub?.end() }
}
