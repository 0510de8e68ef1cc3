import NearbyKeyDerivation
import NearbyScenarios
import NearbySchedule
import NearbySteppedWorld
import NearbyTextForms

/// One run of a campaign: a scenario with some settings and a seed.
///
/// A job is a pure function of its scenario file, settings, seed and the version of this package, and its digest names
/// all four. Equal digests therefore mean equal scores, and a job that ran twice does no harm. With programs, it names
/// their commands, too, but not what is in their files: results of an older program are not replaced by `--resume`.
package struct CampaignJob: Equatable, Sendable {
  /// As given by the person, for messages and commands.
  package let file: String
  /// Digest of the scenario file's octets, hexadecimal.
  package let fileDigest: String
  /// Sorted by key.
  package let settings: [ScenarioSetting]
  package let seed: UInt64
  /// The package's version.
  package let version: String
  /// The programs that are devices, in the order in which they start; none for simulated apps.
  package let programs: [ProgramEntry]

  package init(
    file: String, fileDigest: String, settings: [ScenarioSetting], seed: UInt64, version: String,
    programs: [ProgramEntry] = []
  ) {
    self.programs = programs
    self.file = file
    self.fileDigest = fileDigest
    self.settings = settings
    self.seed = seed
    self.version = version
  }

  /// SHA-256 of what the job depends on, hexadecimal.
  package var digest: String { SHA256Digest.hexadecimal(of: line(withFile: false).utf8) }

  /// The job as one JSON object.
  package func line(withFile: Bool = true) -> String {
    var line = JSONLine()
    if withFile { line.add("file", text: file) }
    line.add("version", text: version)
    line.add("scenario", text: fileDigest)
    line.add("settings", json: Self.json(settings))
    line.add("seed", text: "\(seed)")
    if !programs.isEmpty { line.add("run", json: Self.json(programs)) }
    return line.closed()
  }

  static func json(_ settings: [ScenarioSetting]) -> String {
    var object = JSONLine()
    for setting in settings { object.add(setting.key, text: setting.text) }
    return object.closed()
  }

  static func json(_ programs: [ProgramEntry]) -> String {
    var object = JSONLine()
    for program in programs { object.add(program.device, text: program.command) }
    return object.closed()
  }

  /// Decides which part of a campaign has the job. The same for every version of the package.
  package var shardHash: UInt64 {
    let settings = settings.map { "\($0.key)=\($0.text)" }.joined(separator: "\n")
    return SplitMix64.hash(of: seed ^ StableHash.of(settings))
  }

  /// The command that runs this job alone.
  package var command: String {
    Self.command(file: file, settings: settings, seed: seed, programs: programs)
  }

  static func command(
    file: String, settings: [ScenarioSetting], seed: UInt64, programs: [ProgramEntry]
  ) -> String {
    let words =
      ["nearby", "campaign", "run", file, "--seeds", "\(seed)"]
      + settings.flatMap { ["--set", "\($0.key)=\($0.text)"] }
      + programs.flatMap { ["--run", "\($0.device)=\($0.command)"] }
    return words.map(ShellWord.quoted).joined(separator: " ")
  }
}

/// Words of a shell's command line.
enum ShellWord {
  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@%+")

  static func quoted(_ word: String) -> String {
    if !word.isEmpty, word.allSatisfy({ plain.contains($0) }) { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
