/// What a solver assumes about the radios and the motion.
///
/// The defaults were chosen on recordings of ultra-wideband radios in rooms (`Docs/position.md`).
public struct PositionOptions: Hashable, Sendable {
  /// Standard deviation of a measurement's noise, metres.
  public var measurementSigma = 0.15
  /// Standard deviation of the error that an anchor's measurements share for about `biasTime`, metres:
  /// antennas, echoes and blocked paths.
  public var biasSigma = 0.12
  /// Seconds after which an anchor's shared error is forgotten.
  public var biasTime = 1.0
  /// Typical speed of the tag, m/s along each axis.
  public var speed = 0.8
  /// Seconds for which the tag keeps its velocity.
  public var motionTime = 1.2
  /// Heights in which the tag can be, metres in the anchors' frame; `nil` if unknown.
  ///
  /// Anchors that all hang at one height can't tell a tag below them from its mirror image above. Without
  /// heights, a position more than a metre above or below anchors of different heights is not reported.
  public var heights: ClosedRange<Double>?
  /// Largest standard deviation of a position that is reported, metres along any axis.
  public var largestSigma = 3.0
  /// Seconds without a usable measurement after which no position is reported.
  public var longestOutage = 1.0

  /// The anchors' lasting errors, if they were learned.
  public var bias: AnchorBias?

  /// The defaults.
  public init() {}
}
