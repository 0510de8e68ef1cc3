/// What `PositionOptions.heights` say about a position's height, as a normal distribution.
struct HeightPrior: Sendable {
  /// Middle of the heights, metres.
  let mean: Double
  /// Half of their span squared, m²: wider than a uniform distribution, so that the ends stay likely.
  let variance: Double

  /// Metres; the prior is not narrower.
  private static let leastSigma = 0.05

  /// - Returns: `nil` if an end is infinite: such heights have no middle.
  init?(_ heights: ClosedRange<Double>) {
    guard heights.lowerBound.isFinite, heights.upperBound.isFinite else { return nil }
    mean = 0.5 * heights.lowerBound + 0.5 * heights.upperBound
    let half = max(0.5 * heights.upperBound - 0.5 * heights.lowerBound, Self.leastSigma)
    variance = half * half
  }

  /// Conditions a position and the columns of its covariance, m², on the heights.
  ///
  /// The filter itself does not take the heights as a measurement: it would count them anew with each one.
  func apply(
    to position: inout SIMD3<Double>,
    _ columns: inout (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
  ) {
    let across = columns.2
    let gain = across / (across.z + variance)
    position += gain * (mean - position.z)
    columns.0 -= gain * across.x
    columns.1 -= gain * across.y
    columns.2 -= gain * across.z
  }
}

extension PositionOptions {
  var heightPrior: HeightPrior? { heights.flatMap(HeightPrior.init) }
}
