import NearbyOctets

/// Reads message payloads and frame headers.
typealias WorldReader = OctetCursor<WorldProtocolError>

extension WorldProtocolError: OctetCursorFailure {
  package init(truncated field: String, at offset: Int, needed: Int, left: Int) {
    self.init(field: field, offset: offset, problem: "\(needed) octets expected, \(left) left")
  }
}

extension WorldReader {
  func error(_ field: String, back: Int = 0, _ problem: String) -> WorldProtocolError {
    WorldProtocolError(field: field, offset: offset - back, problem: problem)
  }

  mutating func takeBool(_ field: String) throws(WorldProtocolError) -> Bool {
    let value = try takeUInt8(field)
    guard value < 2 else { throw error(field, back: 1, "\(value); 0 or 1 expected") }
    return value == 1
  }

  /// Reads a number within ±`limit`; rejects NaN.
  mutating func takeDouble(_ field: String, limit: Double = 1e9) throws(WorldProtocolError) -> Double {
    let value = Double(bitPattern: try takeUInt64(field))
    guard abs(value) <= limit else { throw error(field, back: 8, "\(value); within ±\(limit) expected") }
    return value
  }

  mutating func takeVector(
    _ field: String, limit: Double = 1e9
  ) throws(WorldProtocolError) -> SIMD3<Double> {
    let x = try takeDouble(field, limit: limit)
    let y = try takeDouble(field, limit: limit)
    return SIMD3(x, y, try takeDouble(field, limit: limit))
  }

  /// Reads a quaternion x, y, z, w of length 1.
  mutating func takeAttitude() throws(WorldProtocolError) -> SIMD4<Double> {
    var attitude = SIMD4<Double>.zero
    for index in 0..<4 { attitude[index] = try takeDouble("attitude", limit: 1.001) }
    let square = (attitude * attitude).sum()
    guard (0.99...1.01).contains(square) else {
      throw error("attitude", back: 32, "a quaternion of square \(square); 1 expected")
    }
    return attitude
  }

  /// Reads an octet, 0 or 1, and a value if it is 1.
  mutating func takeOptional<Value>(
    _ field: String, _ body: (inout WorldReader) throws(WorldProtocolError) -> Value
  ) throws(WorldProtocolError) -> Value? {
    try takeBool(field) ? try body(&self) : nil
  }

  /// Reads octets after their 16-bit count.
  mutating func takeCounted(_ field: String, maximum: Int) throws(WorldProtocolError) -> [UInt8] {
    let count = Int(try takeUInt16(field))
    guard count <= maximum else { throw error(field, back: 2, "\(count) octets; at most \(maximum)") }
    return try takeOctets(count, field)
  }

  mutating func takeText(_ field: String, maximum: Int) throws(WorldProtocolError) -> String {
    let octets = try takeCounted(field, maximum: maximum)
    guard let text = String(validating: octets, as: UTF8.self) else {
      throw error(field, back: octets.count, "no UTF-8")
    }
    return text
  }

  func requireEnd() throws(WorldProtocolError) {
    guard isEmpty else { throw error("end", "\(left) octets too many") }
  }
}

extension Array where Element == UInt8 {
  mutating func append(flag: Bool) { append(flag ? 1 : 0) }
  mutating func append(number: Double) { append(littleEndian: number.bitPattern) }

  mutating func append(vector: SIMD3<Double>) {
    for index in 0..<3 { append(number: vector[index]) }
  }

  mutating func append(attitude: SIMD4<Double>) {
    for index in 0..<4 { append(number: attitude[index]) }
  }

  mutating func append<Value>(optional value: Value?, _ body: (inout Self, Value) -> Void) {
    append(flag: value != nil)
    if let value { body(&self, value) }
  }

  /// Writes octets after their 16-bit count, truncated to `maximum`.
  mutating func append(counted octets: some Collection<UInt8>, maximum: Int) {
    let kept = octets.prefix(maximum)
    append(littleEndian: UInt16(truncatingIfNeeded: kept.count))
    append(contentsOf: kept)
  }

  /// Writes text after its 16-bit count, truncated between characters to at most `maximum` octets.
  mutating func append(text: String, maximum: Int) {
    if text.utf8.count <= maximum { return append(counted: text.utf8, maximum: maximum) }
    var octets: [UInt8] = []
    for character in text {
      let next = character.utf8
      guard octets.count + next.count <= maximum else { break }
      octets += next
    }
    append(counted: octets, maximum: maximum)
  }
}
