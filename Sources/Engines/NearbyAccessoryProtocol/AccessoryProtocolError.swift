/// Why octets could not be parsed as part of the accessory protocol.
package enum AccessoryProtocolError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A field needs more octets than remain.
  case truncated(AccessoryField, needed: Int, left: Int)
  /// A version whose layout is not known.
  case unsupportedVersion(AccessoryField, AccessoryVersion)
  /// The length is too small for the fields of its version.
  case tooShort(AccessoryField, length: Int, needed: Int)
  /// The value is not allowed in its field.
  case outOfRange(AccessoryField, value: Int)
  /// The message's id is unknown.
  case unknownMessage(UInt8)

  package var description: String {
    switch self {
    case .truncated(let field, let needed, let left): "\(field): needs \(needed) octets, \(left) are left"
    case .unsupportedVersion(let field, let version): "\(field): version \(version) is not known"
    case .tooShort(let field, let length, let needed):
      "\(field): says \(length) octets, its version has \(needed)"
    case .outOfRange(let field, let value): "\(field): \(value) is not allowed"
    case .unknownMessage(let id): "no message has the id \(id)"
    }
  }
}

/// The fields that errors refer to.
package enum AccessoryField: String, Hashable, Sendable {
  case messageID, version, updateRate, reserved, length, uwbVersion, manufacturer, model, middleware, role
  case address, clockDrift, hopping, slotsPerRound, slotDuration, interval
  case country, sessionID, preamble, channel, roundControl, initialVector, extra
}

/// The version of the accessory protocol, or of its ultra-wideband part.
package struct AccessoryVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var major: UInt16
  package var minor: UInt16

  package init(_ major: UInt16, _ minor: UInt16) {
    self.major = major
    self.minor = minor
  }

  /// Without clock drift.
  package static let v1_0 = AccessoryVersion(1, 0)
  /// With clock drift.
  package static let v1_1 = AccessoryVersion(1, 1)
  /// With a preferred schedule and hopping.
  package static let v2_0 = AccessoryVersion(2, 0)

  package static func < (left: Self, right: Self) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }

  package var description: String { "\(major).\(minor)" }

  /// The clock drift was added in 1.1. An unknown minor version is parsed like the latest known one.
  var hasClockDrift: Bool { self >= .v1_1 }
  var hasSchedule: Bool { major >= 2 }
}
