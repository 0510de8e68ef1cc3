import NearbyUCI
import Testing

@Suite("Anchor locations") struct AnchorLocationTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let octets: String
    let location: UCIAnchorLocation
    var testDescription: String { octets }
  }

  // The first five are in the test of AOSP's UwbAnchorLocation; the last has a negative y, whose high bits AOSP's reader
  // drops.
  static let forms: [Form] = [
    Form(
      octets: "b1b4d2322ee175861f4fc0c0",
      location: .wgs84(latitudeQ9_24: 852_669_617, longitudeQ9_24: 216_777_309, altitudeQ9_21: 212_861)),
    Form(
      octets: "22b5d2325d6275863c9040c0",
      location: .wgs84(latitudeQ9_24: 852_669_730, longitudeQ9_24: 216_777_914, altitudeQ9_21: 213_490)),
    Form(
      octets: "6ce4fff4600000b6feff",
      location: .relative(xMillimetres: -7060, yMillimetres: 70, zMillimetres: -330)),
    Form(
      octets: "c2fcfff921300066feff",
      location: .relative(xMillimetres: -830, yMillimetres: 5010, zMillimetres: -410)),
    Form(
      octets: "00000008813000000000",
      location: .relative(xMillimetres: 0, yMillimetres: 5000, zMillimetres: 0)),
    Form(
      octets: "18fcfff3cf6fffdc0500",
      location: .relative(xMillimetres: -1000, yMillimetres: -2500, zMillimetres: 1500)),
  ]

  @Test("Locations are written and read as in AOSP's examples", arguments: forms)
  func goldens(_ form: Form) throws {
    let type: UInt8 = form.octets.count == 24 ? 0 : 1
    let value = [type, 1 | type << 1] + hex(form.octets)
    let parsed = try UCIAnchorLocationV2(octets: value)
    #expect(parsed.location == form.location)
    #expect(UCIAnchorLocationV2(form.location).octets == value)
  }

  static let floors: [(String, UCIFloorElement, Double?, Double?, Double?)] = [
    // Floor 2, fixed, 1.5 m above it, ± 0.25 m.
    (
      "2000 001800 0d",
      UCIFloorElement(floorQ10_4: 32, movement: .fixed, heightQ12_12: 6144, uncertainty: 13), 2, 1.5, 0.25
    ),
    // Floor −1, expected to move, 0.5 m below it, uncertainty unknown.
    (
      "f07f 00f8ff 00",
      UCIFloorElement(floorQ10_4: -16, movement: .expectedToMove, heightQ12_12: -2048, uncertainty: 0), -1,
      -0.5, nil
    ),
    // All unknown.
    ("00a0 000080 00", UCIFloorElement(), nil, nil, nil),
    // Above the highest floor that can be told.
    (
      "ff1f 000000 19", UCIFloorElement(floorQ10_4: 8191, movement: .fixed, heightQ12_12: 0, uncertainty: 25),
      nil, 0, nil
    ),
  ]

  @Test("Floors, heights and their uncertainty are written and read", arguments: floors)
  func floor(octets: String, element: UCIFloorElement, floor: Double?, height: Double?, uncertainty: Double?)
    throws
  {
    let place = UCIAnchorLocation.relative(xMillimetres: 0, yMillimetres: 5000, zMillimetres: 0)
    let value = hex("03 07 00000008813000000000" + octets)
    let parsed = try UCIAnchorLocationV2(octets: value)
    #expect(parsed == UCIAnchorLocationV2(place, floor: element))
    #expect(parsed.octets == value)
    #expect(parsed.floor?.floor == floor)
    #expect(parsed.floor?.height == height)
    #expect(parsed.floor?.heightUncertainty == uncertainty)
  }

  @Test("Each type of location in version 2 is written as it was read")
  func types() throws {
    let place = UCIAnchorLocation.relative(xMillimetres: 1, yMillimetres: -1, zMillimetres: 2)
    let world = UCIAnchorLocation.wgs84(latitudeQ9_24: 1, longitudeQ9_24: -1, altitudeQ9_21: 3)
    let floor = UCIFloorElement(floorQ10_4: 16)
    let forms: [(UInt8, UCIAnchorLocationV2)] = [
      (0, UCIAnchorLocationV2(world)), (1, UCIAnchorLocationV2(place)),
      (2, UCIAnchorLocationV2(world, floor: floor)),
      (3, UCIAnchorLocationV2(place, floor: floor)), (4, UCIAnchorLocationV2(place, isAlongGravity: true)),
      (5, UCIAnchorLocationV2(place, isAlongGravity: true, floor: floor)),
    ]
    for (type, form) in forms {
      #expect(form.octets.first == type)
      #expect(try UCIAnchorLocationV2(octets: form.octets) == form)
    }
    let absent = try UCIAnchorLocationV2(octets: [4, 8])
    #expect(absent.location == nil)
    #expect(absent.octets == [4, 8])
  }

  @Test("A location that is cut, too long or of a reserved type is refused")
  func malformed() {
    let value = hex("03 07 00000008813000000000 2000 001800 0d")
    for count in value.indices {
      #expect(throws: UCIError.self) { try UCIAnchorLocationV2(octets: Array(value.prefix(count))) }
    }
    #expect(throws: UCIError.leftover(.location, count: 1)) { try UCIAnchorLocationV2(octets: value + [0]) }
    #expect(throws: UCIError.unsupported(.location, value: 6)) { try UCIAnchorLocationV2(octets: [6, 1]) }
  }
}
