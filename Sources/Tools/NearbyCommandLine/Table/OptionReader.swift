/// Parses one type from the text of an option or argument, and describes what it expects.
package struct OptionReader<Value>: Sendable {
  /// Description of a valid value, as in "found 'x', expected …".
  package let expected: String
  /// What completion offers.
  package let kind: ValueKind
  package let read: @Sendable (String) -> Value?

  package init(expected: String, kind: ValueKind = .word, read: @escaping @Sendable (String) -> Value?) {
    self.expected = expected
    self.kind = kind
    self.read = read
  }

  /// Joins choices for a message: "1, 2 or pica".
  static func list(_ choices: [String]) -> String {
    guard let last = choices.last, choices.count > 1 else { return choices.joined() }
    return choices.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension OptionReader where Value: Sendable {
  /// One of several words, in the order of completion.
  package static func choice(_ choices: KeyValuePairs<String, Value>) -> Self {
    choice(choices.map { ($0.key, $0.value) })
  }

  package static func choice(_ choices: [(name: String, value: Value)]) -> Self {
    let names = choices.map(\.name)
    let values = Dictionary(choices.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    return Self(expected: list(names), kind: .choice(names)) { values[$0] }
  }
}

extension OptionReader where Value == String {
  package static var text: Self { Self(expected: "a text") { $0 } }
  /// A path of a file.
  package static var file: Self { Self(expected: "a file", kind: .file) { $0 } }
  /// A path of a folder.
  package static var folder: Self { Self(expected: "a folder", kind: .folder) { $0 } }
}

extension OptionReader where Value == Int {
  package static func integer(_ range: ClosedRange<Int>) -> Self {
    Self(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      NumberText.whole(text).flatMap(Int.init(exactly:)).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension OptionReader where Value == UInt64 {
  /// A seed: any 64-bit number, decimal or hexadecimal.
  package static var seed: Self {
    Self(expected: "a whole number from 0 to 18446744073709551615, or 0x…", read: NumberText.whole)
  }
}

extension OptionReader where Value == UInt16 {
  /// A 16-bit number, decimal or hexadecimal.
  package static var sixteenBits: Self {
    Self(expected: "a number from 0x0000 to 0xffff") { text in
      NumberText.whole(text).flatMap(UInt16.init(exactly:))
    }
  }
}

extension OptionReader where Value == Double {
  /// A finite number within a range.
  package static func number(_ range: ClosedRange<Double>, unit: String) -> Self {
    let bounds = "from \(range.lowerBound) to \(range.upperBound)"
    return Self(expected: "a number of \(unit) \(bounds)") { text in
      Double(text).flatMap { $0.isFinite && range.contains($0) ? $0 : nil }
    }
  }
}

extension OptionReader where Value == Duration {
  /// "10", "10s", "250ms", "2min"; seconds if there is no unit. More than 0, at most a day.
  package static var duration: Self {
    Self(expected: "a time over 0 and up to a day, such as 10, 10s, 250ms or 2min") { text in
      let units: [(String, Double)] = [("ms", 0.001), ("min", 60), ("s", 1), ("h", 3600)]
      let unit = units.first { text.hasSuffix($0.0) }
      guard let number = NumberText.plain(String(text.dropLast(unit?.0.count ?? 0))) else { return nil }
      let seconds = number * (unit?.1 ?? 1)
      // From a nanosecond to a day: anything longer is more likely a slip.
      guard seconds >= 1e-9, seconds <= 86_400 else { return nil }
      return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
  }
}

extension OptionReader where Value == [UInt8] {
  /// Octets as hexadecimal digits; colons between octets are allowed.
  package static func octets(_ counts: [Int]) -> Self {
    let wanted = counts.map { "\($0 * 2)" }.joined(separator: " or ")
    return Self(expected: "\(wanted) hexadecimal digits") { text in
      let written = text.filter { $0 != ":" }
      let digits = written.compactMap(\.hexDigitValue)
      guard digits.count == written.count, digits.count.isMultiple(of: 2), counts.contains(digits.count / 2)
      else { return nil }
      return stride(from: 0, to: digits.count, by: 2).map {
        UInt8(truncatingIfNeeded: digits[$0] << 4 | digits[$0 + 1])
      }
    }
  }
}

/// Numbers as written in options: no sign, exponent, "inf" or "nan".
package enum NumberText {
  package static func whole(_ text: String) -> UInt64? {
    let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
    let digits = isHexadecimal ? text.dropFirst(2) : text[...]
    guard digits.first != "+", digits.first != "-" else { return nil }
    return UInt64(digits, radix: isHexadecimal ? 16 : 10)
  }

  package static func plain(_ text: String) -> Double? {
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) else { return nil }
    return Double(text)
  }
}
