/// Parses plain decimals such as `-12.3456` quickly and exactly.
enum DecimalNumber {
  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
  ]

  /// Returns `nil` unless the text is a plain decimal of at most 15 digits; the caller then uses the general
  /// parser.
  ///
  /// With up to 15 digits, both the integer of all digits and the power of ten are exact, so a single
  /// division rounds once and the result is the nearest `Double`.
  static func parse(_ bytes: [UInt8], from start: Int, to end: Int) -> Double? {
    var position = start
    var isNegative = false
    if position < end, bytes[position] == UInt8(ascii: "-") {
      isNegative = true
      position += 1
    }
    var mantissa: UInt64 = 0
    var digits = 0
    var decimals = 0
    var isBehindPoint = false
    while position < end {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "."), !isBehindPoint {
        isBehindPoint = true
        continue
      }
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10, digits < 15 else { return nil }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      digits += 1
      if isBehindPoint { decimals += 1 }
    }
    guard digits > 0 else { return nil }
    let magnitude = Double(mantissa) / powersOfTen[decimals]
    return isNegative ? -magnitude : magnitude
  }

  /// Formats a time as seconds with enough decimals to read back as the same nanosecond.
  static func text(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let nanoseconds = attoseconds / 1_000_000_000
    let isNegative = seconds < 0 || nanoseconds < 0
    var decimals = String(nanoseconds.magnitude)
    decimals = String(repeating: "0", count: 9 - decimals.count) + decimals
    while decimals.count > 1, decimals.last == "0" { decimals.removeLast() }
    return "\(isNegative ? "-" : "")\(seconds.magnitude).\(decimals)"
  }
}
