import Foundation
import NearbyCampaignQueue
import NearbyCampaigns
import NearbyCommandLine
import NearbyNATS
import NearbyScenarios
import NearbySteppedWorld
import NearbyTextForms

/// `nearby campaign run SCENARIO`.
struct CampaignRunCommand {
  static let spec = CommandSpec(
    name: "run",
    summary: "Run a scenario with many seeds and settings",
    discussion: """
      Every seed runs with every combination of settings, each in a simulated world of its own, and gives one line
      of scores. The scenario's key 'scores' names them, with bounds that a run must keep. An interrupt keeps what
      is done; --resume continues. The command ends with 65 if a run broke a bound.

      With --run, programs are the devices. Each run starts them in a shared world of their own, whose time
      stands still while they compute, so that runs are fast and repeatable. A program gives a score by printing
      a line such as {"score": "found", "value": 3.2, "atMost": 10}; a status other than 0 is a failure.
      """,
    arguments: [CampaignOptions.scenario],
    options: [
      CampaignOptions.seeds, CampaignOptions.set, CampaignOptions.out, CampaignOptions.resume,
      CampaignOptions.force, CampaignOptions.workers, CampaignOptions.shard, CampaignOptions.nats,
      CampaignOptions.run, CampaignOptions.hostNetwork,
    ],
    examples: [
      "nearby campaign run walk.json --seeds 1..1000 --out results.jsonl",
      "nearby campaign run walk.json --set loss=0,0.1,0.2 --set place=indoors,outdoors --out results.jsonl",
      "nearby campaign run meeting.json --run 'anna=./my-app' --run 'ben=./my-app' --out results.jsonl",
      "nearby campaign run walk.json --seeds 1..100000 --shard 2/5 --out part2.jsonl",
    ]
  ) { try CampaignRunCommand($0).run(in: $1) }

  private let file: String
  private let seeds: SeedRanges
  private let settings: [[ScenarioSetting]]
  private let out: String?
  private let existing: ResultFile.Existing
  private let workers: Int
  private let shard: CampaignShard?
  private let nats: String?
  private let programs: [ProgramEntry]
  private let usesHostNetwork: Bool

  init(_ arguments: CommandArguments) throws(UsageError) {
    file = try arguments[CampaignOptions.scenario]
    seeds = try CampaignOptions.seeds(try arguments[CampaignOptions.seeds])
    settings = try CampaignOptions.settings(try arguments[CampaignOptions.set])
    out = try arguments[CampaignOptions.out]
    let (resumes, replaces) = (try arguments[CampaignOptions.resume], try arguments[CampaignOptions.force])
    if resumes, replaces {
      throw .conflict("\(CampaignOptions.resume) and \(CampaignOptions.force) exclude each other")
    }
    if resumes, out == nil { throw .conflict("\(CampaignOptions.resume) needs \(CampaignOptions.out)") }
    existing = resumes ? .resume : replaces ? .replace : .refuse
    usesHostNetwork = try arguments[CampaignOptions.hostNetwork]
    let cores = usesHostNetwork ? 1 : ProcessInfo.processInfo.activeProcessorCount
    workers = try arguments[CampaignOptions.workers] ?? cores
    shard = try arguments[CampaignOptions.shard]
    nats = try arguments[CampaignOptions.nats]
    programs = try arguments[CampaignOptions.run]
    if nats != nil, !programs.isEmpty {
      throw .conflict(
        "\(CampaignOptions.run) runs programs of this machine, so it excludes \(CampaignOptions.nats)")
    }
    if nats != nil, arguments.has(CampaignOptions.workers) {
      throw .conflict("\(CampaignOptions.workers) is an option of the workers, 'nearby campaign work'")
    }
  }

  func run(in context: CommandContext) throws(CommandError) {
    let recipe = try recipe()
    let plan = try plan(recipe)
    let shard = try part(context)
    let results = try openResults()
    var jobs = plan.indices(in: shard)
    let all = jobs.count
    if let done = results?.done, !done.isEmpty {
      jobs = jobs.filter { !done.contains(plan.job(at: $0).digest) }
    }
    if shard != .whole { context.errors.line("nearby: part \(shard.text): \(all) of \(plan.count) jobs") }
    let screen = CampaignScreen(total: jobs.count, kept: all - jobs.count, context)
    let progress =
      if let nats {
        try collect(jobs, of: plan, recipe, from: nats, results, screen, context)
      } else {
        try run(try pool(plan, jobs, context), results, screen, context)
      }
    try finish(progress, of: jobs.count, screen, context)
  }

  private func recipe() throws(CommandError) -> CampaignRecipe {
    CampaignRecipe(
      data: try ScenarioFile.read(octetsOf: file), file: file, settings: settings, seeds: seeds,
      version: NearbyVersion.version)
  }

