extension String {
  /// The text made safe for a message: one line, without anything that moves a terminal's cursor.
  ///
  /// Control characters, which files may contain, become escapes such as `\u{1B}`.
  package var inOneLine: String {
    var line = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .format:
        line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }
}
