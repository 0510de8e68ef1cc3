/// How far a device's track may be trusted: what a camera tracker gets wrong, as standard deviations.
package struct TrackQuality: Equatable, Sendable {
  /// Relative error of lengths.
  package var scaleSigma: Double
  /// Constant rate at which the track turns away from the truth, rad/s.
  package var yawRateSigma: Double
  /// Random walk of the heading, rad/√s.
  package var yawWalk: Double
  /// Random walk of the position, m/√m walked.
  package var positionWalk: Double

  package init(scaleSigma: Double, yawRateSigma: Double, yawWalk: Double, positionWalk: Double) {
    self.scaleSigma = scaleSigma
    self.yawRateSigma = yawRateSigma
    self.yawWalk = yawWalk
    self.positionWalk = positionWalk
  }

  /// A motion-capture or survey track.
  package static let surveyed = TrackQuality(
    scaleSigma: 1e-5, yawRateSigma: 1e-7, yawWalk: 0, positionWalk: 0)
  /// A visual-inertial tracker of a phone: about 1 % of the way, 1° a minute.
  package static let visualInertial = TrackQuality(
    scaleSigma: 0.01, yawRateSigma: 3.5e-4, yawWalk: 1.2e-3, positionWalk: 0.008)
}

/// What the estimator takes for granted about radio, geometry and statements.
///
/// Reasons and sources: `Docs/assistance.md`.
package struct AssistanceParameters: Equatable, Sendable {
  package var track = TrackQuality.visualInertial
  /// Standard deviation of a range at a new place, metres, before the residuals tell.
  package var rangeSigma = 0.10
  /// How many residuals' worth the figure above counts.
  package var rangeSigmaCount = 12.0
  /// Degrees of freedom of the Student-t law of range errors: of ranges too short, and of those too long,
  /// which blocked and reflected paths make the likelier ones.
  package var degreesOfFreedom = 4.0
  package var lateDegreesOfFreedom = 1.5
  /// What factory calibration leaves of the antenna delay, metres.
  package var biasSigma = 0.05
  /// Of the Student-t law of that: a radio without a calibration is off by decimetres.
  package var biasDegreesOfFreedom = 3.0
  /// How far from its place on the device an antenna may sense, metres an axis: phase centres, and delays that
  /// differ from one direction to another.
  package var armSigma = 0.04
  /// How far the stamps of ranges and poses may be apart, seconds: two clocks, and what is between.
  package var latenessSigma = 0.02
  /// How fast an object that moves does, m/s an axis, and how steadily: random walk of its velocity, m/s/√s.
  package var walkingSigma = 0.6
  package var walkingChange = 0.025
  /// What is longer ago says nothing of where a moving object is, seconds.
  package var walkingMemory = 30.0
  /// The range's growth a natural logarithm of distance, metres: expectation and standard deviation.
  package var curve = 0.05
  package var curveSigma = 0.04
  /// How far above or below the device things tend to be, metres; Student-t.
  package var heightSigma = 0.7
  package var heightDegreesOfFreedom = 4.0
  /// Way over which range errors become independent, metres.
  package var correlationLength = 0.7
  /// Movement at rest that counts as change of the surroundings, m/s.
  package var idleSpeed = 0.05
  /// Way after which a constraint is closed, metres.
  package var keyframeSpacing = 0.15
  /// Most constraints and hypotheses kept.
  package var keyframeCapacity = 72
  package var hypothesisCapacity = 12
  /// What the echoes of a place do to a position in each axis, however many ranges, metres.
  package var echoSigma = 0.03
  /// Stated horizontal and vertical standard deviation that count as found, metres.
  package var horizontalSigma = 0.24
  package var verticalSigma = 0.6

  /// By how much ranges that err together for longer than `correlationLength` widen the stated variance.
  package var burstMargin = 1.4
  /// By how much more where ranges do not fit, times their share.
  package var outlierMargin = 5.0
  /// For what way a place has to stay within what radius before it counts as found, metres.
  package var restPath = 8.0
  package var restRadius = 0.15
  /// How far from there it may stray before it counts as lost, metres.
  package var holdRadius = 0.3

  package init() {}
  package init(track: TrackQuality) { self.track = track }
}
