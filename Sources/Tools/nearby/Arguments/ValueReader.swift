/// How one type is written in an option, and how to say so when it is written otherwise.
struct ValueReader<Value> {
  /// What the error calls a right value, as in "found 'x', expected …".
  var expected: String
  var read: (String) -> Value?
}

/// How fast simulated time passes.
enum PlaybackSpeed: Equatable, Sendable {
  /// Simulated seconds a second, > 0.
  case times(Double)
  /// As fast as the machine can.
  case max
}

extension ValueReader where Value == Int {
  static func integer(_ range: ClosedRange<Int>) -> Self {
    Self(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      NumberText.whole(text).flatMap(Int.init(exactly:)).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ValueReader where Value == UInt64 {
  /// A seed: any 64-bit number, decimal or hexadecimal.
  static var seed: Self {
    Self(expected: "a whole number from 0 to 18446744073709551615, or 0x…", read: NumberText.whole)
  }
}

extension ValueReader where Value == UInt32 {
  /// A session's id: 32 bits, decimal or hexadecimal.
  static var sessionID: Self {
    Self(expected: "a session id from 0 to 4294967295, or 0x…") { text in
      NumberText.whole(text).flatMap(UInt32.init(exactly:))
    }
  }
}

extension ValueReader where Value == UInt16 {
  /// A number of 16 bits, decimal or hexadecimal.
  static var sixteenBits: Self {
    Self(expected: "a number from 0x0000 to 0xffff") { text in
      NumberText.whole(text).flatMap(UInt16.init(exactly:))
    }
  }
}

extension ValueReader where Value == Double {
  /// A finite number within a range.
  static func number(_ range: ClosedRange<Double>, unit: String) -> Self {
    let bounds = "from \(range.lowerBound) to \(range.upperBound)"
    return Self(expected: "a number of \(unit) \(bounds)") { text in
      Double(text).flatMap { $0.isFinite && range.contains($0) ? $0 : nil }
    }
  }
}

extension ValueReader where Value == Duration {
  /// "10", "10s", "250ms", "2min": seconds without a unit. More than zero, at most a day.
  static var duration: Self {
    Self(expected: "a time over 0 and up to a day, such as 10, 10s, 250ms or 2min") { text in
      let units: [(String, Double)] = [("ms", 0.001), ("min", 60), ("s", 1), ("h", 3600)]
      let unit = units.first { text.hasSuffix($0.0) }
      guard let number = NumberText.plain(String(text.dropLast(unit?.0.count ?? 0))) else { return nil }
      let seconds = number * (unit?.1 ?? 1)
      guard seconds >= 1e-9, seconds <= 86_400 else { return nil }
      return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
  }
}

extension ValueReader where Value == PlaybackSpeed {
  /// "1", "2.5x", "max".
  static var speed: Self {
    Self(expected: "a factor over 0 and up to 1000 such as 1 or 2.5x, or max") { text in
      if text == "max" { return .max }
      let number = NumberText.plain(text.hasSuffix("x") ? String(text.dropLast()) : text)
      return number.flatMap { $0 > 0 && $0 <= 1000 ? .times($0) : nil }
    }
  }
}

extension ValueReader where Value == [UInt8] {
  /// Octets as hexadecimal digits; colons between octets are allowed.
  static func octets(_ counts: [Int]) -> Self {
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

/// Numbers as people write them in options: without sign, exponent, "inf" or "nan".
enum NumberText {
  static func whole(_ text: String) -> UInt64? {
    let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
    let digits = isHexadecimal ? text.dropFirst(2) : text[...]
    guard digits.first != "+", digits.first != "-" else { return nil }
    return UInt64(digits, radix: isHexadecimal ? 16 : 10)
  }

  static func plain(_ text: String) -> Double? {
    guard !text.isEmpty, text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) else { return nil }
    return Double(text)
  }
}
