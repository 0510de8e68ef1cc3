/// The cursor of every decoder here: taking removes from the front, little-endian, checked.
extension Span where Element == UInt8 {
  func require(_ count: Int, _ field: AccessoryField) throws(AccessoryProtocolError) {
    guard self.count >= count else { throw .truncated(field, needed: count, left: self.count) }
  }

  mutating func take<Number: FixedWidthInteger>(
    _ field: AccessoryField, as type: Number.Type = Number.self
  ) throws(AccessoryProtocolError) -> Number {
    let size = Number.bitWidth / 8
    try require(size, field)
    var number: UInt64 = 0
    for index in 0..<size { number |= UInt64(self[index]) &<< UInt64(8 &* index) }
    self = extracting(droppingFirst: size)
    return Number(truncatingIfNeeded: number)
  }

  mutating func takeOctets(_ count: Int, _ field: AccessoryField) throws(AccessoryProtocolError) -> [UInt8] {
    try require(count, field)
    var octets: [UInt8] = []
    octets.reserveCapacity(count)
    for index in 0..<count { octets.append(self[index]) }
    self = extracting(droppingFirst: count)
    return octets
  }

  mutating func takeVersion(_ field: AccessoryField) throws(AccessoryProtocolError) -> AccessoryVersion {
    let major = try take(field, as: UInt16.self)
    return AccessoryVersion(major, try take(field, as: UInt16.self))
  }

  mutating func takeRest() -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(count)
    for index in indices { octets.append(self[index]) }
    self = extracting(first: 0)
    return octets
  }
}

extension [UInt8] {
  mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    let number = UInt64(truncatingIfNeeded: number)
    for index in 0..<Number.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: number &>> UInt64(8 &* index)))
    }
  }

  mutating func append(_ version: AccessoryVersion) {
    append(littleEndian: version.major)
    append(littleEndian: version.minor)
  }
}
