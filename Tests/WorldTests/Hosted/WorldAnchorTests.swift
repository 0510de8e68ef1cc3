import Foundation
import NearbyAirs
import NearbyScenarios
import NearbySimulator
import Testing

@testable import NearbyWorld

@Suite("Anchors in a shared world")
struct WorldAnchorTests {
  /// - Parameter more: Keys of the third anchor.
  static func scenario(_ more: String = "", events: String = "") throws -> Scenario {
    let text = """
      {
        seed: 3,
        devices: [{ name: "anna", motion: { stand: [4, 3] } }],
        anchors: [
          { name: "first", network: 77, at: [0, 0, 2.5], begins: 0, timeReference: true },
          { name: "second", network: 77, at: [10, 0, 3], answers: [0] },
          { name: "third", network: 77, at: [0, 8, 2.2], answers: [0]\(more) },
          { name: "fourth", network: 77, at: [10, 8, 2.8], answers: [0] },
        ],
        events: [\(events)],
      }
      """
    return try Scenario(parsing: Data(text.utf8), file: "anchors.json")
  }

  static func world(_ more: String = "", events: String = "") throws -> HostedWorld {
    HostedWorld(try scenario(more, events: events))
  }

  /// The object that the page receives.
  private static func parsed(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
  }

  /// One anchor's entry in the page's `state`.
  private static func state(_ anchor: Int, _ world: inout HostedWorld) throws -> [String: Any] {
    try #require(try parsed(world.stateText())["anchors"] as? [[String: Any]])[anchor]
  }

  private static func faults(_ anchor: Int, _ world: inout HostedWorld) throws -> [String: Double] {
    try #require(try state(anchor, &world)["faults"] as? [String: Double])
  }

  @Test("The page receives the anchors' rounds, places, hops and faults, also after the scenario's events")
  func told() throws {
    var world = try Self.world(
      ", missedPolls: 0.25, surveyed: [1, 8]",
      events: """
        { at: 5, do: "switchOff", anchor: "second" }, { at: 6, do: "lose", share: 0.5, anchor: "fourth" },
        { at: 6, do: "place", anchor: "first", to: [0, 1, 2.5] }
        """)
    let layout = try #require(try Self.parsed(world.layoutText())["anchors"] as? [[String: Any]])
    #expect(layout.map { $0["name"] as? String } == ["first", "second", "third", "fourth"])
    #expect(layout.map { $0["begins"] as? Int } == [0, nil, nil, nil])
    #expect(layout.map { $0["answers"] as? [Int] } == [[], [0], [0], [0]])
    #expect(layout.map { $0["network"] as? Int } == [77, 77, 77, 77])
    #expect(Set(layout.map { $0["address"] as? Int }).count == 4)
    world.advance(to: .seconds(3))
    #expect(try (0..<4).map { try Self.state($0, &world)["hops"] as? Int } == [0, 1, 1, 1])
    #expect(try Self.state(2, &world)["says"] as? [Double] == [1, 8, 2.2])
    #expect(try Self.faults(2, &world) == ["missedPolls": 0.25, "wrongSurvey": 1])
    #expect(try Self.state(0, &world)["says"] == nil)
    #expect(try Self.faults(0, &world) == [:])
    world.advance(to: .seconds(7))
    #expect(try Self.state(1, &world)["on"] as? Bool == false)
    #expect(try Self.faults(3, &world) == ["lostFrames": 0.5])
    #expect(try Self.state(0, &world)["p"] as? [Double] == [0, 1, 2.5])
    #expect(try Self.state(0, &world)["says"] as? [Double] == [0, 0, 2.5])
  }

  @Test("A person moves an anchor and switches it; it says where it was surveyed")
  func ordered() throws {
    var world = try Self.world()
    #expect(world.perform(.placeAnchor(1, [11, 1, 3])) == nil)
    #expect(world.perform(.anchor(3, isOn: false)) == nil)
    #expect(try Self.state(1, &world)["p"] as? [Double] == [11, 1, 3])
    #expect(try Self.state(1, &world)["says"] as? [Double] == [10, 0, 3])
    #expect(try (0..<4).map { try Self.state($0, &world)["on"] as? Bool } == [true, true, true, false])
    #expect(world.perform(.anchor(3, isOn: true)) == nil)
    #expect(try Self.state(3, &world)["on"] as? Bool == true)
  }

