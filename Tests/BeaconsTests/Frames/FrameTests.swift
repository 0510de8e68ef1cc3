import NearbyBeacons
import NearbyBluetooth
import TestSupport
import Testing

/// Octets of hexadecimal text.
func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// All frames of a payload, and the error that ended parsing.
func frames(_ payload: [UInt8]) -> (found: [BeaconFrame], error: BeaconFrameError?) {
  var found: [BeaconFrame] = []
  do throws(BeaconFrameError) {
    try BeaconFrame.forEach(in: payload.span) { found.append($0) }
    return (found, nil)
  } catch {
    return (found, error)
  }
}

/// The first frame of a payload.
func first(_ payload: [UInt8]) throws(BeaconFrameError) -> BeaconFrame? {
  try BeaconFrame.first(in: payload.span)
}

func octets(_ frame: BeaconFrame) -> [UInt8] {
  var octets: [UInt8] = []
  frame.write(to: &octets)
  return octets
}

let someUUID = BluetoothUUID(high: 0xE2C5_6DB5_DFFB_48D2, low: 0xB060_D0F5_A710_96E0)
let someBeacon = BeaconIdentity(uuid: someUUID, major: 0x0102, minor: 0xFFFE)

struct Golden: Sendable, CustomTestStringConvertible {
  let name: String
  let hex: String
  let frame: BeaconFrame
  var testDescription: String { name }
}

let goldens: [Golden] = [
  Golden(
    name: "iBeacon", hex: "1AFF4C000215 E2C56DB5DFFB48D2B060D0F5A71096E0 0102 FFFE C5",
    frame: .iBeacon(IBeacon(identity: someBeacon, measuredPower: -59))),
  Golden(
    name: "AltBeacon", hex: "1BFF1801BEAC E2C56DB5DFFB48D2B060D0F5A71096E0 0102 FFFE B7 2A",
    frame: .altBeacon(
      AltBeacon(company: 0x0118, identity: someBeacon, measuredPower: -73, makersOctet: 42))),
  Golden(
    name: "Eddystone-UID", hex: "0303AAFE 1716AAFE 00 EE 00112233445566778899 AABBCCDDEEFF 0000",
    frame: .eddystoneUID(
      Eddystone.UID(
        power: -18, namespaceHigh: 0x0011_2233_4455_6677, namespaceLow: 0x8899,
        instance: 0xAABB_CCDD_EEFF))),
  Golden(
    name: "Eddystone-TLM", hex: "0303AAFE 1116AAFE 20 00 0BB8 1A80 00000102 00A0B0C0",
    frame: .eddystoneTLM(
      .plain(
        Eddystone.PlainTelemetry(
          batteryMillivolts: 3000, temperature256ths: 0x1A80, advertisements: 258,
          uptimeTenths: 0x00A0_B0C0)))),
  Golden(
    name: "encrypted Eddystone-TLM",
    hex: "0303AAFE 1516AAFE 20 01 0102030405060708 090A0B0C 1122 3344",
    frame: .eddystoneTLM(
      .encrypted(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C, salt: 0x1122, check: 0x3344))),
  Golden(
    name: "Eddystone-EID", hex: "0303AAFE 0D16AAFE 30 F6 0102030405060708",
    frame: .eddystoneEID(Eddystone.EphemeralID(power: -10, identifier: 0x0102_0304_0506_0708))),
]

@Suite("Beacon frames")
struct FrameTests {
  @Test("Reads and writes each format as specified", arguments: goldens)
  func golden(_ golden: Golden) {
    #expect(frames(hex(golden.hex)).found == [golden.frame])
    #expect(frames(hex(golden.hex)).error == nil)
    #expect(octets(golden.frame) == hex(golden.hex))
  }

  @Test("Finds a frame before, between and behind other structures", arguments: goldens)
  func anywhere(_ golden: Golden) throws {
    let (flags, name) = (hex("020106"), hex("0609") + Array("hello".utf8))
    for payload in [
      flags + hex(golden.hex), hex(golden.hex) + flags, name + hex(golden.hex) + flags,
      hex(golden.hex) + [0, 0, 0], hex("05FF4C001000") + hex(golden.hex),
    ] {
      #expect(frames(payload).found == [golden.frame])
      #expect(try first(payload) == golden.frame)
    }
  }

