import Foundation
import NearbyExchange
import NearbyScenarios
import NearbySchedule
import Testing

@testable import NearbyScenarios
@testable import NearbySimulator

@Suite("Scenario files")
struct ScenarioParsingTests {
  static func parse(_ text: String) throws(ScenarioError) -> Scenario {
    try Scenario(parsing: Data(text.utf8), file: "x.json")
  }

  static let examples: URL = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/Scenarios")

  @Test(
    "Every example parses, and its pairs can range with each other",
    arguments: [
      ("two-phones-meet", 2, 1), ("wall-between", 2, 1), ("office", 6, 4),
    ] as [(String, Int, Int)])
  func example(name: String, devices: Int, pairs: Int) throws {
    let url = Self.examples.appending(path: "\(name).json")
    let scenario = try Scenario(parsing: try Data(contentsOf: url), file: url.lastPathComponent)
    #expect(scenario.devices.count == devices)
    #expect(scenario.pairs.count == pairs)
    var world = SimulatedWorld(scenario)
    for pair in scenario.pairs {
      let heard = (0..<150).contains { round in
        world.exchange(
          ExchangePlan(
            initiator: RadioID(index: pair.first), responder: RadioID(index: pair.second),
            start: .milliseconds(200 * round))
        ).distance != nil
      }
      #expect(heard, "\(scenario.devices[pair.first].name)")
    }
  }

