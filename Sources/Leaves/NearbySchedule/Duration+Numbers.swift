import NearbyMaths

extension Duration {
  /// Seconds as a floating-point number, accurate to 1 ns in the first hundred days.
  ///
  /// About one duration in five differs from `self / .seconds(1)` in the last bit, and recorded runs depend
  /// on which of the two was used. This one is 20 times faster because it converts two 64-bit halves instead
  /// of a 128-bit integer.
  @inlinable
  package var inSeconds: Double {
    let (seconds, attoseconds) = quickComponents
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// Whole nanoseconds, rounded towards zero and clamped to the range of 64 bits, ±292 years.
  @inlinable
  package var inNanoseconds: Int64 {
    let (seconds, attoseconds) = quickComponents
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, isPast) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard !isPast else { return seconds < 0 ? .min : .max }
    return sum
  }

  /// Whole milliseconds, rounded up, of a duration of at least zero; 0 for a negative one, and the largest number for
  /// one that 64 bits cannot hold.
  @inlinable
  package var inMillisecondsRoundedUp: Int64 {
    guard self > .zero else { return 0 }
    let (seconds, attoseconds) = quickComponents
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, isPast) = whole.addingReportingOverflow(
      (attoseconds &+ 999_999_999_999_999) / 1_000_000_000_000_000)
    return overflow || isPast ? .max : sum
  }
}
