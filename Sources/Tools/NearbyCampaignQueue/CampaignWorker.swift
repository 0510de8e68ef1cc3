import Foundation
import NearbyCampaigns
import NearbyNATS
import Synchronization

/// Takes tickets from the queue, runs their jobs and publishes the results, on several threads.
///
/// A ticket is acknowledged once the server has its results. A worker that is killed before loses nothing: the ticket is
/// delivered to another worker, and a result that comes twice counts once.
package final class CampaignWorker: Sendable {
  /// Time after which a ticket is delivered again; extended while its jobs run.
  private static let patience = Duration.seconds(15)
  private static let extensionInterval = Duration.seconds(4)
  /// How long a campaign of another version is left to other workers.
  private static let refusal = Duration.seconds(5)
  private static let wait = Duration.milliseconds(500)
  /// Octets of one message of results.
  private static let largestMessage = 512 << 10

  private struct State {
    var plans: [String: CampaignPlan] = [:]
    var done = 0
    var lastJob = ContinuousClock.now
    var refused: Set<String> = []
  }

  private let queue: CampaignQueue
  private let version: String
  private let idle: Duration?
  private let patience: Patience
  private let report: @Sendable (String) -> Void
  private let state = Mutex(State())
  private let threads: Int

  /// - Parameters:
  ///   - threads: Cores to use, at least 1. There is one thread more, so that no core is idle while a thread waits for
  ///     the server.
  ///   - version: This program's; campaigns of another are left to other workers.
  ///   - idle: How long to wait for a job before `run` returns; `nil` waits forever.
  package init(
    _ queue: CampaignQueue, threads: Int, version: String, idle: Duration?,
    isCancelled: @escaping @Sendable () -> Bool,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.queue = queue
    self.version = version
    self.idle = idle
    self.report = report
    self.threads = max(1, threads)
    patience = Patience(isCancelled: isCancelled, report: report)
  }

  /// Jobs that ran.
  package var done: Int { state.withLock { $0.done } }

  /// Works until cancelled, or without a job for long enough.
  package func run() throws(NATSFailure) {
    let group = DispatchGroup()
    let failure = Mutex<NATSFailure?>(nil)
    for _ in 0...threads {
      group.enter()
      let thread = Thread { [self] in
        do throws(NATSFailure) {
          try work { failure.withLock { $0 != nil } }
        } catch {
          failure.withLock { $0 = $0 ?? error }
        }
        group.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private func work(hasFailed: () -> Bool) throws(NATSFailure) {
    guard var source = try subscribe() else { return }
    while !patience.isCancelled(), !hasFailed(), !isIdle {
      do throws(NATSFailure) {
        for message in try source.fetch(1, within: Self.wait) { try handle(message) }
      } catch {
        guard error.cause == .unreachable || error.cause == .notFound || error.cause == .noJetStream else {
          throw error
        }
        guard let new = try subscribe() else { return }
        source = new
      }
    }
  }

  private var isIdle: Bool {
    guard let idle else { return false }
    return state.withLock { ContinuousClock.now - $0.lastJob > idle }
  }

  private func subscribe() throws(NATSFailure) -> PullQueue? {
    try patience.attempt { () throws(NATSFailure) in
      do throws(NATSFailure) {
        return try PullQueue(
          queue.connection, stream: CampaignQueue.tickets, consumer: CampaignQueue.workers,
          subject: "nearby.campaign.ticket.*", patience: Self.patience)
      } catch {
        // A server that lost its disk has no streams.
        guard error.cause == .notFound else { throw error }
        _ = try CampaignQueue(queue.connection)
        throw NATSFailure.lostQueue
      }
    }
  }

  private func handle(_ message: NATSMessage) throws(NATSFailure) {
    // A message that is no ticket, and one of a campaign that is over, is of no use to anybody.
    guard let ticket = CampaignTicket(parsing: message.octets) else { return try message.acknowledge() }
    switch try plan(of: ticket.campaign) {
    case .over: return try message.acknowledge()
    case .otherVersion: return try message.giveBack(after: Self.refusal)
    case .plan(let plan):
      guard try run(ticket, plan, message) else { return }
      try message.acknowledge()
    }
  }

  private enum Found {
    case plan(CampaignPlan)
    case over
    case otherVersion
  }

  private func plan(of id: String) throws(NATSFailure) -> Found {
    if let plan = state.withLock({ $0.plans[id] }) { return .plan(plan) }
    guard let recipe = try queue.recipe(of: id) else { return .over }
    guard recipe.version == version else {
      if state.withLock({ $0.refused.insert(id).inserted }) {
        report("left a campaign to others: it is of version \(recipe.version), and this is \(version)")
      }
      return .otherVersion
    }
    guard let plan = try? recipe.plan() else { return .over }
    state.withLock { state in
      // A worker may see many campaigns, and needs few at a time.
      if state.plans.count >= 16 { state.plans = [:] }
      state.plans[id] = plan
    }
    return .plan(plan)
  }

  /// - Returns: Whether the server has all results.
  private func run(
    _ ticket: CampaignTicket, _ plan: CampaignPlan, _ message: NATSMessage
  ) throws(NATSFailure) -> Bool {
    var lines: [String] = []
    var size = 0
    var extended = ContinuousClock.now
    for index in ticket.jobs where index < plan.count {
      let result = CampaignPool.run(index, of: plan) {
        if ContinuousClock.now - extended > Self.extensionInterval {
          extended = .now
          // If the server is gone, the ticket is delivered again, which does no harm.
          try? message.extend()
        }
        return patience.isCancelled()
      }
      guard let result else { return false }
      state.withLock { state in
        state.done += 1
        state.lastJob = .now
      }
      lines.append(result.line)
      size += lines[lines.count - 1].utf8.count
      if size >= Self.largestMessage {
        guard try publish(lines, of: ticket) else { return false }
        (lines, size) = ([], 0)
      }
    }
    if lines.isEmpty { return true }
    return try publish(lines, of: ticket)
  }

  private func publish(_ lines: [String], of ticket: CampaignTicket) throws(NATSFailure) -> Bool {
    let octets = Array((lines.joined(separator: "\n") + "\n").utf8)
    // A line begins with its job's digest.
    let id = "\(ticket.run)-\(lines[0].prefix(80))-\(lines.count)"
    return try patience.attempt { () throws(NATSFailure) in
      try queue.connection.publish(octets, to: CampaignQueue.resultSubject(ticket.campaign), id: id)
    } != nil
  }
}
