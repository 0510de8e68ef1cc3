/// How far a device's track can be trusted: the errors of a camera tracker, as standard deviations.
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
  /// A phone's visual-inertial tracker: about 1 % of the way, 1° per minute.
  package static let visualInertial = TrackQuality(
    scaleSigma: 0.01, yawRateSigma: 3.5e-4, yawWalk: 1.2e-3, positionWalk: 0.008)
}

/// What `ObjectLocator` assumes of radio and geometry, and how cautious its statements are.
///
/// `Docs/assistance.md` gives reasons and sources.
package struct AssistanceParameters: Equatable, Sendable {
  package var track = TrackQuality.visualInertial
  /// Initial standard deviation of a range, metres, before residuals refine it.
  package var rangeSigma = 0.10
  /// Number of residuals that `rangeSigma` counts for in that refinement.
  package var rangeSigmaCount = 12.0
  /// Degrees of freedom of the Student-t errors: for angles and ranges that are too short, and (`late`) for
  /// ranges that are too long, which have heavier tails because paths are blocked and reflected.
  package var degreesOfFreedom = 4.0
  package var lateDegreesOfFreedom = 1.5
  /// Error of the antenna delay that remains after factory calibration, metres.
  package var biasSigma = 0.05
  /// Degrees of freedom of that error's Student-t law: an uncalibrated radio is off by decimetres.
  package var biasDegreesOfFreedom = 3.0
  /// How far an antenna's point of reception may be from its stated place on the device, metres per axis.
  /// Causes are phase centres, and delays that differ with direction.
  package var armSigma = 0.04
  /// How far the timestamps of ranges and poses may be apart, seconds: they come from two clocks, through
  /// different paths.
  package var latenessSigma = 0.02
  /// Speed of a moving object, m/s per axis (upright a tenth), and random walk of its velocity, m/s/√s.
  package var walkingSigma = 0.6
  package var walkingChange = 0.025
  /// Age in seconds at which a range no longer says anything about where a moving object is.
  package var walkingMemory = 30.0
  /// Growth of the range per natural logarithm of distance, metres: expectation and standard deviation.
  package var curve = 0.05
  package var curveSigma = 0.04
  /// How far above or below the device objects tend to be, metres; Student-t with `heightDegreesOfFreedom`.
  package var heightSigma = 0.7
  package var heightDegreesOfFreedom = 4.0
  /// Way over which range errors become independent, metres.
  package var correlationLength = 0.7
  /// A device at rest gains information as if it moved at this speed, m/s, because its surroundings change.
  package var idleSpeed = 0.05
  /// A range joins a constraint whose mean antenna position is nearer than 0.6 of this, metres.
  package var keyframeSpacing = 0.15
  /// Largest numbers of range constraints and of hypotheses.
  package var keyframeCapacity = 72
  package var hypothesisCapacity = 12
  /// Position error per axis that echoes cause, however many ranges there are, metres.
  package var echoSigma = 0.03
  /// Largest stated standard deviations, horizontal and vertical, of a place that counts as found, metres.
  package var horizontalSigma = 0.24
  package var verticalSigma = 0.6

  /// Factor on the stated variance for ranges that err together over more than `correlationLength`.
  package var burstMargin = 1.4
  /// Further increase of that factor, per share of ranges that do not fit.
  package var outlierMargin = 5.0
  /// How far the device must walk while the place stays within `restRadius` before it counts as found,
  /// metres.
  package var restPath = 8.0
  package var restRadius = 0.15
  /// How far a found place may stray from where it last stayed before it counts as lost, metres.
  package var holdRadius = 0.3

  package init() {}
  package init(track: TrackQuality) { self.track = track }
}
