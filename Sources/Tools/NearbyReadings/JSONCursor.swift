/// Reads small JSON texts of known shape, octet by octet, without building a tree.
///
/// Source: RFC 8259. Every read is bounded by the octets; nesting is bounded by `deepest`.
struct JSONCursor: ~Copyable {
  private static let deepest = 16

  private let octets: [UInt8]
  private var place = 0

  init(_ octets: [UInt8]) { self.octets = octets }

  private mutating func skipSpace() {
    while place < octets.count, [0x20, 0x09, 0x0A, 0x0D].contains(octets[place]) { place += 1 }
  }

  /// Takes an octet after white space, if it is there.
  mutating func take(_ octet: UInt8) -> Bool {
    skipSpace()
    guard place < octets.count, octets[place] == octet else { return false }
    place += 1
    return true
  }

  mutating func need(_ octet: UInt8, _ expected: String) throws(ReadingError) {
    guard take(octet) else { throw .syntax(expected: expected, at: place) }
  }

  /// Checks that only white space follows.
  mutating func end() throws(ReadingError) {
    skipSpace()
    guard place == octets.count else { throw .syntax(expected: "the end", at: place) }
  }

  // MARK: Values

  /// A number; `nil` for `null`.
  mutating func number() throws(ReadingError) -> Double? {
    skipSpace()
    if octets[place...].starts(with: [0x6E, 0x75, 0x6C, 0x6C]) {
      place += 4
      return nil
    }
    let start = place
    let isNegative = take(0x2D)
    var (mantissa, exponent, digits) = (UInt64(0), 0, 0)
    var isExact = true
    func add(_ octet: UInt8) {
      digits += 1
      if mantissa < 900_719_925_474_099 {
        mantissa = mantissa * 10 + UInt64(octet - 0x30)
      } else {
        isExact = false
      }
    }
    while place < octets.count, (0x30...0x39).contains(octets[place]) {
      add(octets[place])
      place += 1
    }
    if digits > 0, place < octets.count, octets[place] == 0x2E {
      place += 1
      let whole = digits
      while place < octets.count, (0x30...0x39).contains(octets[place]) {
        add(octets[place])
        exponent -= 1
        place += 1
      }
      guard digits > whole else { throw .syntax(expected: "a digit", at: place) }
    }
    guard digits > 0 else { throw .syntax(expected: "a number", at: start) }
    if place < octets.count, octets[place] | 0x20 == 0x65 {
      isExact = false
      place += 1
      if place < octets.count, octets[place] == 0x2B || octets[place] == 0x2D { place += 1 }
      let first = place
      while place < octets.count, (0x30...0x39).contains(octets[place]) { place += 1 }
      guard place > first else { throw .syntax(expected: "a digit", at: place) }
    }
    // At most 2⁵³ and at most 10²², so that the quotient is the nearest number.
    if isExact, exponent >= -22 {
      let value = Double(mantissa) / Self.powers[-exponent]
      return isNegative ? -value : value
    }
    guard let value = Double(String(decoding: octets[start..<place], as: UTF8.self)), value.isFinite else {
      throw .syntax(expected: "a number within range", at: start)
    }
    return value
  }

  private static let powers: [Double] = (0...22).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  mutating func string() throws(ReadingError) -> String {
    try need(0x22, "text in quotation marks")
    let start = place
    while place < octets.count, octets[place] != 0x22, octets[place] != 0x5C, octets[place] >= 0x20 {
      place += 1
    }
    guard place < octets.count, octets[place] >= 0x20 else {
      throw .syntax(expected: "the end of the text", at: place)
    }
    var text = octets[start..<place]
    while octets[place] != 0x22 {
      if octets[place] == 0x5C {
        try unescape(into: &text)
      } else {
        text.append(octets[place])
        place += 1
      }
      guard place < octets.count, octets[place] >= 0x20 else {
        throw .syntax(expected: "the end of the text", at: place)
      }
    }
    place += 1
    guard let valid = String(validating: text, as: UTF8.self) else {
      throw .syntax(expected: "valid UTF-8", at: start)
    }
    return valid
  }

  private static let escapes: [UInt8: UInt8] = [
    0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
  ]

  private mutating func unescape(into text: inout ArraySlice<UInt8>) throws(ReadingError) {
    place += 1
    guard place < octets.count else { throw .syntax(expected: "an escape", at: place) }
    if let octet = Self.escapes[octets[place]] {
      text.append(octet)
      place += 1
      return
    }
    guard octets[place] == 0x75 else { throw .syntax(expected: "an escape", at: place) }
    place += 1
    var scalar = try unit()
    if (0xD800..<0xDC00).contains(scalar), octets[place...].starts(with: [0x5C, 0x75]) {
      place += 2
      let low = try unit()
      guard (0xDC00..<0xE000).contains(low) else { throw .syntax(expected: "a low surrogate", at: place) }
      scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let valid = Unicode.Scalar(scalar) else { throw .syntax(expected: "a Unicode scalar", at: place) }
    text.append(contentsOf: Array(String(Character(valid)).utf8))
  }

  /// Four hexadecimal digits.
  private mutating func unit() throws(ReadingError) -> UInt32 {
    guard place + 4 <= octets.count,
      let unit = UInt32(String(decoding: octets[place..<(place + 4)], as: UTF8.self), radix: 16),
      octets[place] != 0x2B
    else { throw .syntax(expected: "four hexadecimal digits", at: place) }
    place += 4
    return unit
  }

  mutating func skipValue(depth: Int = 0) throws(ReadingError) {
    guard depth < Self.deepest else { throw .syntax(expected: "less nesting", at: place) }
    skipSpace()
    guard place < octets.count else { throw .syntax(expected: "a value", at: place) }
    switch octets[place] {
    case 0x22: _ = try string()
    case 0x7B:
      place += 1
      if take(0x7D) { return }
      repeat {
        _ = try string()
        try need(0x3A, "':'")
        try skipValue(depth: depth + 1)
      } while take(0x2C)
      try need(0x7D, "',' or '}'")
    case 0x5B:
      place += 1
      if take(0x5D) { return }
      repeat { try skipValue(depth: depth + 1) } while take(0x2C)
      try need(0x5D, "',' or ']'")
    case 0x74, 0x66, 0x6E: try skipWord()
    default: _ = try number()
    }
  }

  private mutating func skipWord() throws(ReadingError) {
    for word in ["true", "false", "null"] where octets[place...].starts(with: word.utf8) {
      place += word.utf8.count
      return
    }
    throw .syntax(expected: "a value", at: place)
  }
}
