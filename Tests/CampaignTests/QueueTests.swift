import Foundation
import NearbyCampaigns
import NearbyNATS
import NearbyScenarios
import Synchronization
import TestSupport
import Testing

@testable import NearbyCampaignQueue

extension NATSServerProcess {
  /// A server whose queue can be used.
  fileprivate static func withQueue() throws -> NATSServerProcess {
    let server = try NATSServerProcess(jetStream: true)
    try server.awaitQueue()
    return server
  }

  fileprivate func restart() throws {
    try start()
    try awaitQueue()
  }

  private func awaitQueue() throws {
    try waitByPolling(for: "the server's JetStream", within: .seconds(60)) {
      () -> Bool in
      (try? CampaignQueue(connection())) != nil
    } until: {
      $0
    }
  }

  fileprivate func connection() throws -> NATSConnection {
    try NATSConnection(NATSConnection.Options(url: url, name: "test"))
  }
}

/// Real servers; the time limits only end a test that hangs.
@Suite("Campaigns through a NATS server", .serialized, .needs(.natsServer), .tags(.slow), .ownThreads)
struct QueueTests {
  private final class Stop: Sendable {
    private let isRaised = Mutex(false)
    func raise() { isRaised.withLock { $0 = true } }
    var value: Bool { isRaised.withLock { $0 } }
  }

  private static func recipe(seeds: String, version: String = "1", seconds: Double = 2) throws
    -> CampaignRecipe
  {
    CampaignRecipe(
      data: Data(TestScenario.text(seconds: seconds).utf8), file: "x.json", settings: [],
      seeds: try SeedRanges(parsing: seeds), version: version)
  }

  /// Starts a worker on a thread of its own.
  private static func work(_ url: String, version: String = "1", until stop: Stop) throws -> DispatchGroup {
    let queue = try CampaignQueue(NATSConnection(NATSConnection.Options(url: url, name: "worker")))
    let worker = CampaignWorker(
      queue, threads: 2, version: version, idle: nil, isCancelled: { stop.value }, report: { _ in })
    let group = DispatchGroup()
    group.enter()
    Thread {
      do { try worker.run() } catch { Issue.record(error) }
      group.leave()
    }.start()
    return group
  }

  /// Collects a campaign.
  private static func collect(
    _ recipe: CampaignRecipe, _ server: NATSServerProcess, _ jobs: [Int]? = nil,
    probes: Int = 32, onResult: (Int) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> (isDone: Bool, results: [JobResult]) {
    let plan = try recipe.plan()
    let collector = CampaignCollector(
      try CampaignQueue(server.connection()), recipe, plan, probes: probes, isCancelled: isCancelled,
      report: { _ in })
    var results: [JobResult] = []
    let isDone = try collector.run(
      jobs ?? Array(0..<plan.count),
      deliver: { result in
        results.append(result)
        onResult(results.count)
      }, flush: {})
    return (isDone, results)
  }

  @Test("Workers' results are those of a local pool, each once")
  func sameAsLocal() throws {
    let server = try NATSServerProcess.withQueue()
    let stop = Stop()
    let workers = [try Self.work(server.url, until: stop), try Self.work(server.url, until: stop)]
    let recipe = try Self.recipe(seeds: "1..40")
    let (isDone, results) = try Self.collect(recipe, server)
    // At once again: the server must not take it for duplicates.
    let start = ContinuousClock.now
    let again = try Self.collect(recipe, server)
    #expect(again.isDone && again.results.count == 40)
    #expect(ContinuousClock.now - start < .seconds(100))
    stop.raise()
    for worker in workers { worker.wait() }
    #expect(isDone)
    let local = Collected()
    try CampaignPool(recipe.plan(), jobs: Array(0..<40)).run(workers: 2, isCancelled: { false }) {
      local.add($0)
    }
    #expect(
      try results.map { try $0.lineWithoutTime }.sorted() == local.all.map { try $0.lineWithoutTime }.sorted()
    )
  }

