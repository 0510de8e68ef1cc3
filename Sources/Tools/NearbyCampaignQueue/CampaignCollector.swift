import Foundation
import NearbyCampaigns
import NearbyNATS

/// Puts a campaign's jobs into the queue and collects the results of workers, each job's once.
///
/// A collector that was killed is started again with the results that it wrote: results that it had not acknowledged
/// come again, and only jobs without a result are queued again.
package struct CampaignCollector: Sendable {
  package enum Failure: Error, Sendable, CustomStringConvertible {
    case queue(NATSFailure)
    case file(ResultFile.Failure)

    package var description: String {
      switch self {
      case .queue(let failure): "\(failure)"
      case .file(let failure): "\(failure)"
      }
    }
  }

  /// Results messages that are fetched at a time.
  private static let batch = 256
  /// Silence, with an empty queue, after which missing jobs are queued again: a server may have lost them.
  private static let silence = Duration.seconds(5)

  private let queue: CampaignQueue
  private let recipe: CampaignRecipe
  private let plan: CampaignPlan
  private let patience: Patience
  private let probes: Int

  /// - Parameters:
  ///   - probes: Jobs that are queued one by one, to learn what a job takes; as many again when all are taken and none
  ///     has ended. At least 1.
  ///   - isCancelled: Asked often.
  ///   - report: Called with a sentence when the server is gone.
  package init(
    _ queue: CampaignQueue, _ recipe: CampaignRecipe, _ plan: CampaignPlan, probes: Int = 32,
    isCancelled: @escaping @Sendable () -> Bool, report: @escaping @Sendable (String) -> Void
  ) {
    self.queue = queue
    self.recipe = recipe
    self.plan = plan
    self.probes = probes
    patience = Patience(isCancelled: isCancelled, report: report)
  }

  /// Blocks until each of the jobs has a result, or until cancelled.
  ///
  /// - Parameters:
  ///   - jobs: Positions in the plan.
  ///   - deliver: Called with each result, once per job.
  ///   - flush: Called before results are acknowledged; must make them last.
  /// - Returns: Whether all jobs have a result.
  package func run(
    _ jobs: [Int], deliver: (JobResult) throws(ResultFile.Failure) -> Void,
    flush: () throws(ResultFile.Failure) -> Void
  ) throws(Failure) -> Bool {
    guard
      let results = try attempt({ () throws(NATSFailure) in
        try queue.store(recipe)
        return try subscribe()
      })
    else { return false }
    var rest = jobs[...]
    var missing: [String: Int] = [:]
    try enqueue(next: probes, of: &rest, each: nil, &missing)
    var source = results
    var last = ContinuousClock.now
    var time: Duration?
    while !missing.isEmpty, !patience.isCancelled() {
      guard let messages = try fetch(from: &source) else { return false }
      for message in messages { time = try receive(message, &missing, deliver) ?? time }
      if time != nil {
        try enqueue(next: rest.count, of: &rest, each: time, &missing)
      } else if messages.isEmpty, !rest.isEmpty, try isEachTaken() {
        try enqueue(next: probes, of: &rest, each: nil, &missing)
      }
      do throws(ResultFile.Failure) { try flush() } catch { throw .file(error) }
      for message in messages { _ = try attempt { () throws(NATSFailure) in try message.acknowledge() } }
      if !messages.isEmpty { last = .now }
      guard ContinuousClock.now - last >= Self.silence, try isQueueEmpty() else { continue }
      last = .now
      try enqueue(missing.values.sorted(), each: time)
    }
    guard missing.isEmpty else { return false }
    _ = try attempt { () throws(NATSFailure) in try queue.remove(recipe) }
    return true
  }

  /// Queues some of the jobs that are left, and notes their digests. The workers are busy while these are computed.
  private func enqueue(
    next count: Int, of rest: inout ArraySlice<Int>, each time: Duration?, _ missing: inout [String: Int]
  ) throws(Failure) {
    let jobs = Array(rest.prefix(count))
    if jobs.isEmpty { return }
    try enqueue(jobs, each: time)
    rest = rest.dropFirst(count)
    for job in jobs { missing[plan.job(at: job).digest] = job }
  }

  private func attempt<Result>(_ body: () throws(NATSFailure) -> Result) throws(Failure) -> Result? {
    do throws(NATSFailure) { return try patience.attempt(body) } catch { throw .queue(error) }
  }

  private func subscribe() throws(NATSFailure) -> PullQueue {
    try PullQueue(
      queue.connection, stream: CampaignQueue.results, consumer: CampaignQueue.collector(recipe.id),
      subject: CampaignQueue.resultSubject(recipe.id), patience: .seconds(30))
  }

  /// Queues jobs under a new name, so that the server does not drop them as duplicates of earlier ones.
  ///
  /// - Parameter time: Mean time of a job; `nil` if unknown.
  private func enqueue(_ jobs: [Int], each time: Duration? = nil) throws(Failure) {
    let run = String(UInt64.random(in: .min ... .max), radix: 16)
    let subject = CampaignQueue.ticketSubject(recipe.id)
    for ticket in CampaignTicket.tickets(for: jobs, of: recipe.id, run: run, each: time) {
      let id = "\(run)-\(ticket.jobs[0])"
      guard
        try attempt({ () throws(NATSFailure) in
          try queue.connection.publish(Array(ticket.text.utf8), to: subject, id: id)
        }) != nil
      else { return }
    }
  }

  /// - Returns: `nil` if cancelled.
  private func fetch(from source: inout PullQueue) throws(Failure) -> [NATSMessage]? {
    do throws(NATSFailure) {
      return try source.fetch(Self.batch, within: .milliseconds(500))
    } catch {
      guard error.cause == .unreachable || error.cause == .notFound || error.cause == .noJetStream else {
        throw .queue(error)
      }
      // The server may have started again without this consumer.
      guard let new = try attempt({ () throws(NATSFailure) in try subscribe() }) else { return nil }
      source = new
      return []
    }
  }

  /// Delivers the results of one message.
  ///
  /// - Returns: The mean time of a job; `nil` without a result.
  private func receive(
    _ message: NATSMessage, _ missing: inout [String: Int],
    _ deliver: (JobResult) throws(ResultFile.Failure) -> Void
  ) throws(Failure) -> Duration? {
    var times: [Double] = []
    for line in message.octets.split(separator: UInt8(ascii: "\n")) {
      // Anybody may publish to the subject: what is no result of a missing job is left out.
      guard line.count <= JobResult.longestLine, let result = try? JobResult(parsing: line),
        let index = missing[result.digest], result.isFor(plan.job(at: index))
      else { continue }
      do throws(ResultFile.Failure) { try deliver(result) } catch { throw .file(error) }
      missing[result.digest] = nil
      times.append(result.milliseconds)
    }
    // A stranger's result may state any number.
    let mean = times.reduce(0, +) / Double(max(1, times.count))
    return times.isEmpty || !(0...1e9).contains(mean) ? nil : .milliseconds(mean)
  }

  /// Whether workers have taken all tickets, and no job has ended.
  private func isEachTaken() throws(Failure) -> Bool { try backlog().map { $0.waiting == 0 && $0.open > 0 } ?? false }

  private func isQueueEmpty() throws(Failure) -> Bool {
    try backlog().map { $0.waiting == 0 && $0.open == 0 } ?? false
  }

  /// Tickets that wait, and that workers have; `nil` if cancelled.
  private func backlog() throws(Failure) -> (waiting: Int, open: Int)? {
    try attempt { () throws(NATSFailure) in
      do throws(NATSFailure) {
        return try queue.connection.backlog(of: CampaignQueue.workers, in: CampaignQueue.tickets)
      } catch {
        // No worker has come yet, or the server has lost the queue.
        guard error.cause == .notFound else { throw error }
        return try queue.isTicketWaiting(recipe.id) ? (waiting: 1, open: 0) : (waiting: 0, open: 0)
      }
    }
  }
}

extension JobResult {
  fileprivate func isFor(_ job: CampaignJob) -> Bool {
    seed == job.seed && settings == job.settings && file == job.file && version == job.version
  }
}
