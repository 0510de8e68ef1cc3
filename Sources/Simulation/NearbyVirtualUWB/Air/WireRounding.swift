/// Rounds to the integers used on the wire.
enum WireRounding {
  /// The nearest integer within `range`, with halves rounded away from zero; 0 for NaN.
  static func nearest(_ value: Double, in range: ClosedRange<Int>) -> Int {
    guard !value.isNaN else { return 0 }
    // Clamp first, so that the conversion cannot fail.
    let clamped = min(max(value, Double(range.lowerBound)), Double(range.upperBound))
    return Int(clamped < 0 ? clamped - 0.5 : clamped + 0.5)
  }
}