  private func plan(_ recipe: CampaignRecipe) throws(CommandError) -> CampaignPlan {
    do throws(CampaignPlan.Failure) {
      return try recipe.plan(programs: programs)
    } catch {
      switch error {
      case .noDevice, .repeatedDevice:
        throw CommandError(code: .usage, message: "\(CampaignOptions.run): \(error)")
      case .setting(.invalid), .scenario, .noPairs: throw .badData("\(error)")
      case .setting, .repeatedKey, .tooManyCombinations, .tooManyJobs:
        throw CommandError(code: .usage, message: "\(CampaignOptions.set): \(error)")
      }
    }
  }

  /// With one job, what its programs print is shown.
  private func pool(
    _ plan: CampaignPlan, _ jobs: [Int], _ context: CommandContext
  ) throws(CommandError) -> CampaignPool {
    guard !programs.isEmpty else { return CampaignPool(plan, jobs: jobs) }
    let folder = URL(fileURLWithPath: OwnProgram.path).deletingLastPathComponent().path
    let (errors, isShown) = (context.errors, jobs.count == 1)
    do throws(SteppedWorldFailure) {
      let programs = try CampaignPrograms(
        environment: context.environment, programFolder: folder, hasOwnNetwork: !usesHostNetwork)
      return CampaignPool(plan, jobs: jobs, programs: programs) { message in
        switch message {
        case .line(let line, let device): if isShown { errors.line("\(device): \(line)") }
        case .trouble(let text): if isShown { errors.line("nearby: \(text)") }
        }
      }
    } catch {
      guard case .noNetwork = error else { throw .unavailable("\(error)") }
      throw .unavailable("\(error); \(CampaignOptions.hostNetwork) leaves them in this machine's")
    }
  }

  private func part(_ context: CommandContext) throws(CommandError) -> CampaignShard {
    if let shard { return shard }
    do throws(CampaignShard.Failure) {
      return try CampaignShard.current(in: context.environment)
    } catch {
      throw CommandError(code: .usage, message: "\(error)")
    }
  }

  private func openResults() throws(CommandError) -> ResultFile? {
    guard let out else { return nil }
    do throws(ResultFile.Failure) {
      return try ResultFile(out, existing: existing)
    } catch {
      throw Self.commandError(error)
    }
  }

  private static func commandError(_ failure: ResultFile.Failure) -> CommandError {
    switch failure {
    case .exists(let path):
      .inputOutput(
        "\(path): exists; use \(CampaignOptions.resume) to run what is missing, or \(CampaignOptions.force) "
          + "to replace it")
    case .noResult: .badData("\(failure)")
    case .system: .inputOutput("\(failure)")
    }
  }

  private func run(
    _ pool: CampaignPool, _ results: ResultFile?, _ screen: CampaignScreen, _ context: CommandContext
  ) throws(CommandError) -> CampaignPool.Progress {
    let output = context.output
    do throws(ResultFile.Failure) {
      try pool.run(
        workers: workers, isCancelled: { context.interrupt.isRaised || context.isOutputClosed() }
      ) { result throws(ResultFile.Failure) in
        if let results { try results.append(result) } else { output.line(result.line) }
        screen.show(pool.progress)
      }
      try results?.finish()
      return pool.progress
    } catch {
      screen.clear()
      throw Self.commandError(error)
    }
  }

  /// Lets workers run the jobs.
  private func collect(
    _ jobs: [Int], of plan: CampaignPlan, _ recipe: CampaignRecipe, from url: String, _ results: ResultFile?,
    _ screen: CampaignScreen, _ context: CommandContext
  ) throws(CommandError) -> CampaignPool.Progress {
    let (interrupt, errors, output) = (context.interrupt, context.errors, context.output)
    let queue: CampaignQueue
    do throws(NATSFailure) {
      queue = try CampaignQueue(NATSConnection(CampaignOptions.connection(url, in: context)))
    } catch {
      throw CampaignOptions.commandError(error)
    }
    let collector = CampaignCollector(
      queue, recipe, plan, isCancelled: { interrupt.isRaised }, report: { errors.line("nearby: \($0)") })
    var progress = CampaignPool.Progress()
    do throws(CampaignCollector.Failure) {
      _ = try collector.run(
        jobs,
        deliver: { result throws(ResultFile.Failure) in
          if let results { try results.append(result) } else { output.line(result.line) }
          progress.add(result)
          screen.show(progress)
        }, flush: { () throws(ResultFile.Failure) in try results?.write() })
    } catch {
      screen.clear()
      switch error {
      case .queue(let failure): throw CampaignOptions.commandError(failure)
      case .file(let failure): throw Self.commandError(failure)
      }
    }
    return progress
  }

  private func finish(
    _ progress: CampaignPool.Progress, of count: Int, _ screen: CampaignScreen, _ context: CommandContext
  ) throws(CommandError) {
    screen.clear()
    if progress.done < count, context.interrupt.isRaised {
      let advice = out == nil ? "" : "; continue with \(CampaignOptions.resume)"
      context.errors.line("nearby: stopped after \(progress.done) of \(count) jobs\(advice)")
      throw .interrupted
    }
    if out != nil { context.errors.line(screen.summary(progress)) }
    guard progress.failed == 0 else {
      throw .badData("\(progress.failed) of \(count) runs broke a bound; 'nearby campaign report' names them")
    }
  }
}
