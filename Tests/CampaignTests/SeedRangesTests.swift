import NearbyScenarios
import NearbySchedule
import Testing

@Suite("Seeds of a campaign")
struct SeedRangesTests {
  @Test(
    "Reads seeds, ranges and lists, and merges what overlaps",
    arguments: [
      ("7", [7]), ("1..3", [1, 2, 3]), ("1...3", [1, 2, 3]), ("1..3,42", [1, 2, 3, 42]),
      ("5,1..2", [1, 2, 5]),
      ("1..3,2..4,5", [1, 2, 3, 4, 5]), ("0x10", [16]), (" 1 , 2 ", [1, 2]),
      ("18446744073709551615,18446744073709551614..18446744073709551615", [.max - 1, .max]),
    ] as [(String, [UInt64])])
  func reads(text: String, seeds: [UInt64]) throws {
    let ranges = try SeedRanges(parsing: text)
    #expect(ranges.all == seeds)
    #expect(ranges.count == seeds.count)
    #expect(seeds.indices.map { ranges[$0] } == seeds)
    #expect(try SeedRanges(parsing: ranges.text) == ranges)
  }

  @Test(
    "Says which part is no seed",
    arguments: [
      ("", .malformed("")), ("1..", .malformed("1..")), ("..5", .malformed("..5")), ("a", .malformed("a")),
      ("-1", .malformed("-1")), ("+1", .malformed("+1")), ("1,,2", .malformed("")),
      ("5..1", .backwards("5..1")),
      ("1....3", .malformed("1....3")), ("18446744073709551616", .malformed("18446744073709551616")),
      ("0..18446744073709551615", .tooMany), ("1..10000001", .tooMany),
      ("1..9000000,20000000..29000000", .tooMany), ("1.5", .malformed("1.5")),
      ("1..2..3", .malformed("1..2..3")),
    ] as [(String, SeedRanges.Failure)])
  func refuses(text: String, failure: SeedRanges.Failure) {
    #expect(throws: failure) { () throws(SeedRanges.Failure) in try SeedRanges(parsing: text) }
    #expect(failure.description.count < 120)
  }
}

@Suite("Parts of a campaign")
struct CampaignShardTests {
  @Test("Reads a part and refuses what is none")
  func reads() {
    #expect(CampaignShard(parsing: "2/5") == CampaignShard(index: 1, of: 5))
    #expect(CampaignShard(parsing: "1/1") == .whole)
    for text in [
      "5/3", "0/3", "3", "", "/", "1/", "/3", "-1/3", "1/0", "1/2/3", "a/b", "1/99999999999999999999",
    ] {
      #expect(CampaignShard(parsing: text) == nil, "\(text)")
    }
  }

  @Test("Each job is in exactly one part, and parts are of about the same size", arguments: [1, 2, 5, 16])
  func divides(count: Int) throws {
    let shards = try (0..<count).map { try #require(CampaignShard(index: $0, of: count)) }
    var sizes = [Int](repeating: 0, count: count)
    for seed in UInt64(0)..<4000 {
      let homes = shards.filter { $0.contains(hash: SplitMix64.hash(of: seed)) }
      #expect(homes.count == 1)
      sizes[homes[0].index] += 1
    }
    let mean = 4000 / Double(count)
    // Five standard deviations of a binomial.
    #expect(sizes.allSatisfy { abs(Double($0) - mean) < 5 * mean.squareRoot() + 1 }, "\(sizes)")
  }

  @Test(
    "Knows the variables of each system",
    arguments: [
      ([:], "1/1"), (["NEARBY_SHARD": "3/4", "CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "9"], "3/4"),
      (["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "8"], "3/8"),
      (["SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_COUNT": "8"], "1/8"),
      (
        [
          "SLURM_ARRAY_TASK_ID": "20", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_STEP": "5",
          "SLURM_ARRAY_TASK_COUNT": "3",
        ], "3/3"
      ),
      (["JOB_COMPLETION_INDEX": "2", "NEARBY_SHARD_COUNT": "5"], "3/5"),
      (["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"], "2/5"),
      (["CIRCLE_NODE_INDEX": "2", "CIRCLE_NODE_TOTAL": "5"], "3/5"),
      (["BUILDKITE_PARALLEL_JOB": "0", "BUILDKITE_PARALLEL_JOB_COUNT": "2"], "1/2"),
    ] as [([String: String], String)])
  func environment(variables: [String: String], shard: String) throws {
    #expect(try CampaignShard.current(in: variables).text == shard)
  }

  @Test(
    "Refuses variables that name no part",
    arguments: [
      (["NEARBY_SHARD": "5/3"], "expected a part such as 2/5"),
      (["JOB_COMPLETION_INDEX": "2"], "set NEARBY_SHARD_COUNT"),
      (["CI_NODE_INDEX": "6", "CI_NODE_TOTAL": "5"], "not one of 5 parts"),
      (["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "5"], "not one of 5 parts"),
      (["CIRCLE_NODE_INDEX": "x", "CIRCLE_NODE_TOTAL": "5"], "expected a whole number"),
      (["BUILDKITE_PARALLEL_JOB": "1", "BUILDKITE_PARALLEL_JOB_COUNT": "0"], "not one of 0 parts"),
    ] as [([String: String], String)])
  func badEnvironment(variables: [String: String], message: String) {
    do throws(CampaignShard.Failure) {
      let shard = try CampaignShard.current(in: variables)
      Issue.record("found part \(shard.text)")
    } catch {
      #expect(error.description.contains(message), "\(error)")
    }
  }
}
