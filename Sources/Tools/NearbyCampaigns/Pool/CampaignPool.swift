import Foundation
import NearbyFiles
import NearbyScenarios
import Synchronization

/// Runs jobs on several threads of this process, each with a world of its own.
package final class CampaignPool: Sendable {
  /// How far a campaign is.
  package struct Progress: Equatable, Sendable {
    /// Jobs that ran, and those of them that failed.
    package var done = 0
    package var failed = 0
    package init() {}

    /// Counts a job's result.
    package mutating func add(_ result: JobResult) {
      done += 1
      if !result.failures.isEmpty { failed += 1 }
    }
  }

  private struct State {
    var next = 0
    var progress = Progress()
    var failure: ResultFile.Failure?
  }

  private let plan: CampaignPlan
  private let programs: CampaignPrograms?
  private let report: @Sendable (CampaignPrograms.Message) -> Void
  private let jobs: [Int]
  private let state = Mutex(State())

  /// - Parameters:
  ///   - jobs: Positions in the plan, in the order in which they begin.
  ///   - programs: Run the plan's programs; `nil` if it has none.
  ///   - report: Called with what the programs print, on any thread.
  package init(
    _ plan: CampaignPlan, jobs: [Int], programs: CampaignPrograms? = nil,
    report: @escaping @Sendable (CampaignPrograms.Message) -> Void = { _ in }
  ) {
    self.programs = programs
    self.report = report
    self.plan = plan
    self.jobs = jobs
  }

  package var progress: Progress { state.withLock { $0.progress } }

  /// Runs the jobs. Blocks until they are done, or until it is cancelled or `deliver` fails; jobs that have begun
  /// then have no result.
  ///
  /// - Parameters:
  ///   - workers: Threads, at least 1.
  ///   - isCancelled: Asked often, on any thread.
  ///   - deliver: Called with each result, on any thread.
  package func run(
    workers: Int, isCancelled: @escaping @Sendable () -> Bool,
    deliver: @escaping @Sendable (JobResult) throws(ResultFile.Failure) -> Void
  ) throws(ResultFile.Failure) {
    let group = DispatchGroup()
    for _ in 0..<max(1, min(workers, jobs.count)) {
      group.enter()
      let thread = Thread { [self] in
        work(isCancelled: isCancelled, deliver: deliver)
        group.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.wait()
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func work(
    isCancelled: @Sendable () -> Bool,
    deliver: @Sendable (JobResult) throws(ResultFile.Failure) -> Void
  ) {
    while !isCancelled(), let index = claim() {
      guard let result = run(index, isCancelled: { isCancelled() || hasFailed }) else { return }
      do throws(ResultFile.Failure) {
        try deliver(result)
        state.withLock { $0.progress.add(result) }
      } catch {
        state.withLock { if $0.failure == nil { $0.failure = error } }
      }
    }
  }

  private var hasFailed: Bool { state.withLock { $0.failure != nil } }

  private func claim() -> Int? {
    state.withLock { state in
      guard state.failure == nil, state.next < jobs.count else { return nil }
      defer { state.next += 1 }
      return jobs[state.next]
    }
  }

  private func run(_ index: Int, isCancelled: () -> Bool) -> JobResult? {
    guard let programs else { return Self.run(index, of: plan, isCancelled: isCancelled) }
    let start = ContinuousClock.now
    let scores = programs.scores(
      of: plan.scenario(at: index), with: plan.programs, isCancelled: isCancelled, report: report)
    return scores.map { Self.result(index, of: plan, $0, since: start) }
  }

  private static func result(
    _ index: Int, of plan: CampaignPlan, _ scores: [ScoreValue], since start: ContinuousClock.Instant
  ) -> JobResult {
    JobResult(
      plan.job(at: index), scores: scores, milliseconds: (ContinuousClock.now - start) / .milliseconds(1))
  }

  /// Runs one job of simulated apps.
  ///
  /// - Returns: `nil` if cancelled.
  package static func run(_ index: Int, of plan: CampaignPlan, isCancelled: () -> Bool) -> JobResult? {
    let start = ContinuousClock.now
    let world = CampaignWorld(plan.scenario(at: index))
    guard let scores = world.scores(isCancelled: isCancelled) else { return nil }
    return result(index, of: plan, scores, since: start)
  }
}