  @Test("Of jobs that take long, more are queued when all are taken, but not before")
  func longJobs() throws {
    let server = try NATSServerProcess.withQueue()
    let recipe = try Self.recipe(seeds: "1..6")
    let queue = try CampaignQueue(server.connection())
    let stop = Stop()
    let taken = Mutex<[Int]>([])
    let group = DispatchGroup()
    group.enter()
    Thread {
      defer { group.leave() }
      do {
        let source = try PullQueue(
          queue.connection, stream: CampaignQueue.tickets, consumer: CampaignQueue.workers,
          subject: "nearby.campaign.ticket.*", patience: .seconds(60))
        for _ in 0..<20 where taken.withLock({ $0.count }) < 6 {
          for message in try source.fetch(1, within: .seconds(1)) {
            let jobs = try #require(CampaignTicket(parsing: message.octets)).jobs
            // Of two jobs that are queued first, the second is left for a while.
            if jobs == [1] { #expect(try queue.connection.extent(of: CampaignQueue.tickets).last == 2) }
            taken.withLock { $0 += jobs }
          }
        }
      } catch { Issue.record(error) }
      stop.raise()
    }.start()
    let (isDone, results) = try Self.collect(recipe, server, probes: 2, isCancelled: { stop.value })
    group.wait()
    #expect(!isDone && results.isEmpty)
    #expect(taken.withLock { $0 } == [0, 1, 2, 3, 4, 5])
  }

  @Test("A server that is killed and started again loses nothing, and nothing comes twice")
  func serverKilled() throws {
    let server = try NATSServerProcess.withQueue()
    let stop = Stop()
    let worker = try Self.work(server.url, until: stop)
    let recipe = try Self.recipe(seeds: "1..400")
    let mid = Mutex(false)
    let (isDone, results) = try Self.collect(recipe, server) { count in
      guard count == 50, mid.withLock({ !$0 }) else { return }
      mid.withLock { $0 = true }
      server.kill()
      do { try server.restart() } catch { Issue.record(error) }
    }
    stop.raise()
    worker.wait()
    #expect(isDone && mid.withLock { $0 })
    #expect(results.map(\.seed).sorted() == Array(1...400))
  }

  @Test("A collector that starts again queues only what is missing, and gets what was not acknowledged")
  func collectorStopped() throws {
    let server = try NATSServerProcess.withQueue()
    let recipe = try Self.recipe(seeds: "1..60")
    let stopCollecting = Stop()
    let stop = Stop()
    let worker = try Self.work(server.url, until: stop)
    let first = try Self.collect(
      recipe, server, onResult: { _ in stopCollecting.raise() }, isCancelled: { stopCollecting.value })
    #expect(!first.isDone && !first.results.isEmpty)
    let done = Set(first.results.map(\.digest))
    let plan = try recipe.plan()
    let missing = (0..<60).filter { !done.contains(plan.job(at: $0).digest) }
    let second = try Self.collect(recipe, server, missing)
    stop.raise()
    worker.wait()
    #expect(second.isDone)
    #expect((first.results + second.results).map(\.seed).sorted() == Array(1...60))
  }

  @Test("Results that wait already are taken, and their jobs are not queued again")
  func oldResults() throws {
    let server = try NATSServerProcess.withQueue()
    let recipe = try Self.recipe(seeds: "1..5")
    let local = Collected()
    try CampaignPool(recipe.plan(), jobs: Array(0..<5)).run(workers: 2, isCancelled: { false }) {
      local.add($0)
    }
    let connection = try server.connection()
    for (number, result) in local.all.enumerated() {
      try connection.publish(
        Array((result.line + "\n").utf8), to: CampaignQueue.resultSubject(recipe.id), id: "\(number)")
    }
    let (isDone, results) = try Self.collect(recipe, server)
    #expect(isDone && results.map(\.seed).sorted() == [1, 2, 3, 4, 5])
    #expect(try connection.extent(of: CampaignQueue.tickets).last == 0)
  }

  @Test("A worker of another version leaves a campaign to others, and strangers' messages are left out")
  func strangers() throws {
    let server = try NATSServerProcess.withQueue()
    let connection = try server.connection()
    let recipe = try Self.recipe(seeds: "1..4")
    for text in [
      "", "{", "null", "{\"campaign\":\"..\",\"jobs\":[1]}", String(repeating: "x", count: 100_000),
    ] {
      try connection.publish(Array(text.utf8), to: "nearby.campaign.ticket.\(recipe.id)", id: "\(text.count)")
      try connection.publish(
        Array(text.utf8), to: "nearby.campaign.result.\(recipe.id)", id: "r\(text.count)")
    }
    let foreign = ResultsTests.result(seed: 1, scores: []).line
    try connection.publish(Array(foreign.utf8), to: "nearby.campaign.result.\(recipe.id)", id: "foreign")
    let stop = Stop()
    let workers = [
      try Self.work(server.url, version: "0", until: stop), try Self.work(server.url, until: stop),
    ]
    let (isDone, results) = try Self.collect(recipe, server)
    stop.raise()
    for worker in workers { worker.wait() }
    #expect(isDone)
    #expect(results.map(\.seed).sorted() == [1, 2, 3, 4])
    #expect(results.allSatisfy { !$0.scores.isEmpty })
  }
}

@Suite("Failures of a NATS server")
struct NATSFailureTests {
  @Test("No server: an error at once that names the address without the password")
  func noServer() throws {
    let options = NATSConnection.Options(url: "nats://anna:secret@127.0.0.1:1", name: "test")
    do throws(NATSFailure) {
      _ = try NATSConnection(options)
      Issue.record("connected to nothing")
    } catch {
      #expect(error.cause == .unreachable)
      #expect(error.description.contains("nats://127.0.0.1:1") && !error.description.contains("secret"))
    }
  }

  @Test("Passwords are left out of each address of a list")
  func printable() {
    let options = NATSConnection.Options(url: "nats://a:b@h:1,tls://c@i:2,k:3", name: "")
    #expect(options.printableURL == "nats://h:1,tls://i:2,k:3")
  }
}
