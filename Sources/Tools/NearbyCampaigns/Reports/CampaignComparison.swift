import NearbyMaths
import NearbyScenarios
import NearbySchedule

/// Two campaigns side by side: what changed for the same scenario, settings and seeds.
package struct CampaignComparison: Sendable {
  package struct ScoreChange: Equatable, Sendable {
    package let name: String
    package let before: Double?
    package let after: Double?
    /// The median of the differences of the same seeds, after minus before, and its 95 % interval.
    package let difference: Double?
    package let interval: ClosedRange<Double>?

    /// Whether the interval excludes no change.
    package var isClear: Bool { interval.map { !$0.contains(0) } ?? false }
  }

  package struct GroupChange: Sendable {
    package let title: String
    /// Seeds that both campaigns ran.
    package let pairs: Int
    package let scores: [ScoreChange]
    /// Seeds that failed only after, and only before.
    package let newlyFailed: [JobResult]
    package let newlyPassed: [JobResult]
  }

  package let groups: [GroupChange]
  /// Groups that only one of the campaigns has.
  package let onlyBefore: [String]
  package let onlyAfter: [String]

  package init(before: CampaignReport, after: CampaignReport) {
    var rest = before.groups
    var changes: [GroupChange] = []
    var onlyAfter: [String] = []
    for group in after.groups {
      if let index = rest.firstIndex(where: { $0.file == group.file && $0.settings == group.settings }) {
        changes.append(Self.change(from: rest.remove(at: index), to: group))
      } else {
        onlyAfter.append(group.title)
      }
    }
    groups = changes
    onlyBefore = rest.map(\.title)
    self.onlyAfter = onlyAfter
  }

  private static func change(
    from before: CampaignReport.Group, to after: CampaignReport.Group
  ) -> GroupChange {
    let earlier = Dictionary(before.results.map { ($0.seed, $0) }, uniquingKeysWith: { first, _ in first })
    let pairs = after.results.compactMap { result in earlier[result.seed].map { (before: $0, after: result) }
    }
    let scores = after.scores.map { score in
      let differences = pairs.compactMap { pair -> Double? in
        guard let old = pair.before.value(of: score.name), let new = pair.after.value(of: score.name) else {
          return nil
        }
        return new - old
      }.sorted()
      return ScoreChange(
        name: score.name, before: before.scores.first { $0.name == score.name }?.median, after: score.median,
        difference: Quantile.ofSorted(differences, 0.5),
        interval: Bootstrap.median(ofSorted: differences, seed: StableHash.of(score.name)))
    }
    return GroupChange(
      title: after.title, pairs: pairs.count, scores: scores,
      newlyFailed: pairs.filter { $0.before.failures.isEmpty && !$0.after.failures.isEmpty }.map(\.after),
      newlyPassed: pairs.filter { !$0.before.failures.isEmpty && $0.after.failures.isEmpty }.map(\.after))
  }
}

extension JobResult {
  func value(of name: String) -> Double? { scores.first { $0.name == name }?.value }
}
