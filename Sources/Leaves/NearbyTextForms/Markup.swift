/// Text inside XML and HTML.
package enum Markup {
  /// Escapes what has a meaning in markup, also inside quotation marks, and replaces the
  /// characters that are none in XML (W3C, "Extensible Markup Language (XML) 1.0", section 2.2).
  package static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in PrintableText.line(text).unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&#39;"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
