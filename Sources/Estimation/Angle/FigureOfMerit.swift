/// What a chip's figure of merit says of an angle, in radians.
///
/// The specification leaves the scale to the maker: 0 to 100 percent. Ours halves with every 10° of standard
/// deviation, 100 · 2^(−σ / 10°), so that 100 is a perfect angle, 87 is 2°, 50 is 10°. Other makers' figures
/// read the same way are monotonous, which is all that a weight needs.
package enum FigureOfMerit {
  /// Standard deviation at which the figure is 50.
  private static let halving = 10 * Double.pi / 180
  private static let logarithmOfTwo = 0.693_147_180_559_945_3
  /// No phase is measured better than this, whatever the figure says.
  private static let smallestSigma = 0.5 * Double.pi / 180

  /// 1 to 100 for an angle of this standard deviation, radians; 0 where there is none.
  package static func percent(sigma: Double) -> UInt8 {
    guard sigma.isFinite, sigma >= 0 else { return 0 }
    let percent = 100 * Maths.exp(-sigma / halving * logarithmOfTwo)
    return UInt8(min(100, max(1, percent.rounded())))
  }

  /// Radians, > 0; `nil` for 0, which says that there is no angle.
  package static func sigma(percent: UInt8) -> Double? {
    guard percent > 0 else { return nil }
    let share = Double(min(percent, 100)) / 100
    return max(smallestSigma, -halving * Maths.log(share) / logarithmOfTwo)
  }
}
