/// A figure of merit says how sure an angle is: 100 / (1 + σ / 10°), rounded, in percent.
///
/// The specification leaves the scale to the maker. This one is the virtual chip's; another maker's figure read
/// the same way is still monotonous, which is what a weight needs.
///
/// 100 % is σ = 0, 91 % is 1°, 67 % is 5°, 50 % is 10°, 25 % is 30°. It falls with σ everywhere, never reaches
/// 0 (which means "not available" on the wire), and can be read back, which `sigma` does.
package enum AngleFigureOfMerit {
  private static let halfway = 10 * Double.pi / 180
  /// Rounding to a percent hides what is smaller.
  private static let finest = 0.05 * Double.pi / 180

  /// - Parameter sigma: Standard deviation, radians; what is negative or no number counts as unusable.
  /// - Returns: 1 to 100.
  package static func percent(sigma: Double) -> UInt8 {
    guard sigma >= 0, sigma.isFinite else { return 1 }
    return UInt8(min(max((100 / (1 + sigma / halfway)).rounded(), 1), 100))
  }

  /// - Parameter percent: 1 to 100; 0 is "not available".
  /// - Returns: The standard deviation in radians the figure stands for; `nil` for 0.
  package static func sigma(percent: UInt8) -> Double? {
    guard percent > 0 else { return nil }
    return max(finest, halfway * (100 / Double(min(percent, 100)) - 1))
  }
}
