import NearbyOctets

/// Identifies a session on the wire: the session id in 1.x, the handle from SESSION_INIT_RSP in 2.0.
package struct UCISessionToken: Hashable, Sendable, Comparable {
  package var rawValue: UInt32
  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A MAC address of 2 or 8 octets; little-endian on the wire.
package enum UCIAddress: Hashable, Sendable, Comparable {
  case short(UInt16)
  case extended(UInt64)

  /// The address in the 8-octet form of data messages. Short addresses are zero-extended.
  package var zeroExtended: UInt64 {
    switch self {
    case .short(let value): UInt64(value)
    case .extended(let value): value
    }
  }

  /// The 2 or 8 octets that represent the address in parameters.
  package var octets: [UInt8] {
    switch self {
    case .short(let value): value.littleEndianOctets
    case .extended(let value): value.littleEndianOctets
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.zeroExtended < right.zeroExtended }
}

/// One encoded parameter: id, length and value.
package struct UCITLV: Hashable, Sendable {
  package var id: UInt8
  /// 0 to 255 octets.
  package var value: [UInt8]
  package init(id: UInt8, value: [UInt8]) {
    self.id = id
    self.value = value
  }
}

/// The status of one parameter that a controller rejected.
package struct UCIParameterStatus: Hashable, Sendable {
  package var id: UInt8
  package var status: UCIStatus
  package init(id: UInt8, status: UCIStatus) {
    self.id = id
    self.status = status
  }
}

/// A protocol version. In GET_DEVICE_INFO the first octet is the major version; the second holds minor and
/// maintenance, each in 4 bits.
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
