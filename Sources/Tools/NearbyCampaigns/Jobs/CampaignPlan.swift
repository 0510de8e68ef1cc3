import Foundation
import NearbyKeyDerivation
import NearbyScenarios
import NearbySteppedWorld

/// All jobs of a campaign: each combination of settings with each seed.
package struct CampaignPlan: Sendable {
  /// Settings and the scenario with them.
  package struct Combination: Sendable {
    package let settings: [ScenarioSetting]
    package let scenario: Scenario
  }

  /// The most combinations of settings, and the most jobs.
  package static let mostCombinations = 10_000
  package static let mostJobs = 10_000_000

  package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    case scenario(ScenarioError)
    case setting(ScenarioSettingError)
    case repeatedKey(String)
    case tooManyCombinations(Int)
    case tooManyJobs
    /// No two devices range with each other, so that there is nothing to score.
    case noPairs(file: String)
    /// A program for a device that the scenario does not have.
    case noDevice(String, names: [String])
    /// Two programs for one device.
    case repeatedDevice(String)

    package var description: String {
      switch self {
      case .scenario(let error): "\(error)"
      case .setting(let error): "\(error)"
      case .repeatedKey(let key): "\(key): set twice; give all its values at once, \(key)=A,B"
      case .tooManyCombinations(let count):
        "\(count) combinations of settings; at most \(CampaignPlan.mostCombinations)"
      case .tooManyJobs: "more than \(CampaignPlan.mostJobs) jobs; use fewer seeds or settings"
      case .noDevice(let name, let names):
        "no device '\(name)' in the scenario; there are: \(names.joined(separator: ", "))"
      case .repeatedDevice(let name): "two programs for the device '\(name)'; a device has one"
      case .noPairs(let file): "\(file): no pair of devices that range; add pairs to the scenario"
      }
    }
  }

  package let file: String
  package let fileDigest: String
  package let version: String
  package let combinations: [Combination]
  package let seeds: SeedRanges
  /// The programs that are devices, in the order in which they start; none for simulated apps.
  package let programs: [ProgramEntry]

  /// - Parameters:
  ///   - data: The scenario file.
  ///   - file: Its name in errors, results and commands.
  ///   - settings: For each key, its values.
  package init(
    scenario data: Data, file: String, settings: [[ScenarioSetting]], seeds: SeedRanges, version: String,
    programs: [ProgramEntry] = [], progress: ScenarioProgress? = nil
  ) throws(Failure) {
    let template: ScenarioTemplate
    do throws(ScenarioError) {
      template = try ScenarioTemplate(parsing: data, file: file, progress: progress)
    } catch {
      throw .scenario(error)
    }
    var combinations: [Combination] = []
    for choice in try Self.product(settings) {
      do throws(ScenarioSettingError) {
        combinations.append(Combination(settings: choice, scenario: try template.scenario(with: choice)))
      } catch {
        throw .setting(error)
      }
    }
    for combination in combinations { try Self.check(programs, combination.scenario, file) }
    guard combinations.count * seeds.count <= Self.mostJobs else { throw .tooManyJobs }
    self.file = file
    self.programs = programs
    self.version = version
    self.combinations = combinations
    self.seeds = seeds
    fileDigest = SHA256Digest.hexadecimal(of: data)
  }

  /// Checks that there is something to score, and a device for each program.
  private static func check(
    _ programs: [ProgramEntry], _ scenario: Scenario, _ file: String
  ) throws(Failure) {
    guard !programs.isEmpty else {
      if scenario.pairs.isEmpty { throw .noPairs(file: file) }
      return
    }
    let names = scenario.devices.map(\.name)
    for (index, program) in programs.enumerated() {
      guard names.contains(program.device) else {
        throw .noDevice(program.device, names: names)
      }
      if programs[..<index].contains(where: { $0.device == program.device }) {
        throw .repeatedDevice(program.device)
      }
    }
  }

  /// Each choice of one value for every key, sorted by key.
  private static func product(_ settings: [[ScenarioSetting]]) throws(Failure) -> [[ScenarioSetting]] {
    var choices: [[ScenarioSetting]] = [[]]
    let sorted = settings.filter { !$0.isEmpty }.sorted { $0[0].key < $1[0].key }
    for (values, next) in zip(sorted, sorted.dropFirst()) where values[0].key == next[0].key {
      throw .repeatedKey(values[0].key)
    }
    for values in sorted {
      guard choices.count * values.count <= mostCombinations else {
        throw .tooManyCombinations(choices.count * values.count)
      }
      choices = choices.flatMap { choice in values.map { choice + [$0] } }
    }
    return choices
  }

  /// The number of jobs, at most `mostJobs`.
  package var count: Int { combinations.count * seeds.count }

  package func combination(of index: Int) -> Combination { combinations[index / seeds.count] }

  /// The job at a position, 0 ..< `count`: all seeds of the first combination, then of the next.
  package func job(at index: Int) -> CampaignJob {
    CampaignJob(
      file: file, fileDigest: fileDigest, settings: combination(of: index).settings,
      seed: seeds[index % seeds.count], version: version,
      programs: programs)
  }

  /// The positions of a part's jobs.
  package func indices(in shard: CampaignShard) -> [Int] {
    let all = 0..<count
    return shard == .whole ? Array(all) : all.filter { shard.contains(hash: job(at: $0).shardHash) }
  }

  /// The scenario of the job at a position.
  package func scenario(at index: Int) -> Scenario {
    var scenario = combination(of: index).scenario
    scenario.seed = seeds[index % seeds.count]
    return scenario
  }
}
