/// What is wrong with octets that call themselves a beacon's, and where.
///
/// Offsets count from the start of the payload.
package enum BeaconFrameError: Error, Hashable, Sendable {
  /// A structure that says it is longer than what is left of the payload; `left` counts behind its length.
  case overrun(offset: Int, length: Int, left: Int)
  /// A frame of one of the lengths in `allowed` has another; both count from its first own octet on.
  case length(BeaconFormat, offset: Int, found: Int, allowed: ClosedRange<Int>)
  /// A field whose value the format does not know.
  case value(BeaconFormat, BeaconField, offset: Int, found: UInt8)
  /// Eddystone's octets of a type that it does not have.
  case unknownType(offset: Int, found: UInt8)
}

/// The formats errors name.
package enum BeaconFormat: String, Hashable, Sendable, CaseIterable {
  case iBeacon
  case altBeacon = "AltBeacon"
  case eddystoneUID = "Eddystone-UID"
  case eddystoneURL = "Eddystone-URL"
  case eddystoneTLM = "Eddystone-TLM"
  case eddystoneEID = "Eddystone-EID"
}

/// The fields errors name.
package enum BeaconField: String, Hashable, Sendable {
  case reserved, scheme, text, version
}

extension BeaconFrameError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .overrun(let offset, let length, let left):
      "AD structure at offset \(offset): length \(length), but only \(left) octets are left"
    case .length(let format, let offset, let found, let allowed):
      "\(format.rawValue) at offset \(offset): \(found) octets; expected \(Self.told(allowed))"
    case .value(let format, let field, let offset, let found):
      "\(format.rawValue), \(field.rawValue) at offset \(offset): unexpected value \(found)"
    case .unknownType(let offset, let found):
      "Eddystone at offset \(offset): no frame of type \(found)"
    }
  }

  private static func told(_ allowed: ClosedRange<Int>) -> String {
    allowed.count == 1 ? "\(allowed.lowerBound)" : "\(allowed.lowerBound) to \(allowed.upperBound)"
  }
}
