import NearbyBeacons
import NearbyBluetooth
import NearbyReadings
import Testing

@Suite("Readings as JSON")
struct ReadingParserTests {
  private static func parse(
    _ text: String, _ kind: GatewayReading.Kind = .range
  ) throws(ReadingError) -> [GatewayReading] {
    try ReadingParser.parse(Array(text.utf8), kind)
  }

  private static let all: [GatewayReading] = [
    GatewayReading(
      time: 1_700_000_000.123456, uncertainty: 0.0015, number: 1_700_000_000_123_456, peer: "tag7",
      value: .range(metres: 4.25, sigma: 0.05, blocked: 0.125, rssi: -78.5)),
    GatewayReading(
      time: 12.5, peer: "Ünïcode \"x\"", value: .range(metres: -0.1, sigma: nil, blocked: nil, rssi: nil)),
    GatewayReading(time: 3, number: 1, peer: "a2", value: .difference(from: "a1", metres: -2.5, sigma: 0.1)),
    GatewayReading(time: 4, peer: "iBeacon:1-2-3", value: .advertisement(rssi: -70, power: -59)),
    GatewayReading(time: 4, peer: "b", value: .advertisement(rssi: -70, power: nil)),
  ]

  @Test("What is written is read back", arguments: all)
  func roundTrip(reading: GatewayReading) throws {
    #expect(try Self.parse(ReadingText.text(reading), reading.kind) == [reading])
  }

  @Test("The text of a reading has the documented keys")
  func text() {
    #expect(
      ReadingText.text(Self.all[0])
        == #"{"t":1700000000.123456,"u":0.001500,"n":1700000000123456,"peer":"tag7","d":4.2500,"s":0.0500,"#
        + #""nlos":0.125,"rssi":-78.5}"#)
    #expect(
      ReadingText.text(Self.all[2]) == #"{"t":3.000000,"n":1,"peer":"a2","from":"a1","d":-2.5000,"s":0.1000}"#
    )
    #expect(ReadingText.text(Self.all[4]) == #"{"t":4.000000,"peer":"b","rssi":-70.0}"#)
  }

  @Test("Lists, white space, unknown keys, escapes and null are read")
  func shapes() throws {
    #expect(try Self.parse("[]").isEmpty)
    let text = """
       [ {"t": 1e0 , "x":[1,{"y":[true,false,null,"\\u0041"]},{}], "peer":"\\u00e4\\ud83d\\ude00\\n", "d":2, "s":null},
       {"d":-0.5,"peer":"b","t":2.25} ]
      """
    let readings = try Self.parse(text)
    #expect(readings.map(\.peer) == ["ä😀\n", "b"])
    #expect(readings.map(\.time) == [1, 2.25])
    #expect(readings[0].value == .range(metres: 2, sigma: nil, blocked: nil, rssi: nil))
  }

  @Test(
    "Numbers are the nearest ones to their text",
    arguments: [
      "0", "-0.5", "1700000000.123456", "0.1", "123456789012345678", "1e-7", "9007199254740993", "2.5E+3",
      "0.000000000000000000000000001", "1.7976931348623157e308",
    ])
  func numbers(text: String) throws {
    let reading = try #require(try Self.parse(#"{"t":\#(text),"peer":"a","d":1}"#).first)
    #expect(reading.time == Double(text))
  }

  @Test(
    "Broken texts are rejected with what was expected",
    arguments: [
      ("", "octet 0: expected an object or a list of objects"), ("[", "octet 1: expected an object"),
      ("{\"t\":1", "expected ',' or '}'"), ("{\"t\" 1}", "expected ':'"),
      ("{t:1}", "expected text in quotation marks"),
      (#"{"t":1,"peer":"a","d":1} x"#, "expected the end"), (#"{"t":1,"peer":"a"}"#, "d: expected metres"),
      (#"{"peer":"a","d":1}"#, "t: expected the time"), (#"{"t":1,"d":1}"#, "peer: expected an id"),
      (#"{"t":1,"peer":"","d":1}"#, "peer: expected an id"),
      (#"{"t":"1","peer":"a","d":1}"#, "expected a number"),
      (#"{"t":1e999,"peer":"a","d":1}"#, "expected a number within range"),
      (#"{"t":-,"peer":"a","d":1}"#, "a number"),
      (#"{"t":1.,"peer":"a","d":1}"#, "expected a digit"),
      (#"{"t":1,"peer":"\x","d":1}"#, "expected an escape"),
      (#"{"t":1,"peer":"\ud800","d":1}"#, "expected a Unicode scalar"),
      (#"{"t":1,"peer":"a"#, "the end of the text"),
      (#"{"t":1,"z":tru,"peer":"a","d":1}"#, "expected a value"),
      (#"{"t":1,"z":"\u12"#, "four hexadecimal digits"),
      (String(repeating: #"{"z":"#, count: 40), "less nesting"),
      ("{\"t\":1,\"peer\":\"a\u{1}\",\"d\":1}", "the end of"),
    ])
  func broken(text: String, part: String) {
    do throws(ReadingError) {
      _ = try Self.parse(text)
      Issue.record("no error for \(text)")
    } catch {
      #expect("\(error)".contains(part), "\(error)")
    }
  }

  @Test("Texts that are too large, and invalid UTF-8, are rejected")
  func limits() {
    let many = "[" + (0...1000).map { _ in #"{"t":1,"peer":"a","d":1}"# }.joined(separator: ",") + "]"
    #expect(throws: ReadingError.tooMany) { try Self.parse(many) }
    let large = [UInt8](repeating: 0x20, count: ReadingParser.largest + 1)
    #expect(throws: ReadingError.tooLarge(octets: large.count)) { try ReadingParser.parse(large, .range) }
    let invalid = Array(#"{"t":1,"d":1,"peer":""#.utf8) + [0xFF, 0x22, 0x7D]
    #expect(throws: ReadingError.self) { try ReadingParser.parse(invalid, .range) }
  }

  @Test("Topics name the site, the device and the kind")
  func topics() {
    #expect(ReadingTopic.text(site: "museum", device: "a1", .range) == "nearby/museum/a1/range")
    let parsed = ReadingTopic.parse("nearby/museum/a1/advertisement", site: "museum")
    #expect(parsed?.device == "a1" && parsed?.kind == .advertisement)
    for wrong in [
      "nearby/other/a1/range", "nearby/museum//range", "nearby/museum/a1/position",
      "nearby/museum/a1/range/x", "x",
    ] {
      #expect(ReadingTopic.parse(wrong, site: "museum") == nil)
    }
    #expect(ReadingTopic.isPart("gw-1") && !ReadingTopic.isPart("a/b") && !ReadingTopic.isPart("#"))
    #expect(!ReadingTopic.isPart("") && !ReadingTopic.isPart("a\nb"))
  }

  @Test("Beacons have ESPresense's ids")
  func beacons() throws {
    let uuid = try #require(BluetoothUUID("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"))
    let frame = BeaconFrame.iBeacon(
      IBeacon(identity: BeaconIdentity(uuid: uuid, major: 3, minor: 258), measuredPower: -60))
    let found = try #require(BeaconID.text(frame))
    #expect(found.id == "iBeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0-3-258")
    #expect(found.power == -60)
  }
}
