import NearbyOctets

/// What stands for a session on the wire: its id in 1.x, the handle of SESSION_INIT_RSP in 2.0.
package struct UCISessionToken: Hashable, Sendable, Comparable {
  package var rawValue: UInt32
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A MAC address of 2 or 8 octets, little-endian on the wire.
package enum UCIAddress: Hashable, Sendable, Comparable {
  case short(UInt16)
  case extended(UInt64)

  /// The address as data messages carry it: short addresses are zero-extended.
  package var zeroExtended: UInt64 {
    switch self {
    case .short(let value): UInt64(value)
    case .extended(let value): value
    }
  }

  /// The address as it travels in parameters: 2 or 8 octets.
  package var octets: [UInt8] {
    switch self {
    case .short(let value): value.littleEndianOctets
    case .extended(let value): value.littleEndianOctets
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.zeroExtended < right.zeroExtended }
}

/// One parameter as it travels: id, length, value.
package struct UCITLV: Hashable, Sendable {
  package var id: UInt8
  /// 0 to 255 octets.
  package var value: [UInt8]
  package init(id: UInt8, value: [UInt8]) {
    self.id = id
    self.value = value
  }
}

/// The status of one parameter that a controller refused.
package struct UCIParameterStatus: Hashable, Sendable {
  package var id: UInt8
  package var status: UCIStatus
  package init(id: UInt8, status: UCIStatus) {
    self.id = id
    self.status = status
  }
}

/// A protocol version: major in the first octet, minor and maintenance in the nibbles of the second.
package struct UCIVersion: Hashable, Sendable, CustomStringConvertible {
  package var major: UInt8
  /// 0 to 15.
  package var minor: UInt8
  /// 0 to 15.
  package var maintenance: UInt8
  package init(major: UInt8, minor: UInt8, maintenance: UInt8 = 0) {
    self.major = major
    self.minor = minor & 0x0F
    self.maintenance = maintenance & 0x0F
  }
  package var description: String { "\(major).\(minor).\(maintenance)" }
}
