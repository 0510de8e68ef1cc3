import NearbyCampaigns
import NearbyCommandLine
import NearbyNATS
import NearbyScenarios
import NearbySteppedWorld

/// The options of `nearby campaign`.
enum CampaignOptions {
  static let group = CommandSpec(
    group: "campaign", summary: "Run a scenario with many seeds and settings, and report the scores",
    subcommands: [CampaignRunCommand.spec, CampaignWorkCommand.spec, CampaignReportCommand.spec])

  static let scenario = PositionalArgument<String>.required(
    "SCENARIO", "Scenario file, JSON with comments", as: .file)
  static let seeds = CommandOption<String>.value(
    "seeds", "SEEDS", "Seeds such as 1..1000 or 1..10,42", as: .text, default: "1..100")
  static let set = CommandOption<[String]>.list(
    "set", "KEY=A,B,…", "Values of a key of the scenario, such as devices.ben.loss=0,0.1", as: .text)
  static let out = CommandOption<String?>.optional(
    "out", "FILE", "File of results, one JSON object per line (default: standard output)", as: .file)
  static let resume = CommandOption<Bool>.flag("resume", "Keep the results in FILE and run what is missing")
  static let force = CommandOption<Bool>.flag("force", "Replace FILE if it exists")
  static let workers = CommandOption<Int?>.optional(
    "workers", "N", "Jobs at a time (default: one for each core)", as: .integer(1...1024))
  static let shard = CommandOption<CampaignShard?>.optional(
    "shard", "I/N", "Run part I of N (default: from the CI system's or cluster's variables)",
    as: OptionReader(expected: "a part such as 2/5, from 1/N to N/N", read: CampaignShard.init(parsing:)))

  static let nats = CommandOption<String?>.optional(
    "nats", "URL", "Let workers run the jobs, through a NATS server such as nats://host:4222", as: .text)

  static let run = CommandOption<[ProgramEntry]>.list(
    "run", "DEVICE=COMMAND", "Run a shell command as a device, in the world's time; may be repeated",
    as: .program)

  static let hostNetwork = CommandOption<Bool>.flag(
    "host-network", "Leave the programs of --run in this machine's network; one run at a time then")

  /// How to connect to a server: its URL, and files that the environment names.
  static func connection(_ url: String, in context: CommandContext) -> NATSConnection.Options {
    NATSConnection.Options(
      url: url, name: "nearby campaign", credentials: context.environment["NEARBY_NATS_CREDENTIALS"],
      certificates: context.environment["NEARBY_NATS_CERTIFICATES"])
  }

  static func commandError(_ failure: NATSFailure) -> CommandError { .unavailable("\(failure)") }

  /// The settings to combine.
  static func settings(_ texts: [String]) throws(UsageError) -> [[ScenarioSetting]] {
    var settings: [[ScenarioSetting]] = []
    for text in texts {
      guard let values = ScenarioSetting.list(parsing: text) else {
        throw .invalidValue(option: "\(set)", found: text, expected: "KEY=VALUE or KEY=A,B")
      }
      settings.append(values)
    }
    return settings
  }

  static func seeds(_ text: String) throws(UsageError) -> SeedRanges {
    do throws(SeedRanges.Failure) {
      return try SeedRanges(parsing: text)
    } catch {
      throw .conflict("\(seeds): \(error)")
    }
  }
}
