import Foundation
import NearbyCampaigns
import NearbyScenarios
import NearbySteppedWorld
import Testing

@Suite("Jobs of a campaign")
struct CampaignPlanTests {
  private static func values(_ text: String) throws -> [ScenarioSetting] {
    try #require(ScenarioSetting.list(parsing: text))
  }

  @Test("Every seed with every combination of settings, each with its own digest")
  func product() throws {
    let plan = try TestScenario.plan(
      TestScenario.text(), settings: [Self.values("place=indoors,outdoors"), Self.values("loss=0,0.1,0.2")],
      seeds: "1..5")
    #expect(plan.count == 30)
    let jobs = (0..<30).map(plan.job)
    #expect(Set(jobs.map(\.digest)).count == 30)
    #expect(jobs[7].settings.map(\.key) == ["loss", "place"])
    #expect(jobs[7].seed == 3)
    #expect(plan.scenario(at: 7).seed == 3)
    #expect(plan.scenario(at: 29).extraLoss == 0.2 && plan.scenario(at: 29).echoLoss == 15)
    #expect(
      jobs[29].command == "nearby campaign run x.json --seeds 5 --set loss=0.2 --set place=outdoors")
  }

  @Test(
    "A digest changes with the scenario's text, a setting, the seed and the version, and with nothing else")
  func digest() throws {
    let text = TestScenario.text()
    let one = try TestScenario.plan(text).job(at: 0).digest
    #expect(try TestScenario.plan(text, seeds: "1..9").job(at: 0).digest == one)
    #expect(try TestScenario.plan(text + " ").job(at: 0).digest != one)
    #expect(try TestScenario.plan(text, version: "2").job(at: 0).digest != one)
    #expect(try TestScenario.plan(text).job(at: 1).digest != one)
    #expect(try TestScenario.plan(text, settings: [Self.values("loss=0")]).job(at: 0).digest != one)
    #expect(one.count == 64)
  }

  @Test("A job with programs has its own digest, and its command starts them")
  func programs() throws {
    let (text, seeds) = (Data(TestScenario.text().utf8), try SeedRanges(parsing: "3"))
    func plan(_ programs: [ProgramEntry]) throws -> CampaignPlan {
      try CampaignPlan(
        scenario: text, file: "x.json", settings: [], seeds: seeds, version: "1", programs: programs)
    }
    let app = ProgramEntry(device: "ben", command: "./app --fast")
    let job = try plan([app]).job(at: 0)
    #expect(try job.digest != plan([]).job(at: 0).digest)
    #expect(job.command == "nearby campaign run x.json --seeds 3 --run 'ben=./app --fast'")
    let result = JobResult(job, scores: [], milliseconds: 1)
    #expect(try JobResult(parsing: result.line.utf8) == result)
    #expect(result.command == job.command)
    #expect(throws: CampaignPlan.Failure.noDevice("zoe", names: ["anna", "ben"])) {
      try plan([ProgramEntry(device: "zoe", command: "true")])
    }
    #expect(throws: CampaignPlan.Failure.repeatedDevice("ben")) { try plan([app, app]) }
  }

  @Test("The parts of a campaign have each job once")
  func shards() throws {
    let plan = try TestScenario.plan(
      TestScenario.text(), settings: [Self.values("loss=0,0.1")], seeds: "1..50")
    let parts = try (0..<3).map { plan.indices(in: try #require(CampaignShard(index: $0, of: 3))) }
    #expect(parts.joined().sorted() == Array(0..<100))
    #expect(parts.allSatisfy { $0.count > 15 })
  }

  @Test("Refuses settings that repeat, do not exist or are too many, and scenarios without pairs")
  func refuses() throws {
    let text = TestScenario.text()
    func failure(_ settings: [String], _ text: String = text, seeds: String = "1") throws -> String {
      do throws(CampaignPlan.Failure) {
        _ = try CampaignPlan(
          scenario: Data(text.utf8), file: "x.json",
          settings: settings.map { ScenarioSetting.list(parsing: $0) ?? [] },
          seeds: (try? SeedRanges(parsing: seeds)) ?? SeedRanges.one, version: "1")
        return ""
      } catch {
        return error.description
      }
    }
    #expect(try failure(["loss=0", "loss=1"]).hasPrefix("loss: set twice"))
    #expect(try failure(["lost=0"]).contains("unknown key \"lost\""))
    #expect(try failure([], "{").contains("x.json:1:2"))
    #expect(try failure([], "{ devices: [] }").contains("no pair of devices"))
    let many = "loss=" + (0..<101).map { "0.\($0)" }.joined(separator: ",")
    #expect(try failure([many, many.replacing("loss", with: "devices.ben.loss")]).contains("combinations"))
    #expect(try failure(["loss=0,0.1"], seeds: "1..9000000").contains("more than"))
  }

  @Test("A recipe survives its way through a queue, and a damaged one is refused")
  func recipe() throws {
    let recipe = CampaignRecipe(
      data: Data(TestScenario.text().utf8), file: "a b.json", settings: [try Self.values("loss=0,0.1")],
      seeds: try SeedRanges(parsing: "1..3,9"), version: "1")
    let header = Array(recipe.header.utf8)
    #expect(CampaignRecipe(header: header, data: recipe.data) == recipe)
    for length in header.indices {
      #expect(CampaignRecipe(header: Array(header[..<length]), data: Data()) == nil)
    }
    let ticket = CampaignTicket(campaign: recipe.id, run: "1f", jobs: [1, 2, 7])
    let octets = Array(ticket.text.utf8)
    #expect(CampaignTicket(parsing: octets) == ticket)
    for length in octets.indices { #expect(CampaignTicket(parsing: Array(octets[..<length])) == nil) }
    for jobs in [
      "[]", "[-1]", "[10000000]", "[1.5]", "\"1\"", "[\((0...512).map { "\($0)" }.joined(separator: ","))]",
    ] {
      #expect(
        CampaignTicket(parsing: Array("{\"campaign\":\"\(recipe.id)\",\"run\":\"1\",\"jobs\":\(jobs)}".utf8))
          == nil,
        "\(jobs)")
    }
    let all = CampaignTicket.tickets(for: Array(0..<1000), of: recipe.id, run: "1", each: .milliseconds(2))
    #expect(all.flatMap(\.jobs) == Array(0..<1000))
    let few: (Int, Duration?) -> Int = { count, time in
      CampaignTicket.tickets(for: Array(0..<count), of: recipe.id, run: "1", each: time).count
    }
    // Long jobs and unknown ones are alone; short ones together, in ever smaller tickets towards the end.
    #expect(few(1000, .seconds(1)) == 1000 && few(1000, nil) == 1000)
    #expect((32...64).contains(few(1000, .zero)) && (333...360).contains(few(100_000, .milliseconds(1))))
    #expect((1953...1980).contains(few(1_000_000, .milliseconds(-5))))
    let sizes = CampaignTicket.tickets(
      for: Array(0..<10_000), of: recipe.id, run: "1", each: .milliseconds(1)
    ).map(\.jobs.count)
    #expect(sizes.first == 300 && sizes.allSatisfy { $0 <= 300 } && sizes.dropLast().allSatisfy { $0 >= 75 })
    #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(CampaignTicket.tickets(for: [4], of: recipe.id, run: "1", each: nil).count == 1)
    #expect(CampaignTicket.tickets(for: [], of: recipe.id, run: "1", each: nil).isEmpty)
  }
}

extension SeedRanges {
  fileprivate static var one: SeedRanges {
    guard let one = try? SeedRanges([1...1]) else { preconditionFailure("one seed is a range") }
    return one
  }
}
