import NearbyMaths

/// The smallest covariance that a position from given anchors can have: the bound of Cramér and Rao.
///
/// Differences of distances carry the information of the distances themselves with one unknown common
/// length, so with weights w = 1/σ² and directions u from the anchors to the tag the information is
/// Σ w u uᵀ − (Σ w u)(Σ w u)ᵀ / Σ w for differences, and the first sum alone for ranges (Kay, *Fundamentals of
/// Statistical Signal Processing: Estimation Theory*, chapter 3). The bound holds for errors without bias; an
/// estimator with prior knowledge can be better, one that meets wild values is worse.
public struct PositionBound: Sendable {
  /// Which measurements a tag has.
  public enum Kind: Hashable, Sendable { case differences, ranges }

  private let kind: Kind
  private var rows = (SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero)
  private var pull = SIMD3<Double>.zero
  private var weight = 0.0
  /// Number of anchors so far.
  public private(set) var anchors = 0
  private let heightWeight: Double

  /// - Parameters:
  ///   - kind: Which measurements the tag has.
  ///   - heightSigma: Standard deviation of the tag's height as far as it is known otherwise, metres, positive;
  ///     `nil` if it is unknown.
  public init(_ kind: Kind, heightSigma: Double? = nil) {
    self.kind = kind
    heightWeight = heightSigma.map { 1 / ($0 * $0) } ?? 0
  }

  /// Adds an anchor.
  ///
  /// - Parameters:
  ///   - anchor: Its place, metres.
  ///   - tag: The tag's place, metres.
  ///   - sigma: Standard deviation of the anchor's distance, metres, positive.
  public mutating func add(_ anchor: SIMD3<Double>, from tag: SIMD3<Double>, sigma: Double) {
    let direction = (tag - anchor).normalised(or: .zero)
    let share = 1 / (sigma * sigma)
    rows.0 += share * direction.x * direction
    rows.1 += share * direction.y * direction
    rows.2 += share * direction.z * direction
    pull += share * direction
    weight += share
    anchors += 1
  }

  /// Standard deviations along the axes, metres; `nil` if the anchors don't determine every axis.
  public var sigma: SIMD3<Double>? {
    guard weight > 0 else { return nil }
    var (x, y, z) = rows
    if kind == .differences {
      x -= pull.x / weight * pull
      y -= pull.y / weight * pull
      z -= pull.z / weight * pull
    }
    z.z += heightWeight
    let minors = SIMD3(
      y.y * z.z - y.z * y.z, x.x * z.z - x.z * x.z, x.x * y.y - x.y * x.y)
    let determinant = x.dot(y.cross(z))
    // Relative to the scale of the entries, so that rounding does not count as information.
    guard determinant > 1e-9 * x.x * y.y * z.z else { return nil }
    let variances = minors / determinant
    guard variances.min() > 0, variances.max().isFinite else { return nil }
    return variances.squareRoot()
  }
}
