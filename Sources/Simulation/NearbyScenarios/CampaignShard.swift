/// One of several equal parts of a campaign, for machines that each run a part.
///
/// A job belongs to a part by its hash, so that every part has jobs of every kind, and the parts together have
/// each job once.
package struct CampaignShard: Equatable, Sendable {
  /// From 0, less than `count`.
  package let index: Int
  /// 1 to `most`.
  package let count: Int

  package static let most = 1_000_000
  package static let whole = CampaignShard(known: 0, of: 1)

  private init(known index: Int, of count: Int) {
    self.index = index
    self.count = count
  }

  /// - Parameter index: From 0.
  package init?(index: Int, of count: Int) {
    guard count >= 1, count <= Self.most, index >= 0, index < count else { return nil }
    self.init(known: index, of: count)
  }

  /// Parses `2/5`: the second of five parts.
  package init?(parsing text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Self.whole(parts[0]), let count = Self.whole(parts[1]), number >= 1
    else { return nil }
    self.init(index: number - 1, of: count)
  }

  /// As text that parses back to the same part.
  package var text: String { "\(index + 1)/\(count)" }

  package func contains(hash: UInt64) -> Bool { hash % UInt64(count) == UInt64(index) }

  // MARK: The environment

  /// Why the environment's variables name no part.
  package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    case malformed(variable: String, found: String)
    /// A variable names a part, and none says how many there are.
    case noCount(variable: String)
    case outside(variable: String, found: String, count: Int)

    package var description: String {
      switch self {
      case .malformed(CampaignShard.variable, let found):
        "\(CampaignShard.variable): found '\(found)', expected a part such as 2/5"
      case .malformed(let variable, let found): "\(variable): found '\(found)', expected a whole number"
      case .noCount(let variable):
        "\(variable) is set, but not the number of parts: set \(CampaignShard.countVariable), or the part with "
          + "\(CampaignShard.variable)"
      case .outside(let variable, let found, let count):
        "\(variable): found '\(found)', which is not one of \(count) parts"
      }
    }
  }

  package static let variable = "NEARBY_SHARD"
  package static let countVariable = "NEARBY_SHARD_COUNT"

  /// The variables of one system that runs the same job several times.
  private struct System {
    let index: String
    let count: String
    /// The number of the first part, or the variable that has it.
    var first = 0
    var firstVariable: String?
    var stepVariable: String?
  }

  /// Slurm's job arrays (sbatch, "Job Array Support"), Kubernetes' indexed jobs, and the parallel jobs of GitLab,
  /// CircleCI and Buildkite, as their manuals name the variables.
  private static let systems = [
    System(
      index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT", firstVariable: "SLURM_ARRAY_TASK_MIN",
      stepVariable: "SLURM_ARRAY_TASK_STEP"),
    System(index: "JOB_COMPLETION_INDEX", count: countVariable),
    System(index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", first: 1),
    System(index: "CIRCLE_NODE_INDEX", count: "CIRCLE_NODE_TOTAL"),
    System(index: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT"),
  ]

  /// The part that the environment names: by `NEARBY_SHARD`, or by the variables of a system that runs parts.
  ///
  /// - Returns: The whole if the environment names no part.
  package static func current(in environment: [String: String]) throws(Failure) -> CampaignShard {
    if let text = environment[variable] {
      guard let shard = CampaignShard(parsing: text) else {
        throw .malformed(variable: variable, found: text)
      }
      return shard
    }
    for system in systems where environment[system.index] != nil {
      return try shard(of: system, in: environment)
    }
    return .whole
  }

  private static func shard(
    of system: System, in environment: [String: String]
  ) throws(Failure) -> CampaignShard {
    func number(_ variable: String?) throws(Failure) -> Int? {
      guard let variable, let text = environment[variable] else { return nil }
      guard let number = whole(text[...]) else { throw .malformed(variable: variable, found: text) }
      return number
    }
    let task = try number(system.index) ?? 0
    guard let count = try number(system.count) else {
      throw .noCount(variable: system.index)
    }
    let first = try number(system.firstVariable) ?? system.first
    let step = max(1, try number(system.stepVariable) ?? 1)
    // Bounded: all are below a billion.
    let index = (task - first) / step
    guard task >= first, let shard = CampaignShard(index: index, of: count) else {
      throw .outside(variable: system.index, found: "\(task)", count: count)
    }
    return shard
  }

  /// Digits only, below a billion.
  private static func whole(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.count <= 9, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(text)
  }
}