  @Test("The example in Docs/scenario.md parses")
  func documented() throws {
    let page = try String(
      contentsOf: Self.examples.appending(path: "../../Docs/scenario.md"), encoding: .utf8)
    let block = try #require(page.firstRange(of: "```json5\n")).upperBound
    let end = try #require(page[block...].firstRange(of: "```")).lowerBound
    let scenario = try Self.parse(String(page[block..<end]))
    #expect(scenario.devices.map(\.name) == ["anna", "ben"])
    #expect(scenario.events.map(\.action) == [.suspend])
    for material in Material.table { #expect(page.contains("`\(material.name)`")) }
  }

  @Test("The shortest file is a valid scenario with default values")
  func defaults() throws {
    let scenario = try Self.parse("{devices: [{name: 'a', motion: {stand: [1, 2]}}]}")
    #expect(scenario.seed == 1)
    #expect(scenario.duration == .seconds(60))
    #expect(scenario.devices[0].motion == .standing(SIMD3(1, 2, 1.2)))
    #expect(scenario.devices[0].radio == .phone)
    #expect(scenario.pairs.isEmpty)
    #expect(scenario.events.isEmpty)
  }

  @Test("Events are sorted by time and change the world")
  func events() throws {
    let scenario = try Self.parse(
      """
      { devices: [{ name: "a", motion: { stand: [0, 0] } }, { name: "b", motion: { stand: [0, 5] } }],
        events: [
          { at: 8, do: "switchOff", device: "b" },
          { at: 2, do: "place", device: "b", to: [0, 9] },
          { at: 4, do: "build", wall: { from: [-1, 3], to: [1, 3], material: "metal" } },
          { at: 6, do: "lose", share: 0.5 } ] }
      """)
    #expect(scenario.events.map(\.time) == [.seconds(2), .seconds(4), .seconds(6), .seconds(8)])
    var world = SimulatedWorld(scenario)
    #expect(world.truth(from: 0, to: 1, at: .zero).range == 5)
    world.perform(scenario.events[0])
    #expect(world.truth(from: 0, to: 1, at: .zero).range == 9)
    #expect(world.truth(from: 0, to: 1, at: .zero).isLineOfSight)
    world.perform(scenario.events[1])
    #expect(!world.truth(from: 0, to: 1, at: .zero).isLineOfSight)
    world.perform(scenario.events[2])
    #expect(world.extraLoss == 0.5)
    world.perform(scenario.events[3])
    #expect(world.exchange(ExchangePlan(initiator: 0, responder: 1, start: .zero)) == .nothing)
  }

  @Test("A file can define its own materials and radios")
  func ownTables() throws {
    let scenario = try Self.parse(
      """
      { materials: { ice: { attenuation: 4 } }, radios: { big: { like: "module", power: 0 } },
        walls: [{ from: [0, 0], to: [1, 0], material: "ice" }],
        devices: [{ name: "a", radio: "big", motion: { stand: [0, 0] } }] }
      """)
    #expect(scenario.walls[0].material.attenuation == 4)
    #expect(scenario.devices[0].radio.transmitPower == 0)
    #expect(scenario.devices[0].radio.sensitivity == RadioCharacteristics.module.sensitivity)
  }

  static func device(_ rest: String) -> String {
    "{\n  devices: [\n    { name: \"a\", motion: { stand: [0, 0] } },\n    \(rest)\n  ],\n}"
  }

  static let wrong: [(text: String, error: String)] = [
    ("", "x.json:1:1: found the end of the file, expected a value"),
    ("{ seed: }", "x.json:1:9: found '}', expected a value"),
    ("{ seed: 1 duration: 2 }", "x.json:1:11: found 'd', expected ',' or '}'"),
    ("{\n  seed: 1,\n  seed: 2 }", "x.json:3:3: found \"seed\" again, expected each key once"),
    ("{ seed: 1", "x.json:1:10: found the end of the file, expected ',' or '}'"),
    (
      "{ place: \"indoors }",
      "x.json:1:20: found the end of the file, expected the end of the text that begins in column 10"
    ),
    ("{ seed: 1x }", "x.json:1:9: found 1x, expected a number"),
    ("{ place: indoors }", "x.json:1:10: found indoors, expected a value (text needs quotation marks)"),
    ("{} {}", "x.json:1:4: found '{', expected the end of the file"),
    ("{ /* no end", "x.json:1:12: found the end of the file, expected the end of a comment, */"),
    ("[1]", "x.json:1:1: found a list of 1, expected an object"),
    ("{ sede: 4 }", "x.json:1:3: unknown key \"sede\"; did you mean \"seed\"?"),
    ("{ colour: 4 }", "x.json:1:3: unknown key \"colour\""),
    ("{ seed: -1 }", "x.json:1:9: seed: found -1, expected a number from 0 to 9007199254740992"),
    ("{ seed: 1.5 }", "x.json:1:9: seed: found 1.5, expected a whole number"),
    (
      "{ duration: \"long\" }",
      "x.json:1:13: duration: found \"long\", expected a number from 0 to 86400 (seconds)"
    ),
    (
      "{ place: \"outdoor\" }",
      "x.json:1:10: place: found \"outdoor\", expected one of indoors, outdoors; did you mean \"outdoors\"?"
    ),
    ("{ devices: {} }", "x.json:1:12: devices: found an object, expected a list"),
    (device("{ motion: { stand: [0, 0] } }"), "x.json:4:5: devices[1]: the key \"name\" is missing"),
    (device("{ name: 3 }"), "x.json:4:13: devices[1].name: found 3, expected text in quotation marks"),
    (device("{ name: \"a\" }"), "x.json:4:13: devices[1].name: the name \"a\" is taken since line 3"),
    (device("{ name: \"b\" }"), "x.json:4:5: devices[1]: the key \"motion\" is missing"),
    (
      device("{ name: \"b\", moton: {} }"),
      "x.json:4:18: devices[1]: unknown key \"moton\"; did you mean \"motion\"?"
    ),
    (
      device("{ name: \"b\", kind: \"fone\", motion: { stand: [0, 0] } }"),
      "x.json:4:24: devices[1].kind: found \"fone\", expected one of accessory, phone, watch; did you mean \"phone\"?"
    ),
    (
      device("{ name: \"b\", motion: { stand: [0] } }"),
      "x.json:4:35: devices[1].motion.stand: found a list of 1, expected a point, [x, y] or [x, y, z]"
    ),
    (
      device("{ name: \"b\", motion: { stand: [0, true] } }"),
      "x.json:4:39: devices[1].motion.stand[1]: found true, expected a number from -100000 to 100000 (metres)"
    ),
    (
      device("{ name: \"b\", motion: { walk: [[0, 0]], speed: 0 } }"),
      "x.json:4:51: devices[1].motion.speed: found 0, expected a number from 0.01 to 50 (metres a second)"
    ),
    (
      device("{ name: \"b\", motion: { walk: [] } }"),
      "x.json:4:34: devices[1].motion.walk: found a list of 0, expected a point or more"
    ),
    (
      device("{ name: \"b\", motion: { track: [[0, 0, 0, 1], [0, 1, 1, 1]] } }"),
      "x.json:4:51: devices[1].motion.track[1][0]: found 0, expected a time after 0"
    ),
    (
      device("{ name: \"b\", motion: { stand: [0, 0] }, facing: { device: \"aa\" } }"),
      "x.json:4:63: devices[1].facing.device: found \"aa\", expected a device's name; did you mean \"a\"?"
    ),
    (
      device("{ name: \"b\", motion: { stand: [0, 0] }, loss: 2 }"),
      "x.json:4:51: devices[1].loss: found 2, expected a number from 0 to 1"
    ),
    (
      device("{ name: \"b\", motion: { stand: [0, 0] }, carried: 1 }"),
      "x.json:4:54: devices[1].carried: found 1, expected true or false"
    ),
    (
      "{ walls: [{ from: [0, 0], to: [1, 1], material: \"bric\" }] }",
      "x.json:1:49: walls[0].material: found \"bric\", expected one of body, brick, cardboard, concrete, drywall, glass, metal, plastic, wood; did you mean \"brick\"?"
    ),
    (
      "{ walls: [{ from: [0, 0], to: [1, 1], bottom: 3, top: 2, material: \"wood\" }] }",
      "x.json:1:11: walls[0].top: found 2, expected more than the bottom, 3"
    ),
    (
      "{ floors: [{ from: [0, 0], to: [1, 1], material: \"wood\" }] }",
      "x.json:1:12: floors[0]: the key \"height\" is missing"
    ),
    ("{ pairs: [[\"a\"]] }", "x.json:1:11: pairs[0]: found a list of 1, expected two devices' names"),
    (
      "{ events: [{ at: 99, do: \"build\" }] }",
      "x.json:1:18: events[0].at: found 99, expected a number from 0 to 60 (seconds)"
    ),
    (
      "{ events: [{ at: 1, do: \"suspend\" }] }",
      "x.json:1:12: events[0]: the key \"device\" is missing"
    ),
    (
      "{ events: [{ at: 1, do: \"suspnd\" }] }",
      "x.json:1:25: events[0].do: found \"suspnd\", expected one of allow, build, deny, lose, place, resume, suspend, switchOff, switchOn, turn, walk; did you mean \"suspend\"?"
    ),
    (
      "{ materials: { ice: { atenuation: 3 } } }",
      "x.json:1:23: materials.ice: unknown key \"atenuation\"; did you mean \"attenuation\"?"
    ),
    (
      "{ anchors: [{ name: \"A\", network: 1, at: [0, 0], begins: 0, slots: 3 }, "
        + "{ name: \"B\", network: 1, at: [9, 0], answers: [0] }, { name: \"C\", network: 1, at: [0, 9], answers: [0] }] }",
      "x.json:1:13: anchors[0]: found 3 slots for 2 anchors that answer, expected a slot for each of them and two more, so slots: 4"
    ),
    (
      "{ radios: { r: { like: \"fone\" } } }",
      "x.json:1:24: radios.r.like: found \"fone\", expected one of anchor, module, phone, watch; did you mean \"phone\"?"
    ),
  ]

  @Test(
    "The error for an invalid file has the line, the key, the value found and what was expected",
    arguments: wrong)
  func wrongFile(text: String, error: String) {
    do throws(ScenarioError) {
      _ = try Self.parse(text)
      Issue.record("parsed: \(text)")
    } catch let thrown {
      #expect(thrown.description == error)
    }
  }

  @Test("Control characters from the file are escaped in error messages")
  func controlCharacters() {
    do throws(ScenarioError) {
      _ = try Self.parse("{ \"a\\n\\u001b[2J\": 1 }")
      Issue.record("parsed")
    } catch let thrown {
      #expect(!thrown.description.contains { $0.isNewline || $0 == "\u{1B}" })
      #expect(thrown.description.contains("a\\u{A}\\u{1B}[2J"))
    }
  }

  @Test("Octets that are not UTF-8 are refused")
  func notText() {
    #expect(throws: ScenarioError.self) {
      try Scenario(parsing: Data([0x7B, 0xFF, 0xFE]), file: "x.json")
    }
  }

