import NearbyScenarios
import NearbySite
import Testing

/// A building of two rooms with four receivers.
let exampleSite = """
  {
    site: "museum",
    origin: { latitude: 48.137, longitude: 11.575, azimuth: 0 },
    broker: { url: "mqtts://broker.example:8884", user: "site", passwordFile: "secret.txt" },
    rooms: [
      { id: "hall", name: "Great hall", outline: [[0, 0], [10, 0], [10, 8], [0, 8]] },
      { id: "shop", outline: [[10, 0], [16, 0], [16, 8], [10, 8]] },
    ],
    receivers: [
      { id: "a1", at: [0, 0, 2.5] },
      { id: "a2", at: [10, 0, 0.5] },
      { id: "a3", at: [10, 8, 2.5] },
      { id: "a4", at: [0, 8, 0.5], offset: 3 },
      { id: "a5", at: [16, 4, 2.5] },
    ],
    fences: [{ id: "case", name: "Show case", at: [5, 4], radius: 2, dwell: 5 }],
    tags: [{ id: "tag7", name: "Tag 7", aliases: ["iBeacon:1-2-3"] }, { id: "tag8" }],
    publish: { espresense: true, ownTracks: "museum" },
    page: { port: 0 },
  }
  """

@Suite("Configuration of a site")
struct SitePlanTests {
  @Test("A full example is read")
  func example() throws {
    let plan = try SitePlan(parsing: exampleSite, file: "site.json")
    #expect(plan.name == "museum")
    #expect(plan.broker.host == "broker.example" && plan.broker.port == 8884 && plan.broker.usesTLS)
    #expect(plan.receivers[0].room == 0)
    #expect(plan.receivers[3].offset == 3)
    #expect(plan.rooms[1].name == "shop")
    #expect(plan.fences[0].dwell == 5)
    #expect(plan.tags[0].aliases == ["iBeacon:1-2-3"])
    #expect(plan.publishers.espresenseOutput == "espresense")
    #expect(plan.publishers.homeAssistant == "homeassistant")
    #expect(plan.publishers.ownTracks == "museum")
  }

  @Test(
    "Errors name the line, what was found and what was expected",
    arguments: [
      ("{site: 'a', recievers: []}", "unknown key \"recievers\"; did you mean \"receivers\"?"),
      ("{site: 'A B', receivers: []}", "expected 1 to 40 of a-z, 0-9, - and _"),
      (
        "{site: 'a', receivers: [{id: 'x', at: [0, 1]}]}",
        "receivers[0].at: found a list of 2, expected [x, y, z]"
      ),
      ("{site: 'a', receivers: [{id: 'x/y', at: [0, 1, 2]}]}", "without '/'"),
      (
        "{site: 'a', receivers: [{id: 'x', at: [0, 1, 2]}, {id: 'x', at: [0, 1, 3]}]}",
        "the name \"x\" is taken since line 1"
      ),
      (
        "{site: 'a', rooms: [{id: 'r', outline: [[0,0],[1,1]]}], receivers: []}",
        "rooms[0].outline: found a list of 2, expected at least 3 corners"
      ),
      ("{site: 'a', broker: {url: 'http://x'}}", "broker.url: found \"http://x\", expected mqtt://HOST"),
      ("{site: 'a', broker: {url: 'mqtt://x:99999'}}", "expected mqtt://HOST"),
      ("{site: 'a', broker: {password: 'x'}}", "did you mean \"passwordFile\"?"),
      ("{site: 'a', publish: {ownTracks: 'x'}}", "expected an origin"),
      ("{site: 'a', heights: [3, 1]}", "expected [lowest, highest]"),
      ("{site: 'a'}", "the key \"receivers\" is missing"),
      ("{site: 'a', tags: [{id: 't', aliases: ['t']}]}", "the name \"t\" is taken"),
      ("[]", "found a list of 0, expected an object"),
      ("{", "the end of the file"),
    ])
  func errors(text: String, part: String) {
    do throws(ScenarioError) {
      _ = try SitePlan(parsing: text, file: "site.json")
      Issue.record("no error for \(text)")
    } catch {
      #expect(error.description.contains(part), "\(error)")
      #expect(error.description.hasPrefix("site.json:1:"))
    }
  }

  @Test("A text that is too large is not parsed")
  func size() {
    let text = "{" + String(repeating: " ", count: SitePlan.Limits.octets) + "}"
    #expect(throws: ScenarioError.self) { try SitePlan(parsing: text, file: "x") }
  }

  @Test("Depth inside an outline is positive, and an uncertain place is inside with half the probability")
  func outline() throws {
    let square = try #require(SiteOutline(corners: [[0, 0], [4, 0], [4, 4], [0, 4]]))
    #expect(square.area == 16)
    #expect(square.contains([1, 1]) && !square.contains([5, 1]))
    #expect(square.depth(of: [1, 2]).metres == 1)
    #expect(square.depth(of: [6, 2]).metres == -2)
    func position(_ x: Double, _ sigma: Double) -> SitePosition {
      SitePosition(
        position: [x, 2, 1], velocity: nil, covariance: (sigma * sigma, sigma * sigma, 1, 0, 0, 0), floor: 0,
        source: .ultraWideband, time: 0)
    }
    #expect(abs(square.probability(of: position(4, 1)) - 0.5) < 1e-6)
    #expect(abs(square.probability(of: position(3, 1)) - 0.8413) < 1e-3)
    #expect(square.probability(of: position(40, 1)) == 0)
  }

  @Test("A site's origin places its frame on the globe")
  func globe() {
    let origin = SitePlan.Origin(latitude: 48, longitude: 11, azimuth: 90)
    // The y axis points east: one arc second of longitude at 48 degrees is 20.7 m.
    let east = origin.globe([0, 20.7, 0])
    #expect(abs(east.latitude - 48) < 1e-9)
    #expect(abs((east.longitude - 11) * 3600 - 1) < 0.003)
    let north = SitePlan.Origin(latitude: 48, longitude: 11).globe([0, 111_200, 0])
    #expect(abs(north.latitude - 49) < 0.001)
  }
}
