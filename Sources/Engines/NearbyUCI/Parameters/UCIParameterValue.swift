import NearbyOctets

/// The limits of AOA_BOUND_CONFIG, each in signed Q9.7 degrees.
package struct UCIAngleBounds: Hashable, Sendable {
  package var azimuthLowQ9_7: Int16
  package var azimuthHighQ9_7: Int16
  package var elevationLowQ9_7: Int16
  package var elevationHighQ9_7: Int16

  package init(
    azimuthLowQ9_7: Int16, azimuthHighQ9_7: Int16, elevationLowQ9_7: Int16, elevationHighQ9_7: Int16
  ) {
    self.azimuthLowQ9_7 = azimuthLowQ9_7
    self.azimuthHighQ9_7 = azimuthHighQ9_7
    self.elevationLowQ9_7 = elevationLowQ9_7
    self.elevationHighQ9_7 = elevationHighQ9_7
  }

  var octets: [UInt8] {
    [azimuthLowQ9_7, azimuthHighQ9_7, elevationLowQ9_7, elevationHighQ9_7].flatMap(\.littleEndianOctets)
  }
}

/// UWB_INITIATION_TIME in either of its layouts.
package enum UCIInitiationTime: Hashable, Sendable {
  /// A delay after SESSION_START; 4 octets, 1.x.
  case relative(milliseconds: UInt32)
  /// A time on the controller's clock; 8 octets, 2.0.
  case absolute(microseconds: UInt64)

  var octets: [UInt8] {
    switch self {
    case .relative(let milliseconds): milliseconds.littleEndianOctets
    case .absolute(let microseconds): microseconds.littleEndianOctets
    }
  }
}

/// SESSION_TIME_BASE: the session to whose blocks another session is aligned.
package struct UCISessionTimeBase: Hashable, Sendable {
  package var flags: UInt8
  package var reference: UCISessionToken
  package var offsetMicroseconds: UInt32

  package init(flags: UInt8, reference: UCISessionToken, offsetMicroseconds: UInt32) {
    self.flags = flags
    self.reference = reference
    self.offsetMicroseconds = offsetMicroseconds
  }

  var octets: [UInt8] {
    [flags] + reference.rawValue.littleEndianOctets + offsetMicroseconds.littleEndianOctets
  }
}

/// Parses one TLV's value according to its id. A wrong length throws `wrongLength`.
struct UCIParameterValue {
  let id: UInt8
  let value: [UInt8]

  init(_ tlv: UCITLV) {
    id = tlv.id
    value = tlv.value
  }

  /// The raw value, if it has one of the given lengths.
  func octets(_ lengths: [Int]) throws(UCIError) -> [UInt8] {
    guard lengths.contains(value.count) else {
      throw .wrongLength(parameter: id, found: value.count)
    }
    return value
  }

  func uint8() throws(UCIError) -> UInt8 { UInt8(try number(1)) }
  func uint16() throws(UCIError) -> UInt16 { UInt16(try number(2)) }
  func uint32() throws(UCIError) -> UInt32 { UInt32(try number(4)) }

  func code<Code: UCICode>() throws(UCIError) -> Code { Code(rawValue: try uint8()) }

  /// NUMBER_OF_CONTROLEES, 1 to 8.
  func controlees() throws(UCIError) -> UInt8 {
    let count = try uint8()
    guard (1...8).contains(count) else { throw .outOfRange(parameter: id) }
    return count
  }

  func address() throws(UCIError) -> UCIAddress {
    value.count == 8 ? .extended(try number(8)) : .short(try uint16())
  }

  /// A list of addresses, all of the same size. With `.extendedWithShortHeader` they are short.
  func addresses(_ mode: UCIMACAddressMode) throws(UCIError) -> [UCIAddress] {
    let size = mode == .extended ? 8 : 2
    guard value.count.isMultiple(of: size) else {
      throw .wrongLength(parameter: id, found: value.count)
    }
    return stride(from: 0, to: value.count, by: size).map { start in
      let number = UInt64(littleEndianOctets: value[start..<start + size])
      return size == 8 ? .extended(number) : .short(UInt16(truncatingIfNeeded: number))
    }
  }

  func angleBounds() throws(UCIError) -> UCIAngleBounds {
    let value = try number(8)
    return UCIAngleBounds(
      azimuthLowQ9_7: Int16(truncatingIfNeeded: value),
      azimuthHighQ9_7: Int16(truncatingIfNeeded: value >> 16),
      elevationLowQ9_7: Int16(truncatingIfNeeded: value >> 32),
      elevationHighQ9_7: Int16(truncatingIfNeeded: value >> 48))
  }

  /// Accepts 4 octets in both versions, because hosts mix them, and 8 octets only in 2.0.
  func initiationTime(_ dialect: UCIDialect) throws(UCIError) -> UCIInitiationTime {
    guard dialect.initiationTime == .v2, value.count == 8 else {
      return .relative(milliseconds: try uint32())
    }
    return .absolute(microseconds: try number(8))
  }

  func sessionTimeBase() throws(UCIError) -> UCISessionTimeBase {
    let octets = try octets([9])
    return UCISessionTimeBase(
      flags: octets[0],
      reference: UCISessionToken(UInt32(littleEndianOctets: octets[1..<5])),
      offsetMicroseconds: UInt32(littleEndianOctets: octets[5..<9]))
  }

  private func number(_ count: Int) throws(UCIError) -> UInt64 {
    UInt64(littleEndianOctets: try octets([count]))
  }
}
