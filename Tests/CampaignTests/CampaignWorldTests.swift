import Foundation
import NearbyCampaigns
import NearbyScenarios
import Testing

/// Scenario files for tests.
enum TestScenario {
  static func text(_ rest: String = "", seconds: Double = 10) -> String {
    """
    {
      duration: \(seconds),
      devices: [
        { name: "anna", motion: { walk: [[-6, 0], [-0.6, 0]] } },
        { name: "ben", motion: { stand: [0.6, 0] }, facing: { device: "anna" } },
      ],
      \(rest)
    }
    """
  }

  static func plan(
    _ text: String, settings: [[ScenarioSetting]] = [], seeds: String = "1..4", version: String = "1"
  ) throws -> CampaignPlan {
    try CampaignPlan(
      scenario: Data(text.utf8), file: "x.json", settings: settings, seeds: SeedRanges(parsing: seeds),
      version: version)
  }

  static func scores(_ rest: String, seed: UInt64 = 1, seconds: Double = 10) throws -> [String: ScoreValue] {
    let plan = try plan(text(rest, seconds: seconds), seeds: "\(seed)")
    let values = try #require(CampaignWorld(plan.scenario(at: 0)).scores { false })
    return Dictionary(values.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

@Suite("The world of a job")
struct CampaignWorldTests {
  @Test("Two phones in the open hear nearly each round, with small errors", arguments: [1, 2, 3] as [UInt64])
  func open(seed: UInt64) throws {
    let scores = try TestScenario.scores("", seed: seed)
    #expect(scores.keys.sorted() == ["error p50", "error p90", "first distance", "heard"])
    let heard = try #require(scores["heard"]?.value)
    #expect(heard > 0.9 && heard <= 1)
    let error = try #require(scores["error p90"]?.value)
    #expect(error > 0 && error < 0.3)
    let first = try #require(scores["first distance"]?.value)
    #expect(first > 0 && first < 2)
    #expect(scores.values.allSatisfy { $0.failure == nil })
  }

  @Test("Loss lowers the share of rounds that are heard and raises the error")
  func loss() throws {
    let open = try TestScenario.scores("")
    let lossy = try TestScenario.scores("loss: 0.2")
    let heard = try (open: #require(open["heard"]?.value), lossy: #require(lossy["heard"]?.value))
    #expect(heard.lossy < 0.7 * heard.open)
    let error = try (open: #require(open["error p90"]?.value), lossy: #require(lossy["error p90"]?.value))
    #expect(error.lossy > error.open)
  }

  @Test("Events and windows: a suspension ends the distances of its window, and is noticed at once")
  func suspension() throws {
    let scores = try TestScenario.scores(
      """
      events: [{ at: 5, do: "suspend", device: "ben" }, { at: 8, do: "resume", device: "ben" }],
      scores: [
        { name: "noticed", of: "event", event: "suspended", device: "ben", from: 5, atMost: 0.5 },
        { name: "before", of: "event", event: "suspended", device: "ben", to: 4.9 },
        { name: "back", of: "event", event: "resumed", device: "ben", from: 8, atMost: 0.5 },
        { name: "silent", of: "firstDistance", device: "ben", from: 5.5, to: 7.9 },
        { name: "again", of: "firstDistance", device: "ben", from: 8, atMost: 2 },
        { name: "times", of: "events", event: "suspended" },
        { name: "gap", of: "longestGap", device: "ben" },
        { name: "too much to ask", of: "firstDistance", from: 5.5, to: 7.9, device: "ben", atMost: 1 },
      ],
      """)
    let noticed = try #require(scores["noticed"]?.value)
    #expect(noticed >= 0 && noticed < 0.1)
    #expect(scores["before"]?.value == nil)
    let back = try #require(scores["back"]?.value)
    #expect(back < 0.1)
    #expect(scores["silent"]?.value == nil)
    #expect(scores["again"]?.failure == nil && scores["again"]?.value != nil)
    #expect(scores["times"]?.value == 1)
    let gap = try #require(scores["gap"]?.value)
    #expect(gap > 2.5)
    #expect(scores["too much to ask"]?.failure == "too much to ask: no value, expected at most 1.0")
  }

  @Test("A bound that is broken is a failure that says what was found")
  func bounds() throws {
    let scores = try TestScenario.scores(
      """
      scores: [{ of: "heard", atLeast: 0.99, atMost: 1 }, { of: "firstDistance", atMost: 0.01 }, { of: "bias" }],
      """)
    let found = try #require(scores["first distance"]?.failure)
    #expect(found.hasPrefix("first distance: found 0.") && found.hasSuffix("expected at most 0.01"))
    #expect(scores["heard"]?.failure?.hasSuffix("expected at least 0.99 and at most 1.0") == true)
    #expect(scores["bias"]?.failure == nil)
  }

  @Test("The same job gives the same line, on any number of threads and whatever ran before")
  func deterministic() throws {
    let plan = try TestScenario.plan(TestScenario.text(), seeds: "1..12")
    func lines(workers: Int) throws -> Set<String> {
      let results = Collected()
      let pool = CampaignPool(plan, jobs: Array(0..<plan.count))
      try pool.run(workers: workers, isCancelled: { false }) { results.add($0) }
      #expect(pool.progress.done == plan.count)
      return try Set(results.all.map { try $0.lineWithoutTime })
    }
    let once = try lines(workers: 1)
    #expect(once.count == 12)
    #expect(try lines(workers: 4) == once)
  }

  @Test("Distances through a wall have larger errors, and errors are within 2.5 stated sigmas nearly always")
  func coverage() throws {
    let wall = "walls: [{ from: [-3, -5], to: [-3, 5], material: 'brick' }],"
    let scores = try TestScenario.scores(
      """
      \(wall) place: "indoors",
      scores: [
        { of: "coverage" }, { of: "coverage", path: "blocked" }, { of: "coverage", path: "sight" },
        { of: "error", path: "blocked" }, { of: "error", path: "sight" },
        { of: "directionCoverage" }, { of: "directionCoverage", path: "blocked", from: 9.5, name: "none" },
      ],
      """)
    for name in ["coverage", "coverage blocked", "coverage in sight"] {
      #expect(try #require(scores[name]?.value) >= 0.95, "\(name)")
    }
    let blocked = try #require(scores["error p50 blocked"]?.value)
    #expect(blocked > 2 * (try #require(scores["error p50 in sight"]?.value)))
    #expect(try #require(scores["direction coverage"]?.value) > 0.85)
    #expect(scores["none"]?.value == nil)
  }

  @Test("In the museum, behind walls too, 95 of 100 distances and directions are within 2.5 stated sigmas")
  func museum() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Examples/Scenarios/museum.json").standardized
    var scenario = try Scenario(parsing: Data(contentsOf: file), file: "museum.json")
    scenario.scores = Scenario.Score.Path.allCases.flatMap { path in
      [
        Scenario.Score(name: "distances \(path)", measure: .coverage, path: path),
        Scenario.Score(name: "directions \(path)", measure: .directionCoverage, path: path),
      ]
    }
    var sums: [String: Double] = [:]
    for seed in 1...8 as ClosedRange<UInt64> {
      scenario.seed = seed
      for score in try #require(CampaignWorld(scenario).scores { false }) {
        sums[score.name, default: 0] += try #require(score.value)
      }
    }
    #expect(sums.count == 4 && sums.values.allSatisfy { $0 / 8 >= 0.95 }, "\(sums)")
  }

  @Test("A world stops within a simulated second when it is cancelled")
  func cancelled() throws {
    let plan = try TestScenario.plan(TestScenario.text(seconds: 100), seeds: "1")
    var questions = 0
    let result = CampaignPool.run(0, of: plan) {
      questions += 1
      return questions > 3
    }
    #expect(result == nil)
    #expect(questions == 4)
  }
}
