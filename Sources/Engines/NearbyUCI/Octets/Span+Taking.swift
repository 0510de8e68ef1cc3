/// The cursor of every decoder here: taking removes from the front, little-endian, checked.
extension Span where Element == UInt8 {
  /// Throws unless `count` octets are left for `field`.
  @inline(__always)
  package func require(_ count: Int, _ field: UCIField) throws(UCIError) {
    guard self.count >= count else {
      throw .truncated(field, needed: count, left: self.count)
    }
  }

  @inline(__always)
  package mutating func takeUInt8(_ field: UCIField) throws(UCIError) -> UInt8 {
    try require(1, field)
    let value = self[0]
    self = extracting(droppingFirst: 1)
    return value
  }

  @inline(__always)
  package mutating func takeUInt16(_ field: UCIField) throws(UCIError) -> UInt16 {
    try require(2, field)
    let value = uint16(at: 0)
    self = extracting(droppingFirst: 2)
    return value
  }

  @inline(__always)
  package mutating func takeUInt32(_ field: UCIField) throws(UCIError) -> UInt32 {
    try require(4, field)
    let value = uint32(at: 0)
    self = extracting(droppingFirst: 4)
    return value
  }

  @inline(__always)
  package mutating func takeUInt64(_ field: UCIField) throws(UCIError) -> UInt64 {
    try require(8, field)
    let value = uint64(at: 0)
    self = extracting(droppingFirst: 8)
    return value
  }

  /// Takes an unsigned number of 0 to 8 octets.
  package mutating func takeUInt(octets count: Int, _ field: UCIField) throws(UCIError) -> UInt64 {
    try require(count, field)
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(self[index]) &<< UInt64(8 &* index) }
    self = extracting(droppingFirst: count)
    return value
  }

  /// Takes `count` octets as an array; nothing is allocated before the count is checked.
  package mutating func takeOctets(_ count: Int, _ field: UCIField) throws(UCIError) -> [UInt8] {
    try require(count, field)
    let value = extracting(first: count).octets
    self = extracting(droppingFirst: count)
    return value
  }

  /// Takes everything that is left.
  package mutating func takeRest() -> [UInt8] {
    let value = octets
    self = extracting(first: 0)
    return value
  }

  /// Throws when octets are left.
  @inline(__always)
  package func requireEnd(_ field: UCIField = .payload) throws(UCIError) {
    guard isEmpty else { throw .leftover(field, count: count) }
  }

  /// The octets as an array.
  package var octets: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    result.append(contentsOf: self)
    return result
  }

  @inline(__always)
  func uint16(at index: Int) -> UInt16 {
    UInt16(self[index]) | UInt16(self[index &+ 1]) &<< 8
  }

  @inline(__always)
  func uint32(at index: Int) -> UInt32 {
    UInt32(uint16(at: index)) | UInt32(uint16(at: index &+ 2)) &<< 16
  }

  @inline(__always)
  func uint64(at index: Int) -> UInt64 {
    UInt64(uint32(at: index)) | UInt64(uint32(at: index &+ 4)) &<< 32
  }
}
