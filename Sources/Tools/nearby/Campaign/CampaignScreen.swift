import NearbyCampaigns
import NearbyCommandLine
import NearbyTextForms
import Synchronization

/// Shows how far a campaign is, on one line of the terminal behind standard error.
final class CampaignScreen: Sendable {
  private static let interval = Duration.milliseconds(200)
  private static let barWidth = 24

  private struct State {
    var next = ContinuousClock.now
    var hasLine = false
  }

  private let total: Int
  private let kept: Int
  private let start = ContinuousClock.now
  private let errors: any TextOutput
  private let isTerminal: Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - total: Jobs to run.
  ///   - kept: Jobs whose results were there already.
  init(total: Int, kept: Int, _ context: CommandContext) {
    self.total = total
    self.kept = kept
    errors = context.errors
    isTerminal = context.errorTerminal() != nil
  }

  /// Shows progress at most five times a second. May be called on any thread.
  func show(_ progress: CampaignPool.Progress) {
    guard isTerminal else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      guard now >= state.next else { return }
      state.next = now + Self.interval
      state.hasLine = true
      errors.redrawLine(Self.line(progress, total: total, after: now - start))
    }
  }

  func clear() {
    state.withLock { state in
      if state.hasLine { errors.redrawLine("") }
      state.hasLine = false
    }
  }

  static func line(_ progress: CampaignPool.Progress, total: Int, after time: Duration) -> String {
    let share = total > 0 ? Double(progress.done) / Double(total) : 1
    let filled = Int(share * Double(barWidth))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: barWidth - filled)
    let rate = Double(progress.done) / max(time / .seconds(1), 1e-3)
    let left = rate > 0 ? Double(total - progress.done) / rate : 0
    var line =
      "[\(bar)] \(progress.done) of \(total), \(NumberFormat.fixed(rate, rate < 10 ? 1 : 0)) a second"
    if progress.done > 0 { line += ", \(Self.text(left)) left" }
    if progress.failed > 0 { line += ", \(progress.failed) failed" }
    return line
  }

  private static func text(_ seconds: Double) -> String {
    if seconds < 90 { return "\(NumberFormat.fixed(seconds, 0)) s" }
    if seconds < 5400 { return "\(NumberFormat.fixed(seconds / 60, 0)) min" }
    return "\(NumberFormat.fixed(seconds / 3600, 1)) h"
  }

  func summary(_ progress: CampaignPool.Progress) -> String {
    let time = ContinuousClock.now - start
    let rate = Double(progress.done) / max(time / .seconds(1), 1e-3)
    let already = kept > 0 ? ", \(kept) were done before" : ""
    return "nearby: \(progress.done) jobs in \(NumberFormat.fixed(time / .seconds(1), 1)) s, "
      + "\(NumberFormat.fixed(rate, 1)) a second\(already)"
  }
}
