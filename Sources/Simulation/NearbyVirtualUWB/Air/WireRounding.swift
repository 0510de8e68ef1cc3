/// Rounds to the wire's whole numbers.
enum WireRounding {
  /// The nearest whole number within `range`, halves away from zero; 0 for what is no number.
  static func nearest(_ value: Double, in range: ClosedRange<Int>) -> Int {
    guard !value.isNaN else { return 0 }
    // Clamped first, so that the conversion cannot fail.
    let clamped = min(max(value, Double(range.lowerBound)), Double(range.upperBound))
    return Int(clamped < 0 ? clamped - 0.5 : clamped + 0.5)
  }
}
