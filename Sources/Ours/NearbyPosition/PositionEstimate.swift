/// The reason why there is no position.
public enum PositionUnavailable: String, CaseIterable, Hashable, Sendable {
  /// Too few measurements so far.
  case startingUp
  /// Fewer anchors heard than a position needs: four, or three if the height is known.
  case tooFewAnchors
  /// The anchors heard leave the position uncertain or ambiguous.
  case geometry
  /// The measurements contradict each other: an anchor may be misplaced, or its clock wrong.
  case inconsistent
  /// Time stamps can't be brought to one clock, or ran backwards.
  case clock
  /// The newest measurement is too old.
  case outage
}

/// Position and velocity of a tag at one time.
public struct PositionEstimate: Equatable, Sendable {
  /// Seconds, on the measurements' clock.
  public var time: Double
  /// Metres in the anchors' frame; `nil` if unknown, see `unavailable`.
  public var position: SIMD3<Double>?
  /// m/s in the anchors' frame; `nil` together with `position`.
  public var velocity: SIMD3<Double>?
  /// The storey; `nil` without a position, if no anchor announces its storey, or if the height is too uncertain.
  public var floor: PositionFloor?
  /// Covariance of the position, m²: three columns, symmetric. It includes the anchors' standing errors.
  public var covariance: [SIMD3<Double>] {
    [columns.0, columns.1, columns.2]
  }
  /// Why there is no position; `nil` if there is one.
  public var unavailable: PositionUnavailable?
  /// Measurements so far that were used.
  public var used: Int
  /// Measurements so far that were rejected.
  public var rejected: Int
  package var columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  /// Standard deviations of the position along the axes, metres.
  public var positionSigma: SIMD3<Double> {
    SIMD3(columns.0.x, columns.1.y, columns.2.z).squareRoot()
  }

  /// Whether all figures are equal.
  public static func == (a: Self, b: Self) -> Bool {
    a.time == b.time && a.position == b.position && a.velocity == b.velocity && a.columns == b.columns
      && a.floor == b.floor && a.unavailable == b.unavailable && a.used == b.used && a.rejected == b.rejected
  }
}
