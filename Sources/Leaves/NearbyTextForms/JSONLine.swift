/// Builds one JSON object on a single line, with keys in the order they were added.
package struct JSONLine {
  package private(set) var text = "{"

  package init() {}

  private mutating func key(_ name: String) {
    if text.utf8.count > 1 { text += "," }
    text += Self.quoted(name)
    text += ":"
  }

  package mutating func add(_ name: String, text value: String?) {
    key(name)
    text += value.map(Self.quoted) ?? "null"
  }

  /// - Parameter decimals: Digits after the decimal point.
  package mutating func add(_ name: String, _ value: Double?, decimals: Int) {
    key(name)
    text += value.flatMap { $0.isFinite ? NumberFormat.fixed($0, decimals) : nil } ?? "null"
  }

  /// Writes the shortest text that parses to the same number.
  package mutating func add(_ name: String, exactly value: Double?) {
    key(name)
    text += value.flatMap { $0.isFinite ? "\($0)" : nil } ?? "null"
  }

  package mutating func add(_ name: String, _ value: Int?) {
    key(name)
    text += value.map { "\($0)" } ?? "null"
  }

  package mutating func add(_ name: String, _ value: Bool?) {
    key(name)
    text += value.map { $0 ? "true" : "false" } ?? "null"
  }

  /// Adds a value that is already JSON.
  package mutating func add(_ name: String, json value: String) {
    key(name)
    text += value
  }

  /// The finished object, without a line feed.
  package func closed() -> String { text + "}" }

  package static func quoted(_ value: String) -> String {
    // Nearly all are plain, and they are written by the thousand.
    if value.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) {
      return "\"\(value)\""
    }
    var out = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      // Escape unprintable characters, so that the line is both exact and safe on a terminal.
      case _ where !PrintableText.isPrintable(scalar):
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}
