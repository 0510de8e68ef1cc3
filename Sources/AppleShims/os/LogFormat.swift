/// Formats messages with printf-style values, as passed to `os_log`.
enum LogFormat {
  /// The formatted message, with private values hidden.
  static func text(_ format: String, _ arguments: [Any]) -> String {
    var rest = Substring(format)
    var values = arguments[...]
    var text = ""
    while let place = rest.firstIndex(of: "%") {
      text += rest[..<place]
      rest = rest[rest.index(after: place)...]
      if rest.first == "%" {
        text += "%"
        rest.removeFirst()
        continue
      }
      let isPublic = takeMark(&rest)
      let (specification, kind) = takeSpecification(&rest)
      guard let value = values.popFirst() else {
        text += "<missing>"
        continue
      }
      text += isPublic ?? !"@sS".contains(kind) ? shown(value, specification, kind) : "<private>"
    }
    return text + rest
  }

  /// Parses a privacy annotation such as `{public}` or `{private, mask.hash}`; `nil` if there is none.
  private static func takeMark(_ rest: inout Substring) -> Bool? {
    guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return nil }
    let mark = rest[..<end]
    rest = rest[rest.index(after: end)...]
    if mark.contains("public") { return true }
    return mark.contains("private") || mark.contains("sensitive") ? false : nil
  }

  /// Parses flags, width, precision and length, up to the conversion letter.
  private static func takeSpecification(_ rest: inout Substring) -> (flags: String, kind: Character) {
    var flags = ""
    while let letter = rest.popFirst() {
      if letter == "@" || (letter.isLetter && !"lhqLzjt".contains(letter)) { return (flags, letter) }
      flags.append(letter)
    }
    return (flags, "@")
  }

  private static func shown(_ value: Any, _ flags: String, _ kind: Character) -> String {
    let figures = flags.filter { !"lhqLzjt".contains($0) }
    switch kind {
    case "d", "i": return (value as? any BinaryInteger).map { padded("\($0)", figures) } ?? "\(value)"
    case "u": return (value as? any BinaryInteger).map { padded("\($0)", figures) } ?? "\(value)"
    case "x":
      return (value as? any BinaryInteger).map { padded(String($0, radix: 16), figures) } ?? "\(value)"
    case "X":
      return (value as? any BinaryInteger).map { padded(String($0, radix: 16, uppercase: true), figures) }
        ?? "\(value)"
    case "f", "e", "g", "F", "E", "G", "a":
      guard let number = (value as? Double) ?? (value as? Float).map(Double.init) else { return "\(value)" }
      return String(format: "%\(figures)\(kind)", number)
    default: return "\(value)"
    }
  }

  /// Pads with leading zeroes or spaces to the given width.
  private static func padded(_ text: String, _ figures: String) -> String {
    let isZero = figures.hasPrefix("0")
    guard let width = Int(figures.prefix { $0.isNumber }), width <= 256, text.count < width else {
      return text
    }
    return String(repeating: isZero ? "0" : " ", count: width - text.count) + text
  }
}
