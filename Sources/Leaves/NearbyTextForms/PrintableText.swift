/// Makes untrusted text safe to display: it can neither move the cursor, nor forge a line, nor reorder the
/// text around it.
///
/// Replaces each of these characters with U+FFFD: control characters (C0, DEL, C1), line and paragraph
/// separators, and invisible characters such as bidirectional marks, overrides and isolates, zero-width
/// characters, fillers and tags. Characters that a script or emoji needs are kept: joiners between letters of
/// Arabic or Indic scripts, and the parts of an emoji.
package enum PrintableText {
  private static let mark: Unicode.Scalar = "\u{FFFD}"
  /// Maximum number of scalars displayed per character; the longest emoji have ten.
  private static let longestCharacter = 12

  /// Cleans a name, a key or a short reason.
  ///
  /// - Parameter limit: Maximum number of characters, at least 1; longer text is cut and ends with an
  ///   ellipsis.
  package static func name(_ text: String, limit: Int = 256) -> String {
    let (shown, isCut) = characters(text, limit: limit)
    return isCut ? String(shown.prefix(limit - 1)) + "…" : String(shown)
  }

  /// The first characters of a text, each with few enough scalars for a terminal's cell.
  package static func characters(_ text: String, limit: Int) -> (shown: [Character], isCut: Bool) {
    // Limit the scalars first: a single character can be as long as the whole text.
    let longest = limit * longestCharacter
    let head = text.unicodeScalars.prefix(longest + 1)
    var shown: [Character] = []
    for character in replaced(String(head), kept: []) {
      guard shown.count < limit else { return (shown, true) }
      shown.append(shortened(character))
    }
    return (shown, head.count > longest)
  }

  /// Cleans one line of any length. Line breaks are replaced; tabs are kept.
  package static func line(_ text: String) -> String { replaced(text, kept: ["\t"]) }

  /// Cleans several lines of any length.
  package static func lines(_ text: String) -> String { replaced(text, kept: ["\t", "\n"]) }

  private static func shortened(_ character: Character) -> Character {
    guard character.unicodeScalars.count > longestCharacter else { return character }
    var head = Array(character.unicodeScalars.prefix(longestCharacter))
    while head.count > 1, let last = head.last, !isPrintable(last) { head.removeLast() }
    return String(String.UnicodeScalarView(head)).first ?? Character(mark)
  }

  /// Whether a scalar is safe in any context. Some other scalars are safe depending on their neighbours.
  package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: return true
    case 0..<0xA0, 0xAD: return false
    case 0xA1..<0x300: return true
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return false
    default: return !scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  private static func replaced(_ text: String, kept: Set<Unicode.Scalar>) -> String {
    func stays(_ scalar: Unicode.Scalar) -> Bool { isPrintable(scalar) || kept.contains(scalar) }
    if text.unicodeScalars.allSatisfy(stays) { return text }
    let scalars = Array(text.unicodeScalars)
    var shown = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      // Judge by the output so far: a replacement character joins nothing.
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      let isSafe = stays(scalar) || isNeeded(scalar, after: shown.last, before: next)
      shown.append(isSafe ? scalar : mark)
    }
    return String(shown)
  }

  /// Whether an invisible scalar is needed by the emoji or word around it.
  private static func isNeeded(
    _ scalar: Unicode.Scalar, after previous: Unicode.Scalar?, before next: Unicode.Scalar?
  ) -> Bool {
    guard let before = previous else { return false }
    switch scalar.value {
    case 0xFE0F, 0xFE0E: return before.properties.isEmoji
    case 0x200D where isEmojiPart(before): return next?.properties.isEmoji == true
    case 0x200C, 0x200D: return isJoining(before) && next.map(isJoining) == true
    default: return false
    }
  }

  /// Whether a scalar can end an emoji: a pictograph, a skin tone, or a variation selector.
  private static func isEmojiPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0F || (scalar.properties.isEmoji && scalar.value > 0x7F)
  }

  /// Whether a scalar is a letter or mark of a script that uses joiners: from Arabic to Khmer and Mongolian.
  private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
    (0x600..<0x1900).contains(scalar.value)
      && (scalar.properties.isAlphabetic || scalar.properties.isDiacritic)
  }
}
