import NearbyStateOctets

/// Where a tag is, and how certain that is.
package struct SitePosition: Equatable, Sendable {
  /// What determined it.
  package enum Source: String, CaseIterable, Equatable, Sendable {
    /// Two-way ranges or time differences.
    case ultraWideband = "uwb"
    /// Loudness of Bluetooth advertisements.
    case beacon = "ibeacon"
  }

  /// Metres in the site's frame.
  package var position: SIMD3<Double>
  /// m/s; `nil` if unknown.
  package var velocity: SIMD3<Double>?
  /// Covariance of the position, m²: xx, yy, zz, xy, xz, yz.
  package var covariance: (xx: Double, yy: Double, zz: Double, xy: Double, xz: Double, yz: Double)
  /// The storey's number.
  package var floor: Int
  package var source: Source
  /// Unix seconds.
  package var time: Double

  package init(
    position: SIMD3<Double>, velocity: SIMD3<Double>?,
    covariance: (xx: Double, yy: Double, zz: Double, xy: Double, xz: Double, yz: Double), floor: Int,
    source: Source, time: Double
  ) {
    self.position = position
    self.velocity = velocity
    self.covariance = covariance
    self.floor = floor
    self.source = source
    self.time = time
  }

  mutating func code(_ coder: inout StateCoder) {
    coder.code(&position)
    coder.code(&velocity, new: .zero) { $0.code(&$1) }
    coder.code(finite: &covariance.xx)
    coder.code(finite: &covariance.yy)
    coder.code(finite: &covariance.zz)
    coder.code(finite: &covariance.xy)
    coder.code(finite: &covariance.xz)
    coder.code(finite: &covariance.yz)
    coder.code(&floor, in: -1000...1000)
    coder.code(&source)
    coder.code(finite: &time)
    coder.require(position.sum().isFinite && (velocity?.sum().isFinite ?? true))
  }

  static let unknown = SitePosition(
    position: .zero, velocity: nil, covariance: (1, 1, 1, 0, 0, 0), floor: 0, source: .beacon, time: 0)

  /// Standard deviations along the axes, metres.
  package var sigma: SIMD3<Double> {
    SIMD3(covariance.xx, covariance.yy, covariance.zz).squareRoot()
  }

  /// Radius of the circle in the plan that contains 68 % of the error if it is equal in all directions, metres.
  package var accuracy: Double { (1.15 * (covariance.xx + covariance.yy)).squareRoot() }

  /// Variance along a direction in the plan, a unit vector, m².
  package func variance(along direction: SIMD2<Double>) -> Double {
    let (x, y) = (direction.x, direction.y)
    return max(x * x * covariance.xx + y * y * covariance.yy + 2 * x * y * covariance.xy, 0)
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.position == b.position && a.velocity == b.velocity && a.covariance == b.covariance
      && a.floor == b.floor && a.source == b.source && a.time == b.time
  }
}