  @Test("A strict prefix has no frame, and the error says what is cut off and where", arguments: goldens)
  func prefixes(_ golden: Golden) {
    let whole = hex(golden.hex)
    for count in 0..<whole.count {
      let (found, error) = frames(Array(whole.prefix(count)))
      #expect(found.isEmpty)
      let starts = whole[0] == 3 ? [0, 4] : [0]
      if starts.contains(count) {
        #expect(error == nil)
      } else {
        let start = starts.last { $0 < count } ?? 0
        #expect(
          error == .overrun(offset: start, length: Int(whole[start]), left: count - start - 1),
          "\(golden.name) cut to \(count)")
      }
    }
  }

  @Test("With any changed octet, each frame that is found survives a round trip", arguments: goldens)
  func changedOctets(_ golden: Golden) {
    let whole = hex(golden.hex)
    for place in whole.indices {
      for value in UInt8.min...UInt8.max {
        var changed = whole
        changed[place] = value
        for frame in frames(changed).found { #expect(frames(octets(frame)).found == [frame]) }
      }
    }
  }

  @Test(
    "The error says what is wrong with a frame, and where",
    arguments: [
      (
        "19FF4C000215 E2C56DB5DFFB48D2B060D0F5A71096E0 0102 FFFE",
        BeaconFrameError.length(.iBeacon, offset: 4, found: 22, allowed: 23...23)
      ),
      (
        "1BFF4C000215 E2C56DB5DFFB48D2B060D0F5A71096E0 0102 FFFE C500",
        .length(.iBeacon, offset: 4, found: 24, allowed: 23...23)
      ),
      (
        "020106 1AFF1801BEAC E2C56DB5DFFB48D2B060D0F5A71096E0 0102 FFFE B7",
        .length(.altBeacon, offset: 7, found: 23, allowed: 24...24)
      ),
      (
        "1416AAFE 00 EE 00112233445566778899 AABBCCDDEE",
        .length(.eddystoneUID, offset: 4, found: 17, allowed: 18...20)
      ),
      (
        "1616AAFE 00 EE 00112233445566778899 AABBCCDDEEFF 00",
        .value(.eddystoneUID, .reserved, offset: 22, found: 0)
      ),
      ("0616AAFE 10 EE 04", .value(.eddystoneURL, .scheme, offset: 6, found: 4)),
      ("0716AAFE 10 EE 03 20", .value(.eddystoneURL, .text, offset: 7, found: 0x20)),
      ("0516AAFE 20 02", .value(.eddystoneTLM, .version, offset: 5, found: 2)),
      ("0516AAFE 40 02", .unknownType(offset: 4, found: 0x40)),
      ("02010605FF", .overrun(offset: 3, length: 5, left: 1)),
    ])
  func errors(_ text: String, _ error: BeaconFrameError) {
    let told = frames(hex(text))
    #expect(told.found.isEmpty)
    #expect(told.error == error)
    #expect(throws: error) { try first(hex(text)) }
  }

  @Test("Frames before a broken one are found", arguments: goldens)
  func before(_ golden: Golden) {
    let told = frames(hex(golden.hex) + hex("0516AAFE 40 02"))
    #expect(told.found == [golden.frame])
    #expect(told.error == .unknownType(offset: hex(golden.hex).count + 4, found: 0x40))
  }

  @Test(
    "Other data of Apple and of other companies is neither a beacon nor an error",
    arguments: [
      "07FF4C0010055A1C", "1EFF4C001219" + String(repeating: "00", count: 25), "03FF4C00", "02FF4C", "01FF",
      "", "00", "0416D8FE00", "0318AAFE",
    ])
  func others(_ text: String) {
    let told = frames(hex(text))
    #expect(told.found.isEmpty)
    #expect(told.error == nil, "\(text): \(told.error.map { "\($0)" } ?? "")")
  }

  @Test("An Eddystone-UID without its reserved octets is read")
  func shortUID() {
    let told = frames(hex("1516AAFE 00 EE 00112233445566778899 AABBCCDDEEFF"))
    #expect(told.found == [goldens[2].frame])
    #expect(told.found.first?.measuredPower == -59)
  }

  @Test(
    "A link is compressed, written and read back",
    arguments: [
      ("https://www.example.com/a", "\u{1}example\u{0}a"), ("http://goo.gl/xyz", "\u{2}goo.gl/xyz"),
      ("https://a.info", "\u{3}a\u{B}"), ("http://www.", "\u{0}"),
    ])
  func links(_ link: String, _ sent: String) throws {
    let url = try #require(EddystoneURL(power: -20, link: link))
    #expect(url.link == link)
    #expect(Array(url.serviceOctets.dropFirst(2)) == Array(sent.utf8))
    #expect(frames(octets(.eddystoneURL(url))).found == [.eddystoneURL(url)])
  }

  @Test(
    "A link that Eddystone can't encode is refused",
    arguments: [
      "ftp://example.com", "https://example.example.example.com/", "http://a b", "http://é", "",
    ])
  func badLinks(_ link: String) { #expect(EddystoneURL(power: 0, link: link) == nil) }

  @Test("An iBeacon's own octets are UUID, major, minor and power; truncated ones are refused")
  func own() {
    let beacon = IBeacon(identity: someBeacon, measuredPower: -59)
    var octets: [UInt8] = []
    beacon.write(to: &octets)
    #expect(octets == hex("E2C56DB5DFFB48D2B060D0F5A71096E0 0102 FFFE C5"))
    let whole = IBeacon(octets: octets.span)
    let short = Array(octets.dropLast())
    let cut = IBeacon(octets: short.span)
    #expect(whole == beacon)
    #expect(cut == nil)
  }

  @Test("Frames are found in a parsed advertisement", arguments: goldens)
  func advertisement(_ golden: Golden) {
    let advertisement = Advertisement(payload: hex(golden.hex).span, isConnectable: false)
    #expect(BeaconFrame.frames(of: advertisement) == [golden.frame])
  }

  @Test("Random octets cause no trap, and each frame that is found survives a round trip")
  func random() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &random)
      var payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let start = hex(goldens[Int.random(in: 0..<goldens.count, using: &random)].hex)
      payload = Array(start.prefix(Int.random(in: 0...start.count, using: &random))) + payload
      for frame in frames(payload).found { #expect(frames(octets(frame)).found == [frame]) }
    }
  }
}

@Suite("Constraints")
struct ConstraintTests {
  @Test(
    "A constraint without major or minor matches any value",
    arguments: [
      (nil, nil, true), (UInt16(0x0102), nil, true), (nil, UInt16(0xFFFE), true), (0x0102, 0xFFFE, true),
      (0x0103, nil, false), (0x0102, 0, false), (nil, 0, false),
    ] as [(UInt16?, UInt16?, Bool)])
  func wildcards(_ major: UInt16?, _ minor: UInt16?, _ matches: Bool) {
    #expect(
      BeaconConstraint(uuid: someUUID, major: major, minor: minor).isSatisfied(by: someBeacon) == matches)
    let other = BluetoothUUID(high: 1, low: 2)
    #expect(!BeaconConstraint(uuid: other, major: major, minor: minor).isSatisfied(by: someBeacon))
  }
}
