import NearbyOctets

/// Parses messages and configuration data.
typealias AccessoryCursor = OctetCursor<AccessoryProtocolError>

extension AccessoryProtocolError: OctetCursorFailure {
  package init(truncated field: AccessoryField, at offset: Int, needed: Int, left: Int) {
    self = .truncated(field, needed: needed, left: left)
  }
}

extension AccessoryCursor {
  mutating func takeVersion(_ field: AccessoryField) throws(AccessoryProtocolError) -> AccessoryVersion {
    let major = try takeUInt16(field)
    return AccessoryVersion(major, try takeUInt16(field))
  }
}

extension [UInt8] {
  mutating func append(_ version: AccessoryVersion) {
    append(littleEndian: version.major)
    append(littleEndian: version.minor)
  }
}
