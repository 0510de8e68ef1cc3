import NearbyOctets

/// The floor that an anchor is on: the Z element of anchor locations in version 2, 6 octets.
///
/// ```
/// bits 0–13    floor number, signed Q10.4
/// bits 14–15   expected to move: 0 no, 1 yes, 2 unknown
/// bits 16–39   height above the floor, signed Q12.12 metres
/// bits 40–47   uncertainty u of the height: ± 2^(11 − u) metres for 1 to 24, 0 if unknown
/// ```
///
/// The number is little-endian. Source: IEEE 802.11-2020, 9.4.2.21.10, the Z subelement of an LCI report.
package struct UCIFloorElement: Hashable, Sendable {
  package enum Movement: UInt8, Hashable, Sendable {
    case fixed, expectedToMove, unknown, reserved
  }

  /// 14 bits. −8192 is unknown; ±8191 are floors out of range.
  package var floorQ10_4: Int16
  package var movement: Movement
  /// 24 bits. −8388608 is unknown.
  package var heightQ12_12: Int32
  package var uncertainty: UInt8

  package static let unknownFloor: Int16 = -8192
  package static let unknownHeight: Int32 = -8_388_608

  package init(
    floorQ10_4: Int16 = Self.unknownFloor, movement: Movement = .unknown,
    heightQ12_12: Int32 = Self.unknownHeight, uncertainty: UInt8 = 0
  ) {
    self.floorQ10_4 = floorQ10_4
    self.movement = movement
    self.heightQ12_12 = heightQ12_12
    self.uncertainty = uncertainty
  }

  init(parsing input: inout UCICursor) throws(UCIError) {
    let head = try input.takeUInt16(.location)
    floorQ10_4 = Int16(bitPattern: head << 2) >> 2
    movement = Movement(rawValue: UInt8(head >> 14)) ?? .reserved
    heightQ12_12 = Int32(bitPattern: UInt32(try input.takeUInt(octets: 3, .location)) << 8) >> 8
    uncertainty = try input.takeUInt8(.location)
  }

  var octets: [UInt8] {
    let head = UInt16(bitPattern: floorQ10_4) & 0x3FFF | UInt16(movement.rawValue) << 14
    var octets = head.littleEndianOctets
    octets.append(UInt64(UInt32(bitPattern: heightQ12_12)), octets: 3)
    octets.append(uncertainty)
    return octets
  }

  /// The floor's number, 0 for the reference floor; `nil` if it is unknown or out of range.
  package var floor: Double? { abs(Int(floorQ10_4)) >= 8191 ? nil : Double(floorQ10_4) / 16 }
  /// Metres above the floor; `nil` if unknown.
  package var height: Double? { heightQ12_12 == Self.unknownHeight ? nil : Double(heightQ12_12) / 4096 }
  /// Half the height of the interval that `height` lies in, metres; `nil` if unknown.
  package var heightUncertainty: Double? {
    (1...24).contains(uncertainty)
      ? Double(sign: .plus, exponent: 11 - Int(uncertainty), significand: 1) : nil
  }
}

/// An anchor's location in version 2 of its form, DL_TDOA_ANCHOR_LOCATION_V2.
///
/// ```
/// octet 0   type: 0 WGS-84, 1 relative, 2 and 3 the same with a floor element, 4 relative with z along gravity,
///           5 that with a floor element
/// octet 1   bit 0 set if a location follows, bits 1–3 the type again, bits 4–7 reserved
/// 12 or 10  location
/// 0 or 6    floor element
/// ```
package struct UCIAnchorLocationV2: Hashable, Sendable {
  package var location: UCIAnchorLocation?
  /// Whether z of a relative location points against gravity.
  package var isAlongGravity: Bool
  /// Whether the absent location would be relative: the type octet says so even then.
  package var isRelative: Bool
  package var floor: UCIFloorElement?

  package init(_ location: UCIAnchorLocation, isAlongGravity: Bool = false, floor: UCIFloorElement? = nil) {
    self.location = location
    self.isRelative = location.isRelative
    self.isAlongGravity = isAlongGravity && location.isRelative
    self.floor = floor
  }

  /// Parses a whole value.
  ///
  /// - Throws: `unsupported` for a reserved type, `truncated`, `leftover`.
  package init(octets: [UInt8]) throws(UCIError) {
    var input = UCICursor(octets.span)
    let type = try input.takeUInt8(.location)
    guard type <= 5 else { throw .unsupported(.location, value: type) }
    let isPresent = try input.takeUInt8(.location) & 1 != 0
    isRelative = type & 1 != 0 || type == 4
    isAlongGravity = type >= 4
    location = isPresent ? try UCIAnchorLocation(parsing: &input, isRelative: isRelative) : nil
    floor = isPresent && Self.hasFloor(type) ? try UCIFloorElement(parsing: &input) : nil
    try input.requireEnd(.location)
  }

  package var octets: [UInt8] {
    let base: UInt8 = isAlongGravity ? 4 : isRelative ? 1 : 0
    let type = floor == nil ? base : isAlongGravity ? 5 : base + 2
    return [type, (location == nil ? 0 : 1) | type << 1] + (location?.octets ?? [])
      + (location == nil ? [] : floor?.octets ?? [])
  }

  private static func hasFloor(_ type: UInt8) -> Bool { type == 2 || type == 3 || type == 5 }
}
