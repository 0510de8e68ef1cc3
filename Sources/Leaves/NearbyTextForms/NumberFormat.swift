/// Formats numbers independently of the locale, with a decimal point and a fixed number of decimals.
package enum NumberFormat {
  /// Formats with at most six decimals; negative zero is written as "0.0".
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
    let scale = [1.0, 10, 100, 1000, 10_000, 100_000, 1_000_000][min(max(decimals, 0), 6)]
    let scaled = Int64((abs(value) * scale).rounded())
    let (whole, part) = scaled.quotientAndRemainder(dividingBy: Int64(scale))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(whole)" }
    let digits = String(part)
    return "\(sign)\(whole)." + String(repeating: "0", count: min(decimals, 6) - digits.count) + digits
  }

  package static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// The smallest 1, 2 or 5 times a power of ten that is at least `value`, which must be greater than 0.
  package static func niceStep(atLeast value: Double) -> Double {
    var power = 1e-6
    while power < 1e9 {
      for factor in [1.0, 2, 5] where factor * power >= value * 0.999_999 { return factor * power }
      power *= 10
    }
    return power
  }
}
