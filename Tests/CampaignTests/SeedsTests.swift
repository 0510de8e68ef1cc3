import Foundation
import NearbyScenarios
import Synchronization
import TestSupport
import Testing

@testable import NearbyTestIssues
@testable import NearbyTesting

@Suite("Seeds for tests")
struct SeedsTests {
  @Test("Seeds and part come from the environment; the usual ones run without it")
  func environment() throws {
    #expect(try Seeds.seeds(1...3, in: [:]) == [1, 2, 3])
    #expect(try Seeds.seeds(1...3, in: ["NEARBY_SEEDS": "7,9..10"]) == [7, 9, 10])
    let parts = try (1...4).map {
      try Seeds.seeds(1...3, in: ["NEARBY_SEEDS": "1..100", "NEARBY_SHARD": "\($0)/4"])
    }
    #expect(parts.joined().sorted() == Array(1...100))
    #expect(parts.allSatisfy { $0.count > 10 })
  }

  @Test("Bad variables are explained")
  func bad() {
    #expect(
      throws: Seeds.SeedsError(
        description: "NEARBY_SEEDS: found 'x', expected seeds such as 1..1000, 7 or 1..10,42")
    ) {
      try Seeds.seeds(1...3, in: ["NEARBY_SEEDS": "x"])
    }
    #expect(throws: CampaignShard.Failure.malformed(variable: "NEARBY_SHARD", found: "5/3")) {
      try Seeds.seeds(1...3, in: ["NEARBY_SHARD": "5/3"])
    }
  }

  @Test("A program with bad variables ends with 64 and the explanation, instead of running no test")
  func ends() async {
    let result = await #expect(processExitsWith: .exitCode(64), observing: [\.standardErrorContent]) {
      setenv("NEARBY_SEEDS", "1..x", 1)
      _ = Seeds.campaign
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("NEARBY_SEEDS: found '1..x'"))
  }

  @Test("Each seed of a campaign is a world of its own", .campaign, arguments: Seeds.campaign(3...4))
  func campaign(seed: UInt64) {
    let world = World(seed: seed)
    let phone = world.addPhone("Ann")
    world.advance(by: .seconds(1))
    #expect(phone.chipSessionCount == 0)
    #expect(WorldLog.current?.seeds == [seed])
  }
}