  @Test(
    "Each fault reaches the anchor, is shown and saved, and is repaired", arguments: AnchorFaultKind.allCases)
  func faulty(_ fault: AnchorFaultKind) throws {
    var world = try Self.world()
    world.advance(to: .seconds(1))
    let sound = (world.air.anchors[2].setup, world.scenario().anchors)
    let value = fault.range.upperBound == 1 ? 1 : 2.5
    #expect(world.perform(.anchorFault(2, fault, value)) == nil)
    #expect(try Self.faults(2, &world) == [fault.rawValue: value])
    let isOfChip = fault != .weak && fault != .lostFrames
    #expect((world.air.anchors[2].setup != sound.0) == isOfChip)
    #expect(world.scenario().anchors[2] != sound.1[2])
    var again = try WorldSave(parsing: try WorldSave(world).data(), file: "x").world(
      settings: HostedWorld.Settings())
    #expect(again.scenario().anchors == world.scenario().anchors)
    #expect(again.air.anchors[2].setup == world.air.anchors[2].setup)
    #expect(world.perform(.anchorFault(2, fault, 0)) == nil)
    #expect(try Self.faults(2, &world) == [:])
    #expect(world.air.anchors[2].setup == sound.0)
    #expect(world.scenario().anchors == sound.1)
    again.advance(to: .seconds(2))
  }

  @Test("An added anchor answers the nearest initiator; the first of a network begins its round")
  func added() throws {
    var world = try Self.world()
    world.advance(to: .seconds(1))
    #expect(world.perform(.addAnchor(name: "fifth", network: 77, [5, 4, 3])) == nil)
    #expect(world.perform(.addAnchor(name: "other", network: 78, [5, 5, 3])) == nil)
    #expect(world.anchors[4].described.answers == [0] && world.anchors[4].described.begins == nil)
    #expect(Set(world.anchors[..<5].map(\.described.address)).count == 5)
    #expect(world.anchors[5].described.begins == 0 && world.anchors[5].described.isTimeReference)
    world.advance(to: .seconds(4))
    #expect(try Self.state(4, &world)["hops"] as? Int == 1, "it hears the initiator's polls")
    #expect(try Self.state(5, &world)["hops"] as? Int == 0)
    #expect(world.scenario().anchors.map(\.name) == ["first", "second", "third", "fourth", "fifth", "other"])
  }

  @Test("Anchors are refused when the name is in use or no round has a free slot, and nothing changes")
  func refusals() throws {
    var world = try Self.world()
    let before = world.scenario()
    for (order, reason) in [
      (
        WorldOrder.addAnchor(name: "first", network: 79, [0, 0, 0]),
        "name: there already is an anchor 'first'"
      ),
      (.placeAnchor(4, [0, 0, 0]), "anchor: found '4', expected an anchor's id"),
      (.anchor(-1, isOn: false), "anchor: found '-1', expected an anchor's id"),
      (.anchorFault(4, .weak, 1), "anchor: found '4', expected an anchor's id"),
    ] {
      #expect(world.perform(order)?.description == reason)
    }
    #expect(world.scenario() == before)
    // Ten slots: a poll, eight responses and a final.
    for number in 0..<5 {
      #expect(world.perform(.addAnchor(name: "more \(number)", network: 77, [5, 4, 3])) == nil)
    }
    #expect(
      world.perform(.addAnchor(name: "too many", network: 77, [5, 4, 3]))?.description
        == "addAnchor: no round of network 77 has a free slot; add one of another network")
    #expect(world.anchors.count == 9)
  }

  @Test("The expected error is small among the anchors, and unknown where too few are on")
  func expected() throws {
    var world = try Self.world()
    func layer(_ network: UInt32 = 77) throws -> (sigma: [Double?], columns: Int) {
      let parsed = try Self.parsed(world.expectedText(network: network, height: 1.2))
      #expect(parsed["type"] as? String == "expected")
      let sigma = try #require(parsed["sigma"] as? [Any]).map { $0 as? Double }
      let columns = try #require(parsed["columns"] as? Int)
      #expect(try sigma.count == columns * #require(parsed["rows"] as? Int) && sigma.count <= 600)
      return (sigma, columns)
    }
    let whole = try layer()
    let middle = try #require(whole.sigma[whole.sigma.count / 2 + whole.columns / 2])
    let known = whole.sigma.compactMap(\.self)
    #expect(known.count == whole.sigma.count)
    #expect((0.05...0.5).contains(middle) && known.allSatisfy { $0 >= middle * 0.7 })
    // With one anchor fewer it is worse everywhere, and nothing else in the world has changed.
    let before = world.stateText()
    _ = try layer()
    #expect(world.stateText() == before)
    world.perform(.anchor(3, isOn: false))
    let fewer = try layer()
    #expect(fewer.sigma[0] ?? .infinity >= whole.sigma[0] ?? 0)
    world.perform(.anchor(2, isOn: false))
    #expect(try layer().sigma.allSatisfy { $0 == nil }, "two anchors give one difference, no position")
    #expect(try layer(5).sigma.isEmpty)
  }
}
