import Foundation
import NearbyDevice
import NearbyScenarios
import NearbySchedule

/// Seeds for tests that run in many worlds.
///
/// ```swift
/// @Test("Ann finds Ben, whatever the noise", .campaign, arguments: Seeds.campaign)
/// func meeting(seed: UInt64) throws {
///   let world = World(seed: seed)
///   …
/// }
/// ```
///
/// On a developer's machine such a test runs a few seeds. In continuous integration the environment asks for more, and
/// divides them among machines:
///
/// | variable | value |
/// |---|---|
/// | `NEARBY_SEEDS` | the seeds, such as `1..1000` or `1..10,42` |
/// | `NEARBY_SHARD` | the part of them to run, such as `2/5`: the second of five |
///
/// Without `NEARBY_SHARD`, the part comes from the variables of Slurm's job arrays, Kubernetes' indexed jobs (with
/// `NEARBY_SHARD_COUNT`), GitLab, CircleCI or Buildkite; each seed is in exactly one part.
///
/// The trait `.campaign` of NearbyTestIssues prints for each seed that fails the command that runs it again, and leaves
/// a recording of its worlds.
public enum Seeds {
  /// The seeds of `NEARBY_SEEDS`, or 1 to 10, of which this machine runs its part.
  ///
  /// Ends the process with an explanation if the environment names no seeds or part.
  public static var campaign: [UInt64] { campaign(1...10) }

  /// The seeds of `NEARBY_SEEDS`, or the given ones if it is not set, of which this machine runs its part.
  ///
  /// - Parameter usual: At most ten million seeds.
  public static func campaign(_ usual: ClosedRange<UInt64>) -> [UInt64] {
    do {
      return try seeds(usual, in: ProcessInfo.processInfo.environment)
    } catch {
      // Tests that are silently left out would look as if they had passed.
      Notice.write("\(error)")
      exit(64)
    }
  }

  static let variable = "NEARBY_SEEDS"

  package static func seeds(
    _ usual: ClosedRange<UInt64>, in environment: [String: String]
  ) throws -> [UInt64] {
    let shard = try CampaignShard.current(in: environment)
    let ranges: SeedRanges
    do {
      ranges = try environment[variable].map { try SeedRanges(parsing: $0) } ?? SeedRanges([usual])
    } catch {
      throw SeedsError(description: "\(variable): \(error)")
    }
    return ranges.all.filter { shard.contains(hash: SplitMix64.hash(of: $0)) }
  }

  package struct SeedsError: Error, Equatable, CustomStringConvertible {
    package let description: String
  }
}
