import Foundation
import NearbyCampaignQueue
import NearbyCommandLine
import NearbyNATS

/// `nearby campaign work --nats URL`.
struct CampaignWorkCommand {
  private static let nats = CommandOption<String>.required(
    "nats", "URL", "NATS server with JetStream, such as nats://host:4222", as: .text)
  private static let idle = CommandOption<Duration?>.optional(
    "idle", "TIME", "Stop after this long without a job (default: run until interrupted)", as: .duration)

  static let spec = CommandSpec(
    name: "work",
    summary: "Run the jobs that 'nearby campaign run --nats' puts into a queue",
    discussion: """
      Start it on any number of machines, before or after the campaigns. A worker that is killed loses nothing:
      its jobs go to another one. Campaigns of another version of this program are left to other workers.
      """,
    options: [nats, CampaignOptions.workers, idle],
    examples: ["nearby campaign work --nats nats://build-server:4222"]
  ) { try CampaignWorkCommand($0).run(in: $1) }

  private let url: String
  private let threads: Int
  private let idle: Duration?

  init(_ arguments: CommandArguments) throws(UsageError) {
    url = try arguments[Self.nats]
    threads = try arguments[CampaignOptions.workers] ?? ProcessInfo.processInfo.activeProcessorCount
    idle = try arguments[Self.idle]
  }

  func run(in context: CommandContext) throws(CommandError) {
    let (interrupt, errors) = (context.interrupt, context.errors)
    let options = CampaignOptions.connection(url, in: context)
    do throws(NATSFailure) {
      let queue = try CampaignQueue(NATSConnection(options))
      errors.line("nearby: working for \(options.printableURL)")
      let worker = CampaignWorker(
        queue, threads: threads, version: NearbyVersion.version, idle: idle,
        isCancelled: { interrupt.isRaised },
        report: { errors.line("nearby: \($0)") })
      try worker.run()
      errors.line("nearby: \(worker.done) jobs done")
    } catch {
      throw CampaignOptions.commandError(error)
    }
    if interrupt.isRaised { throw .interrupted }
  }
}
