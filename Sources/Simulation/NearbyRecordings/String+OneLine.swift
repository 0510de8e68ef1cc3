extension String {
  /// The text as it can stand in a message: one line, and nothing that moves a terminal's cursor.
  ///
  /// Control characters, which files may hold, are written as `\u{1B}`.
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
