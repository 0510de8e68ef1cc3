/// Why octets that look like a beacon frame could not be parsed.
///
/// Offsets count from the start of the payload.
package enum BeaconFrameError: Error, Hashable, Sendable {
  /// A structure claims to be longer than the rest of the payload; `left` counts the octets after its length
  /// octet.
  case overrun(offset: Int, length: Int, left: Int)
  /// A frame does not have one of the `allowed` lengths; lengths count from the frame's own first octet.
  case length(BeaconFormat, offset: Int, found: Int, allowed: ClosedRange<Int>)
  /// A field has a value that the format does not define.
  case value(BeaconFormat, BeaconField, offset: Int, found: UInt8)
  /// An Eddystone frame has an undefined type.
  case unknownType(offset: Int, found: UInt8)
}

/// Formats that errors can name.
package enum BeaconFormat: String, Hashable, Sendable, CaseIterable {
  case iBeacon
  case altBeacon = "AltBeacon"
  case eddystoneUID = "Eddystone-UID"
  case eddystoneURL = "Eddystone-URL"
  case eddystoneTLM = "Eddystone-TLM"
  case eddystoneEID = "Eddystone-EID"
}

/// Fields that errors can name.
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
