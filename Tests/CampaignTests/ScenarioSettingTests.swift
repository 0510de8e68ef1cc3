import Foundation
import NearbyScenarios
import NearbySimulator
import Testing

@Suite("Settings and scores of a scenario")
struct ScenarioSettingTests {
  private static let text = """
    {
      duration: 10, loss: 0.1,
      devices: [
        { name: "anna", motion: { stand: [0, 0] } },
        { name: "ben", motion: { stand: [3, 0] }, loss: 0.2 },
      ],
      walls: [{ from: [1, -1], to: [1, 1], material: "brick" }],
    }
    """

  private static func template(_ text: String = text) throws -> ScenarioTemplate {
    try ScenarioTemplate(parsing: Data(text.utf8), file: "x.json")
  }

  private static func scenario(_ settings: String...) throws -> Scenario {
    let list = try settings.map { try #require(ScenarioSetting.list(parsing: $0))[0] }
    return try template().scenario(with: list)
  }

  @Test("Splits values at commas outside brackets and quotation marks")
  func splits() throws {
    func values(_ text: String) -> [String]? { ScenarioSetting.list(parsing: text)?.map(\.text) }
    #expect(values("loss=0,0.1") == ["0", "0.1"])
    #expect(values("a=[1,2],[3,4]") == ["[1,2]", "[3,4]"])
    #expect(values("a={b:1,c:2}") == ["{b:1,c:2}"])
    #expect(values("a='x,y',z") == ["'x,y'", "z"])
    for text in ["", "=1", "a", "a=", "a=1,,2", "a=,"] { #expect(values(text) == nil, "\(text)") }
  }

  @Test("Replaces and adds values, by key, name and position")
  func applies() throws {
    #expect(try Self.scenario("loss=0.5").extraLoss == 0.5)
    #expect(try Self.scenario("place=outdoors").echoLoss == 15)
    #expect(try Self.scenario("devices.ben.loss=0").devices[1].extraLoss == 0)
    #expect(try Self.scenario("devices.anna.loss=0.3").devices[0].extraLoss == 0.3)
    #expect(try Self.scenario("devices[1].loss=0.7").devices[1].extraLoss == 0.7)
    #expect(try Self.scenario("walls.0.material=glass").walls[0].material == Material.named("glass"))
    #expect(try Self.scenario("devices.ben.motion.stand=[5,6]").devices[1].motion == .standing([5, 6, 1.2]))
    #expect(try Self.scenario("walls=[]").walls.isEmpty)
  }

  @Test(
    "Says what is wrong with a setting",
    arguments: [
      ("los=0.5", "unknown key \"los\"; did you mean \"loss\"?"), ("loss=2", "expected a number from 0 to 1"),
      ("devices.carl.loss=0", "no entry 'devices.carl'; expected one of anna, ben"),
      ("devices.7.loss=0", "no entry 'devices.7'"), ("devices.-1.loss=0", "no entry 'devices.-1'"),
      ("loss.x=1", "'loss' has no entries"), ("rooms.a=1", "no entry 'rooms'"),
      ("seed=4", "use the option for seeds"),
      ("walls.0.material=gold", "found \"gold\""), (".=1", "no entry"), ("devices.=1", "no entry"),
    ])
  func refuses(setting: String, message: String) throws {
    let error = #expect(throws: ScenarioSettingError.self) { try Self.scenario(setting) }
    let text = try #require(error).description
    #expect(text.contains(message), "\(text)")
  }

  @Test("Reads scores, and writes them so that they read back")
  func scores() throws {
    let text =
      Self.text.dropLast() + """
        scores: [
          { of: "error", quantile: 0.9, atMost: 0.3 },
          { name: "Ben's", of: "heard", device: "ben", peer: "anna", from: 1, to: 5.5, atLeast: 0.9 },
          { of: "event", event: "suspended", device: "ben", atMost: 2 }, { of: "events", event: "removed" },
          { of: "bias" }, { of: "directionError" }, { of: "firstDistance" }, { of: "longestGap" },
          { of: "coverage", path: "blocked", atLeast: 0.95 }, { of: "directionCoverage", path: "sight" },
        ] }
        """
    let scenario = try Scenario(parsing: Data(text.utf8), file: "x.json")
    #expect(
      scenario.scores.map(\.name) == [
        "error p90", "Ben's", "time to suspended", "number of removed", "bias", "direction error p50",
        "first distance", "longest gap", "coverage blocked", "direction coverage in sight",
      ])
    #expect(scenario.scores[0].measure == .error(quantile: 0.9))
    #expect(
      scenario.scores[1]
        == Scenario.Score(
          name: "Ben's", measure: .heard, device: 1, peer: 0, from: .seconds(1), to: .milliseconds(5500),
          atLeast: 0.9))
    #expect(try Scenario(parsing: Data(scenario.text().utf8), file: "y.json") == scenario)
  }

  @Test(
    "Says what is wrong with a score",
    arguments: [
      ("{ of: 'eror' }", "scores[0].of: found \"eror\""), ("{}", "the key \"of\" is missing"),
      ("{ of: 'error', quantile: 2 }", "scores[0].quantile: found 2"),
      ("{ of: 'event' }", "the key \"event\" is missing"), ("{ of: 'event', event: 'x' }", "scores[0].event"),
      ("{ of: 'heard', device: 'carl' }", "scores[0].device: found \"carl\""),
      ("{ of: 'heard', from: 5, to: 4 }", "scores[0].to: found 4"),
      ("{ of: 'heard', from: 11 }", "scores[0].from"),
      ("{ of: 'heard' }, { of: 'heard' }", "the name \"heard\" is taken"),
      ("{ of: 'heard', name: '' }", "a name"),
      ("{ of: 'heard', quantile: 0.5 }", "unknown key \"quantile\""), ("3", "expected an object"),
    ])
  func badScore(score: String, message: String) {
    let text = Self.text.dropLast() + "scores: [\(score)] }"
    do throws(ScenarioError) {
      _ = try Scenario(parsing: Data(text.utf8), file: "x.json")
      Issue.record("the score was accepted")
    } catch {
      #expect(error.description.contains(message), "\(error)")
    }
  }
}