  @Test("Truncated, changed and deeply nested files do not trap")
  func mutations() throws {
    let url = Self.examples.appending(path: "office.json")
    let octets = [UInt8](try Data(contentsOf: url))
    var noise = NoiseStream(seed: 11)
    for length in stride(from: 0, to: octets.count, by: 7) {
      _ = try? Scenario(parsing: Data(octets.prefix(length)), file: "x")
    }
    for _ in 0..<300 {
      var changed = octets
      changed[Int.random(in: changed.indices, using: &noise)] = UInt8.random(in: 0...255, using: &noise)
      _ = try? Scenario(parsing: Data(changed), file: "x")
    }
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: ScenarioError.self) { try Self.parse(deep) }
  }

  @Test(
    "JSON5's extensions are parsed",
    arguments: [
      ("0x1F", .number(31)), ("+.5", .number(0.5)), ("-2e3", .number(-2000)), ("5.", .number(5)),
      ("'it''", nil), ("'a\\u00e9\\x41\\n'", .string("aéA\n")), ("\"\\ud83d\\ude00\"", .string("😀")),
      ("'a\\\nb'", .string("ab")),
      ("[1,]", .array([.init(value: .number(1), place: .init(line: 1, column: 2))])),
      ("\u{FEFF} // c\n true /* x */", .bool(true)), ("null", .null), ("--1", nil), ("NaN", nil),
      ("\"\\ud83d\"", nil),
    ] as [(String, LocatedJSON.Value?)])
  func forms(text: String, value: LocatedJSON.Value?) {
    let parsed = try? LocatedJSON(parsing: text)
    #expect(parsed?.value == value)
  }
}
