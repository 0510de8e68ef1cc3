/// Conversions of durations with the results of the standard library's, in a sixth of the instructions: its 128-bit
/// arithmetic is generic code behind calls.
extension Duration {
  @usableFromInline
  static var attosecondsPerSecond: UInt64 { 1_000_000_000_000_000_000 }

  /// Equal to `components`.
  @inlinable
  package var quickComponents: (seconds: Int64, attoseconds: Int64) {
    let magnitude = attoseconds.magnitude
    let high = UInt64(truncatingIfNeeded: magnitude >> 64)
    // The quotient has to fit 63 bits.
    guard high < Self.attosecondsPerSecond / 2 else { return components }
    let low = UInt64(truncatingIfNeeded: magnitude)
    let (quotient, remainder) = Self.attosecondsPerSecond.dividingFullWidth((high, low))
    let seconds = Int64(truncatingIfNeeded: quotient)
    let rest = Int64(truncatingIfNeeded: remainder)
    return attoseconds < 0 ? (0 &- seconds, 0 &- rest) : (seconds, rest)
  }

  /// Equal to `self / .seconds(1)`, which is correctly rounded twice: the attoseconds, then the quotient.
  @inlinable
  package var dividedBySecond: Double {
    let magnitude = attoseconds.magnitude
    let high = UInt64(truncatingIfNeeded: magnitude >> 64)
    var significand = UInt64(truncatingIfNeeded: magnitude)
    var scale = 1.0
    if high != 0 {
      let zeros = high.leadingZeroBitCount
      let shifted = magnitude << UInt128(truncatingIfNeeded: zeros)
      // The lowest bit records whether any bit below was set, so that rounding to 53 bits cannot mistake it for a tie.
      let isInexact = UInt64(truncatingIfNeeded: shifted) != 0
      significand = UInt64(truncatingIfNeeded: shifted >> 64) | (isInexact ? 1 : 0)
      scale = Double(sign: .plus, exponent: 64 &- zeros, significand: 1)
    }
    let seconds = Double(significand) * scale / Double(Self.attosecondsPerSecond)
    return attoseconds < 0 ? -seconds : seconds
  }
}
