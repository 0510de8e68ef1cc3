/// Splits Swift source into tokens.
///
/// Any input yields tokens, in time linear in its length. Comments nest; strings may be raw, span lines and
/// nest interpolations. A bare regular expression is distinguished from a division by the token before it,
/// and by ending on its own line.
package struct SwiftLexer {
  /// A string that encloses the current position.
  private struct OpenString {
    /// Number of number signs around the string.
    let hashes: Int
    let isMultiline: Bool
    /// Open parentheses in the current interpolation.
    var depth = 0
  }

  /// Maximum length of a bare regular expression; bounds the time spent on lines full of slashes.
  private static let longestPattern = 1000

  private let octets: [UInt8]
  private var position = 0
  private var isLineStart = true
  private var open: [OpenString] = []
  private var tokens: [SwiftToken] = []

  private init(_ octets: [UInt8]) { self.octets = octets }

  package static func tokens(of octets: [UInt8]) -> [SwiftToken] {
    var lexer = SwiftLexer(octets)
    lexer.tokens.reserveCapacity(octets.count / 5)
    lexer.skipPreamble()
    while lexer.position < octets.count { lexer.step() }
    return lexer.tokens
  }

  private func octet(_ ahead: Int = 0) -> UInt8 {
    let index = position + ahead
    return index < octets.count ? octets[index] : 0
  }

  private func starts(_ text: StaticString) -> Bool {
    guard position + text.utf8CodeUnitCount <= octets.count else { return false }
    for index in 0..<text.utf8CodeUnitCount where octets[position + index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  private mutating func skipPreamble() {
    if starts("\u{FEFF}") { position += 3 }
    if starts("#!") { skipLine() }
  }

  private mutating func skipLine() {
    while position < octets.count, octets[position] != 0x0A { position += 1 }
  }

  private mutating func emit(_ kind: SwiftToken.Kind, from start: Int, text: String? = nil) {
    let text = text ?? String(decoding: octets[start..<position], as: UTF8.self)
    tokens.append(SwiftToken(kind: kind, text: text, offset: start, isFirstOnLine: isLineStart))
    isLineStart = false
  }

  private mutating func step() {
    let first = octet()
    switch first {
    case 0x0A, 0x0D:
      isLineStart = true
      position += 1
    case 0x00...0x20, 0x7F: position += 1
    case UInt8(ascii: "/") where octet(1) == UInt8(ascii: "/"): skipLine()
    case UInt8(ascii: "/") where octet(1) == UInt8(ascii: "*"): skipComment()
    case UInt8(ascii: "\""): beginString(hashes: 0)
    case UInt8(ascii: "#"): takePound()
    case UInt8(ascii: "`"): takeQuotedWord()
    case UInt8(ascii: "$"): takeWord(.dollarWord)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): takeNumber()
    case UInt8(ascii: "/") where takePattern(hashes: 0): break
    case let other where other.isWordOctet: takeWord(.word)
    default: takeSymbol(first)
    }
  }

  private mutating func skipComment() {
    position += 2
    var depth = 1
    while position < octets.count, depth > 0 {
      if octet() == UInt8(ascii: "/"), octet(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if octet() == UInt8(ascii: "*"), octet(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
      } else {
        if octet() == 0x0A { isLineStart = true }
        position += 1
      }
    }
  }

  // MARK: Words, numbers, symbols

  private mutating func takeWord(_ kind: SwiftToken.Kind) {
    let start = position
    position += 1
    while position < octets.count, octet().isWordOctet { position += 1 }
    emit(kind, from: start)
  }

  private mutating func takeQuotedWord() {
    let start = position
    var end = position + 1
    while end < octets.count, octets[end] != UInt8(ascii: "`"), octets[end] != 0x0A { end += 1 }
    let isClosed = end < octets.count && octets[end] == UInt8(ascii: "`")
    position = isClosed ? end + 1 : start + 1
    guard isClosed else { return emit(.symbol, from: start) }
    emit(.quotedWord, from: start, text: String(decoding: octets[(start + 1)..<end], as: UTF8.self))
  }

  private mutating func takeNumber() {
    let start = position
    let isHexadecimal = octet() == UInt8(ascii: "0") && octet(1) | 0x20 == UInt8(ascii: "x")
    while position < octets.count {
      let current = octet()
      if current.isWordOctet {
        position += 1
      } else if current == UInt8(ascii: "."), octet(1).isDigit || isHexadecimal && octet(1).isHexDigit {
        // `tuple.0.1` is read as a number here, which has no effect on names.
        position += 2
      } else if current == UInt8(ascii: "-") || current == UInt8(ascii: "+"), octet(1).isDigit,
        octets[position - 1] | 0x20 == (isHexadecimal ? UInt8(ascii: "p") : UInt8(ascii: "e"))
      {
        position += 2
      } else {
        break
      }
    }
    emit(.number, from: start)
  }

  private mutating func takeSymbol(_ first: UInt8) {
    let start = position
    if let index = open.indices.last {
      if first == UInt8(ascii: "(") { open[index].depth += 1 }
      if first == UInt8(ascii: ")") {
        open[index].depth -= 1
        if open[index].depth == 0 {
          position += 1
          emit(.symbol, from: start)
          return continueString()
        }
      }
    }
    position += 1
    if first == UInt8(ascii: ".") {
      while octet() == UInt8(ascii: ".") { position += 1 }
      if position - start > 1, octet() == UInt8(ascii: "<") { position += 1 }
    } else if let second = Self.pairs[first], second.contains(octet()) {
      position += 1
    }
    emit(.symbol, from: start)
  }

  /// Two-octet symbols that matter: `->`, `==`, `!=`, `<=`, `>=`, `&&`, `||`.
  private static let pairs: [UInt8: [UInt8]] = [
    UInt8(ascii: "-"): [UInt8(ascii: ">")], UInt8(ascii: "="): [UInt8(ascii: "=")],
    UInt8(ascii: "!"): [UInt8(ascii: "=")], UInt8(ascii: "<"): [UInt8(ascii: "=")],
    UInt8(ascii: ">"): [UInt8(ascii: "=")], UInt8(ascii: "&"): [UInt8(ascii: "&")],
    UInt8(ascii: "|"): [UInt8(ascii: "|")],
  ]

  private mutating func takePound() {
    let start = position
    while octet() == UInt8(ascii: "#") { position += 1 }
    let hashes = position - start
    if octet() == UInt8(ascii: "\"") { return beginString(hashes: hashes) }
    if octet() == UInt8(ascii: "/"), takePattern(hashes: hashes) { return }
    if hashes == 1, octet().isWordOctet {
      while position < octets.count, octet().isWordOctet { position += 1 }
      return emit(.pound, from: start)
    }
    emit(.symbol, from: start)
  }

  // MARK: Strings

  private mutating func beginString(hashes: Int) {
    let isMultiline = octet(1) == UInt8(ascii: "\"") && octet(2) == UInt8(ascii: "\"")
    // `#"""#` is a string that contains one quotation mark.
    let isOneMark = isMultiline && hashes > 0 && closes(hashes, at: position + 2)
    emit(.text, from: position, text: "\"")
    position += isMultiline && !isOneMark ? 3 : 1
    open.append(OpenString(hashes: hashes, isMultiline: isMultiline && !isOneMark))
    continueString()
  }

  private func closes(_ hashes: Int, at mark: Int) -> Bool {
    guard mark + hashes < octets.count, octets[mark] == UInt8(ascii: "\"") else { return false }
    return (1...max(hashes, 1)).allSatisfy { hashes == 0 || octets[mark + $0] == UInt8(ascii: "#") }
  }

  /// Continues in the innermost string until it ends or an interpolation begins.
  private mutating func continueString() {
    guard let string = open.last else { return }
    while position < octets.count {
      let current = octet()
      if current == UInt8(ascii: "\\") {
        if isEscape(string.hashes) {
          position += 1 + string.hashes
          if octet() == UInt8(ascii: "(") {
            open[open.count - 1].depth = 1
            position += 1
            return emit(.symbol, from: position - 1)
          }
        }
        if octet() != 0x0A { position += 1 }
      } else if current == UInt8(ascii: "\""), ends(string) {
        position += (string.isMultiline ? 3 : 1) + string.hashes
        open.removeLast()
        return
      } else if current == 0x0A, !string.isMultiline {
        // Unterminated string: the compiler reports it, so just continue after it.
        open.removeLast()
        return
      } else {
        position += 1
      }
    }
  }

  private func isEscape(_ hashes: Int) -> Bool {
    var index = 0
    while index < hashes {
      guard octet(1 + index) == UInt8(ascii: "#") else { return false }
      index += 1
    }
    return true
  }

  private func ends(_ string: OpenString) -> Bool {
    if !string.isMultiline { return closes(string.hashes, at: position) }
    return octet(1) == UInt8(ascii: "\"") && closes(string.hashes, at: position + 2)
  }

  // MARK: Regular expressions

  /// Consumes a regular expression if there is one here. With number signs, `position` is already past them.
  private mutating func takePattern(hashes: Int) -> Bool {
    if hashes == 0 {
      guard mayBeginPattern, octet(1) != 0x20, octet(1) != 0x09 else { return false }
    }
    let start = position - hashes
    var end = position + 1
    let limit = min(octets.count, position + Self.longestPattern)
    while end < limit, octets[end] != 0x0A {
      if octets[end] == UInt8(ascii: "\\") {
        end += 2
        continue
      }
      if octets[end] == UInt8(ascii: "/"), hasHashes(hashes, at: end + 1) {
        position = end + 1 + hashes
        emit(.pattern, from: start, text: "/")
        return true
      }
      end += 1
    }
    return false
  }

  private func hasHashes(_ count: Int, at start: Int) -> Bool {
    guard start + count <= octets.count else { return false }
    return octets[start..<(start + count)].allSatisfy { $0 == UInt8(ascii: "#") }
  }

  /// Whether an operand may begin here, so that a slash is not a division.
  private var mayBeginPattern: Bool {
    guard let last = tokens.last else { return true }
    switch last.kind {
    case .symbol: return ["(", ",", "=", ":", "[", "==", "!="].contains(last.text)
    case .word: return ["return", "in", "try", "case"].contains(last.text)
    case .quotedWord, .dollarWord, .number, .text, .pattern, .pound: return false
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
  fileprivate var isHexDigit: Bool {
    isDigit || (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "f")
  }
  /// Letters, digits, the underscore, and everything beyond ASCII.
  fileprivate var isWordOctet: Bool {
    (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z") || isDigit
      || self == UInt8(ascii: "_") || self >= 0x80
  }
}
