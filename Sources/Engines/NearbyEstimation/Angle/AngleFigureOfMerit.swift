/// Converts the standard deviation of an angle to a figure of merit and back: 100 / (1 + σ / 10°), rounded,
/// in percent.
///
/// The UCI specification leaves the scale to the chip's maker. This one is the virtual chip's. Another
/// maker's figure that is read this way is still monotonic in σ, which is all that a weight needs.
///
/// 100 % is σ = 0, 91 % is 1°, 67 % is 5°, 50 % is 10°, 25 % is 30°. The figure falls with σ everywhere, and
/// never reaches 0, which means "not available" on the wire.
package enum AngleFigureOfMerit {
  private static let halfway = 10 * Double.pi / 180
  /// Rounding to a percent hides anything smaller.
  private static let finest = 0.05 * Double.pi / 180

  /// - Parameter sigma: Standard deviation in radians; a value that is negative or not a number counts as
  ///   unusable.
  /// - Returns: 1 to 100.
  package static func percent(sigma: Double) -> UInt8 {
    guard sigma >= 0, sigma.isFinite else { return 1 }
    return UInt8(min(max((100 / (1 + sigma / halfway)).rounded(), 1), 100))
  }

  /// - Parameter percent: 1 to 100, or 0 for "not available".
  /// - Returns: The standard deviation in radians that the figure stands for; `nil` for 0.
  package static func sigma(percent: UInt8) -> Double? {
    guard percent > 0 else { return nil }
    return max(finest, halfway * (100 / Double(min(percent, 100)) - 1))
  }
}
