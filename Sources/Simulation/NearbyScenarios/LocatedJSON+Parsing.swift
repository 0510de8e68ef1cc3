extension LocatedJSON {
  /// Describes why a text is not JSON5.
  package struct SyntaxError: Error, Equatable {
    package var place: Place
    /// What the text contains there: a quoted character or `the end of the file`.
    package var found: String
    package var expected: String
  }

  /// Parses a complete JSON5 text: JSON with comments, trailing commas, bare and single-quoted keys, and
  /// hexadecimal and signed numbers.
  package init(parsing text: String, _ progress: ScenarioProgress? = nil) throws(SyntaxError) {
    var cursor = Cursor(text, progress)
    try cursor.skipSpace()
    self = try cursor.takeValue(depth: 0)
    try cursor.skipSpace()
    guard cursor.isAtEnd else { throw cursor.error("the end of the file") }
  }

  /// A position in the text, with the parser's state.
  private struct Cursor {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private(set) var place = Place(line: 1, column: 1)
    /// Maximum nesting, so that no file can exhaust the stack.
    private static let deepest = 64

    private var values = 0
    private var progress: ProgressCounter

    init(_ text: String, _ progress: ScenarioProgress?) {
      var scalars = Array(text.unicodeScalars)
      if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
      self.scalars = scalars
      self.progress = ProgressCounter(total: scalars.count, part: 0...1, progress)
    }

    var isAtEnd: Bool { index >= scalars.count }
    private var next: Unicode.Scalar? { isAtEnd ? nil : scalars[index] }
    private var afterNext: Unicode.Scalar? {
      index + 1 < scalars.count ? scalars[index + 1] : nil
    }

    func error(_ expected: String, at place: Place? = nil) -> SyntaxError {
      let found = next.map { $0 == "\n" ? "the end of the line" : "'\($0)'" }
      return SyntaxError(
        place: place ?? self.place, found: found ?? "the end of the file", expected: expected)
    }

    /// Consumes one scalar and updates the place; CR LF counts as one line break.
    @discardableResult
    private mutating func advance() -> Unicode.Scalar? {
      guard let scalar = next else { return nil }
      index += 1
      if scalar == "\n" || (scalar == "\r" && next != "\n") {
        place = Place(line: place.line + 1, column: 1)
      } else {
        place.column += 1
      }
      return scalar
    }

    /// Skips white space and comments.
    mutating func skipSpace() throws(SyntaxError) {
      while let scalar = next {
        if scalar.isSpace {
          advance()
        } else if scalar == "/", afterNext == "/" {
          while let scalar = next, scalar != "\n", scalar != "\r" { advance() }
        } else if scalar == "/", afterNext == "*" {
          try skipBlockComment()
        } else {
          return
        }
      }
    }

    private mutating func skipBlockComment() throws(SyntaxError) {
      advance()
      advance()
      while !(next == "*" && afterNext == "/") {
        guard advance() != nil else { throw error("the end of a comment, */") }
      }
      advance()
      advance()
    }

    mutating func takeValue(depth: Int) throws(SyntaxError) -> LocatedJSON {
      guard depth < Self.deepest else { throw error("at most \(Self.deepest) levels") }
      values += 1
      guard values <= ScenarioLimits.values else {
        throw error("at most \(ScenarioLimits.values) values in a file")
      }
      progress.reached(index)
      let start = place
      let value: Value
      switch next {
      case "{": value = try takeObject(depth: depth)
      case "[": value = try takeArray(depth: depth)
      case "\"", "'": value = .string(try takeString())
      case .some(let scalar) where scalar.isNumberPart: value = .number(try takeNumber())
      case .some(let scalar) where scalar.isNamePart: value = try takeWord()
      default: throw error("a value")
      }
      return LocatedJSON(value: value, place: start)
    }

    private mutating func takeObject(depth: Int) throws(SyntaxError) -> Value {
      advance()
      var members: [Member] = []
      var keys: Set<String> = []
      try skipSpace()
      while next != "}" {
        let start = place
        let key = try takeKey()
        guard keys.insert(key).inserted else {
          throw SyntaxError(place: start, found: "\"\(key)\" again", expected: "each key once")
        }
        try skipSpace()
        guard next == ":" else { throw error("':' after \"\(key)\"") }
        advance()
        try skipSpace()
        guard members.count < ScenarioLimits.keys else {
          throw error("at most \(ScenarioLimits.keys) keys in an object", at: start)
        }
        let value = try takeValue(depth: depth + 1)
        members.append(Member(key: key, place: start, value: value))
        try takeComma(before: "}")
      }
      advance()
      return .object(members)
    }

    private mutating func takeArray(depth: Int) throws(SyntaxError) -> Value {
      advance()
      var elements: [LocatedJSON] = []
      try skipSpace()
      while next != "]" {
        elements.append(try takeValue(depth: depth + 1))
        try takeComma(before: "]")
      }
      advance()
      return .array(elements)
    }

    private mutating func takeComma(before end: Unicode.Scalar) throws(SyntaxError) {
      try skipSpace()
      if next == "," {
        advance()
        try skipSpace()
      } else if next != end {
        throw error("',' or '\(end)'")
      }
    }

    private mutating func takeKey() throws(SyntaxError) -> String {
      if next == "\"" || next == "'" { return try takeString() }
      guard let first = next, first.isNamePart, !first.isDigit else {
        throw error("a key or '}'")
      }
      return takeName()
    }

    private mutating func takeName() -> String {
      let start = index
      while let scalar = next, scalar.isNamePart { advance() }
      return Self.string(scalars[start..<index])
    }

    private mutating func takeWord() throws(SyntaxError) -> Value {
      let start = place
      switch takeName() {
      case "true": return .bool(true)
      case "false": return .bool(false)
      case "null": return .null
      case let word:
        throw SyntaxError(
          place: start, found: word, expected: "a value (text needs quotation marks)")
      }
    }

    /// Parses a decimal or `0x` hexadecimal number with an optional sign.
    private mutating func takeNumber() throws(SyntaxError) -> Double {
      let start = place
      let first = index
      while let scalar = next, scalar.isNumberPart || scalar.isNamePart { advance() }
      let written = Self.string(scalars[first..<index])
      let unsigned = written.drop { $0 == "+" || $0 == "-" }
      let isPlain = written.count - unsigned.count <= 1
      let magnitude: Double? =
        if unsigned.hasPrefix("0x") || unsigned.hasPrefix("0X") {
          UInt64(unsigned.dropFirst(2), radix: 16).map { Double($0) }
        } else if let first = unsigned.unicodeScalars.first, first.isDigit || first == "." {
          Double(unsigned.hasPrefix(".") ? "0\(unsigned)" : String(unsigned))
        } else {
          nil
        }
      guard isPlain, let magnitude, magnitude.isFinite else {
        throw SyntaxError(place: start, found: written, expected: "a number")
      }
      return written.hasPrefix("-") ? -magnitude : magnitude
    }

    /// Far faster than appending scalars to a string.
    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
      var octets: [UInt8] = []
      octets.reserveCapacity(scalars.count)
      for scalar in scalars {
        if scalar.isASCII {
          octets.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
          octets += Array(String(scalar).utf8)
        }
      }
      return String(decoding: octets, as: UTF8.self)
    }

    private mutating func takeString() throws(SyntaxError) -> String {
      let start = place
      let quote = advance()
      var text: [Unicode.Scalar] = []
      while true {
        guard let scalar = next, scalar != "\n", scalar != "\r" else {
          throw error("the end of the text that begins in column \(start.column)")
        }
        advance()
        if scalar == quote { return Self.string(text[...]) }
        if scalar == "\\" {
          if let escaped = try takeEscape() { text.append(escaped) }
        } else {
          text.append(scalar)
        }
      }
    }

    /// Returns `nil` for an escaped line break, which JSON5 omits from the string.
    private mutating func takeEscape() throws(SyntaxError) -> Unicode.Scalar? {
      let start = place
      guard let scalar = advance() else { throw error("an escaped character") }
      switch scalar {
      case "n": return "\n"
      case "t": return "\t"
      case "r": return "\r"
      case "b": return "\u{08}"
      case "f": return "\u{0C}"
      case "v": return "\u{0B}"
      case "0": return "\0"
      case "\n": return nil
      case "u", "x": return try takeCode(digits: scalar == "u" ? 4 : 2, start: start)
      default: return scalar
      }
    }

    /// Parses the digits of a `\u` or `\x` escape, and a second `\u` escape if the first is a high surrogate.
    private mutating func takeCode(digits: Int, start: Place) throws(SyntaxError) -> Unicode.Scalar {
      func parseDigits(_ cursor: inout Self) throws(SyntaxError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<digits {
          guard let digit = cursor.next.flatMap({ Character($0).hexDigitValue }) else {
            throw cursor.error("\(digits) hexadecimal digits")
          }
          code = code << 4 | UInt32(digit)
          cursor.advance()
        }
        return code
      }
      var code = try parseDigits(&self)
      if (0xD800..<0xDC00).contains(code), next == "\\", afterNext == "u" {
        advance()
        advance()
        let low = try parseDigits(&self)
        if (0xDC00..<0xE000).contains(low) { code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) }
      }
      guard let scalar = Unicode.Scalar(code) else { throw error("a whole surrogate pair", at: start) }
      return scalar
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
  fileprivate var isNumberPart: Bool {
    isDigit || self == "." || self == "+" || self == "-"
  }
  /// The tables of properties are slow, and nearly all of a file is ASCII.
  fileprivate var isNamePart: Bool {
    if isASCII {
      return isDigit || ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || self == "$"
    }
    return properties.isAlphabetic
  }
  fileprivate var isSpace: Bool {
    isASCII ? self == " " || ("\t"..."\r").contains(self) : properties.isWhitespace
  }
}
