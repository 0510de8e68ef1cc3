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
  /// How long a fetch waits for new results, and for results of an earlier collector.
  private static let wait = Duration.milliseconds(500)
  private static let glance = Duration.milliseconds(20)
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
    var source = results
    var missing: [String: Int] = [:]
    guard var rest = try collectOld(jobs, from: &source, deliver, flush) else { return false }
    try enqueue(next: probes, of: &rest, each: nil, &missing)
    var last = ContinuousClock.now
    var time: Duration?
    while !missing.isEmpty, !patience.isCancelled() {
      guard let messages = try fetch(from: &source) else { return false }
      if !rest.isEmpty, let mean = Self.meanTime(messages) {
        // Before the results are looked at, so that the workers don't wait for that.
        time = mean
        try enqueue(next: rest.count, of: &rest, each: time, &missing)
      } else if messages.isEmpty, !rest.isEmpty, try isEachTaken() {
        try enqueue(next: probes, of: &rest, each: nil, &missing)
      }
      try receive(messages, &missing, deliver, flush)
      // The results may state no usable time.
      if missing.isEmpty { try enqueue(next: rest.count, of: &rest, each: nil, &missing) }
      if !messages.isEmpty { last = .now }
      guard ContinuousClock.now - last >= Self.silence, try isQueueEmpty() else { continue }
      last = .now
      try enqueue(missing.values.sorted(), each: time)
    }
    guard missing.isEmpty, rest.isEmpty else { return false }
    _ = try attempt { () throws(NATSFailure) in try queue.remove(recipe) }
    return true
  }

  /// Delivers results that an earlier collector of this campaign had not acknowledged.
  ///
  /// - Returns: The jobs that have none; `nil` if cancelled.
  private func collectOld(
    _ jobs: [Int], from source: inout PullQueue, _ deliver: (JobResult) throws(ResultFile.Failure) -> Void,
    _ flush: () throws(ResultFile.Failure) -> Void
  ) throws(Failure) -> ArraySlice<Int>? {
    var missing: [String: Int]?
    // A message has at least one result. Of a stranger's flood, the rest is left to the main loop.
    for _ in 0...(jobs.count / Self.batch) where missing?.isEmpty != true {
      guard !patience.isCancelled(), let messages = try fetch(from: &source, within: Self.glance) else {
        return nil
      }
      if messages.isEmpty { break }
      var some = missing ?? digests(of: jobs)
      try receive(messages, &some, deliver, flush)
      missing = some
    }
    return missing.map { $0.values.sorted()[...] } ?? jobs[...]
  }

  /// Delivers the results of messages, and acknowledges them.
  private func receive(
    _ messages: [NATSMessage], _ missing: inout [String: Int],
    _ deliver: (JobResult) throws(ResultFile.Failure) -> Void,
    _ flush: () throws(ResultFile.Failure) -> Void
  ) throws(Failure) {
    for message in messages { try receive(message, &missing, deliver) }
    do throws(ResultFile.Failure) { try flush() } catch { throw .file(error) }
    for message in messages { _ = try attempt { () throws(NATSFailure) in try message.acknowledge() } }
  }

  private func digests(of jobs: [Int]) -> [String: Int] {
    Dictionary(jobs.map { (plan.job(at: $0).digest, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Queues some of the jobs that are left, and notes their digests. The workers are busy while these are computed.
  private func enqueue(
    next count: Int, of rest: inout ArraySlice<Int>, each time: Duration?, _ missing: inout [String: Int]
  ) throws(Failure) {
    let jobs = Array(rest.prefix(count))
    if jobs.isEmpty { return }
    try enqueue(jobs, each: time)
    rest = rest.dropFirst(count)
    missing.merge(digests(of: jobs)) { first, _ in first }
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
  private func fetch(
    from source: inout PullQueue, within time: Duration = wait
  ) throws(Failure) -> [NATSMessage]? {
    do throws(NATSFailure) {
      return try source.fetch(Self.batch, within: time)
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
  private func receive(
    _ message: NATSMessage, _ missing: inout [String: Int],
    _ deliver: (JobResult) throws(ResultFile.Failure) -> Void
  ) throws(Failure) {
    for line in message.octets.split(separator: UInt8(ascii: "\n")) {
      // Anybody may publish to the subject: what is no result of a missing job is left out.
      guard line.count <= JobResult.longestLine, let result = try? JobResult(parsing: line),
        let index = missing[result.digest], result.isFor(plan.job(at: index))
      else { continue }
      do throws(ResultFile.Failure) { try deliver(result) } catch { throw .file(error) }
      missing[result.digest] = nil
    }
  }

  /// The mean time of a job; `nil` if the messages state no usable one. A stranger's result may state any number.
  private static func meanTime(_ messages: [NATSMessage]) -> Duration? {
    let times = messages.flatMap { $0.octets.split(separator: UInt8(ascii: "\n")) }
      .filter { $0.count <= JobResult.longestLine }
      .compactMap { try? JobResult(parsing: $0).milliseconds }
    let mean = times.reduce(0, +) / Double(max(1, times.count))
    return times.isEmpty || !(0...1e9).contains(mean) ? nil : .milliseconds(mean)
  }

  /// Whether workers have taken all tickets, and no job has ended.
  private func isEachTaken() throws(Failure) -> Bool {
    try backlog().map { $0.waiting == 0 && $0.open > 0 } ?? false
  }

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
