import NearbyMaths
import NearbyScenarios
import NearbySchedule
import NearbySteppedWorld

/// What the results of a campaign show: for each scenario with its settings, the distribution of each score, and the
/// seeds that failed.
package struct CampaignReport: Sendable {
  /// One score over all seeds of a group.
  package struct ScoreSummary: Equatable, Sendable {
    package let name: String
    /// The values in ascending order.
    package let sorted: [Double]
    /// The number of runs without a value.
    package let missing: Int
    package let median: Double?
    package let p90: Double?
    /// 95 % interval of the median.
    package let interval: ClosedRange<Double>?

    init(_ name: String, _ values: [Double?], seed: UInt64) {
      self.name = name
      sorted = values.compactMap(\.self).sorted()
      missing = values.count - sorted.count
      median = Quantile.ofSorted(sorted, 0.5)
      p90 = Quantile.ofSorted(sorted, 0.9)
      interval = Bootstrap.median(ofSorted: sorted, seed: seed)
    }
  }

  /// The runs of one scenario with the same settings and programs, by one version.
  package struct Group: Sendable {
    package let file: String
    package let settings: [ScenarioSetting]
    package let version: String
    package let programs: [ProgramEntry]
    /// By seed.
    package let results: [JobResult]
    /// In the order of the first result, which is the scenario's.
    package let scores: [ScoreSummary]

    package var failed: [JobResult] { results.filter { !$0.failures.isEmpty } }

    /// The scenario, its settings and its programs on one line.
    package var title: String {
      let values = settings.map { "\($0.key)=\($0.text)" }
      let commands = programs.map { "--run \(ShellWord.quoted("\($0.device)=\($0.command)"))" }
      return ([file] + values + commands).joined(separator: " ")
    }
  }

  package let groups: [Group]
  package let duplicates: Int

  package init(_ results: CampaignResults) {
    duplicates = results.duplicates
    var groups: [Group] = []
    var rest = results.results[...]
    while let first = rest.first {
      let members = rest.prefix {
        $0.file == first.file && $0.settings == first.settings && $0.version == first.version
          && $0.programs == first.programs
      }
      groups.append(Self.group(Array(members)))
      rest = rest.dropFirst(members.count)
    }
    self.groups = groups
  }

  private static func group(_ members: [JobResult]) -> Group {
    var names: [String] = []
    var values: [String: [Double?]] = [:]
    for result in members {
      for score in result.scores {
        if values[score.name] == nil { names.append(score.name) }
        values[score.name, default: []].append(score.value)
      }
    }
    let summaries = names.map { ScoreSummary($0, values[$0] ?? [], seed: StableHash.of($0)) }
    return Group(
      file: members[0].file, settings: members[0].settings, version: members[0].version,
      programs: members[0].programs, results: members, scores: summaries)
  }

  package var count: Int { groups.reduce(0) { $0 + $1.results.count } }
  package var failedCount: Int { groups.reduce(0) { $0 + $1.failed.count } }
}
