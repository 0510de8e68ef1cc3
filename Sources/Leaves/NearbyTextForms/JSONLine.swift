/// One JSON object on one line, its keys in the order in which they were added.
package struct JSONLine {
  package private(set) var text = "{"

  package init() {}

  private mutating func key(_ name: String) {
    if text.utf8.count > 1 { text += "," }
    text += "\"\(name)\":"
  }

  package mutating func add(_ name: String, text value: String?) {
    key(name)
    text += value.map(Self.quoted) ?? "null"
  }

  /// - Parameter decimals: Digits behind the point.
  package mutating func add(_ name: String, _ value: Double?, decimals: Int) {
    key(name)
    text += value.flatMap { $0.isFinite ? NumberFormat.fixed($0, decimals) : nil } ?? "null"
  }

  /// The shortest text that reads back as the same number.
  package mutating func add(_ name: String, exactly value: Double?) {
    key(name)
    text += value.flatMap { $0.isFinite ? "\($0)" : nil } ?? "null"
  }

  package mutating func add(_ name: String, _ value: Int?) {
    key(name)
    text += value.map { "\($0)" } ?? "null"
  }

  package mutating func add(_ name: String, _ value: Bool) {
    key(name)
    text += value ? "true" : "false"
  }

  /// A value that is JSON already.
  package mutating func add(_ name: String, json value: String) {
    key(name)
    text += value
  }

  /// Ends the object; the line feed is the caller's.
  package func closed() -> String { text + "}" }

  package static func quoted(_ value: String) -> String {
    var out = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      // Escaped, so that a line on a terminal is as safe as it is exact.
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
