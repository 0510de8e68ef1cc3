/// Makes strangers' text safe to show: it cannot move a cursor, forge a line or reorder the text beside it.
///
/// Replaced, one for one, by U+FFFD: control characters (C0, DEL, C1), line and paragraph separators, and invisible
/// characters: bidirectional marks, overrides and isolates, zero-width characters, fillers, tags. What a script or an
/// emoji needs stays: joiners between letters of Arabic or Indic scripts, and the parts of one emoji.
package enum PrintableText {
  private static let mark: Unicode.Scalar = "\u{FFFD}"
  /// Scalars of one character that are shown; the longest emoji have ten.
  private static let longestCharacter = 12

  /// A name, a key or a short reason.
  ///
  /// - Parameter limit: Characters to show, 1 or more; longer text is cut and ends with an ellipsis.
  package static func name(_ text: String, limit: Int = 256) -> String {
    let (shown, isCut) = characters(text, limit: limit)
    return isCut ? String(shown.prefix(limit - 1)) + "…" : String(shown)
  }

  /// The first characters of a text, each with few enough scalars for a terminal's cell.
  package static func characters(_ text: String, limit: Int) -> (shown: [Character], isCut: Bool) {
    // Counts scalars before characters: one character may be as long as the whole text.
    let longest = limit * longestCharacter
    let head = text.unicodeScalars.prefix(longest + 1)
    var shown: [Character] = []
    for character in replaced(String(head), kept: []) {
      guard shown.count < limit else { return (shown, true) }
      shown.append(shortened(character))
    }
    return (shown, head.count > longest)
  }

  /// One line of any length: a line break in it is replaced too; a tab stays.
  package static func line(_ text: String) -> String { replaced(text, kept: ["\t"]) }

  /// Several lines of any length.
  package static func lines(_ text: String) -> String { replaced(text, kept: ["\t", "\n"]) }

  private static func shortened(_ character: Character) -> Character {
    guard character.unicodeScalars.count > longestCharacter else { return character }
    var head = Array(character.unicodeScalars.prefix(longestCharacter))
    while head.count > 1, let last = head.last, !isPrintable(last) { head.removeLast() }
    return String(String.UnicodeScalarView(head)).first ?? Character(mark)
  }

  /// Whether a scalar is safe by itself; text may contain others that are safe where they stand.
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
      // Judged by what is shown before it: a replacement joins nothing.
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      let isSafe = stays(scalar) || isNeeded(scalar, after: shown.last, before: next)
      shown.append(isSafe ? scalar : mark)
    }
    return String(shown)
  }

  /// Whether an invisible scalar is part of the emoji or word around it.
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

  /// The end of one emoji: a picture, a skin tone, or the selector behind a picture.
  private static func isEmojiPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0F || (scalar.properties.isEmoji && scalar.value > 0x7F)
  }

  /// Letters and marks of scripts whose spelling uses joiners: from Arabic to Khmer and Mongolian.
  private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
    (0x600..<0x1900).contains(scalar.value)
      && (scalar.properties.isAlphabetic || scalar.properties.isDiacritic)
  }
}
