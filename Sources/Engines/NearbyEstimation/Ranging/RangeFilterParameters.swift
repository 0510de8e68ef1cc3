/// What `RangeFilter` takes for granted of people, radios and walls. Every default is a physical statement.
package struct RangeFilterParameters: Equatable, Sendable {
  /// Acceleration of 1.2 m/s² rms that lasts half a second has a density of 1.4 m²/s³. A velocity is forgotten
  /// within a stride, which leaves a radial velocity of 0.7 m/s rms: people who walk and stand, in any direction.
  package var motion = RangeMotion(accelerationDensity: 1.4, memory: 0.7)
  /// Smallest standard deviation believed of any range, metres: the echoes of a place, which a radio that
  /// only knows its own noise can't tell. Measured at rest: 0.04 to 0.06 m.
  package var smallestSigma = 0.05
  /// Error that ranges from one place share, metres: part of every stated sigma, as the same measurements
  /// show.
  package var echoSigma = 0.05
  /// Taken where a caller's sigma is no positive number, metres: what moving radios show.
  package var usualSigma = 0.10
  /// Added in quadrature when the receiver says that the direct path is blocked, metres (measured spread).
  package var blockedSigma = 0.28
  /// Residuals up to these many standard deviations have full weight. Blocked paths only ever lengthen a
  /// range, so that one too long is distrusted sooner.
  package var kneeTooLong = 1.5
  package var kneeTooShort = 2.5
  /// From the second suspicious residual in a row to one side a range weighs at least this: two in a row are more
  /// likely a peer that turned than two bad frames.
  package var leastWeightOfSecond = 0.25
  /// A residual beyond `gateOfNoise` noise sigmas plus `gateOfMotion` sigmas of the prediction is no range of
  /// this track: noise has heavy tails, motion has not.
  package var gateOfNoise = 6.0
  package var gateOfMotion = 2.5
  /// A range that is this many sigmas too long, of noise and of the prediction, and farther than this acceleration,
  /// metres/s², can have carried a peer since the last range that entered, is a jump: paths that get blocked do
  /// that, bodies don't. People set off at 3 m/s².
  package var sigmasOfJump = 3.0
  package var largestAcceleration = 3.0
  /// After a longer gap, seconds, motion may look like a jump.
  package var longestStep = 0.5
  /// The track from before ranges that were too long is remembered for so long, seconds: as people and things pass.
  package var longestBurst = 3.0
  /// A range brings it back from within this many sigmas, this far, metres, and half-way; from the least in any case.
  package var gateOfReturn = 2.5
  package var largestReturn = 1.0
  package var leastReturn = 0.3
  /// Without a range this many sigmas too long it is forgotten after these calm ranges in a row: it was motion.
  package var sigmasOfLeap = 2.2
  package var calmRanges = 3
  /// No peer is faster, metres a second: a jump of d metres needs evidence that lasts d / this.
  package var fastest = 4.0
  /// Standard deviation of the rate of a track that starts, metres a second: whatever moves at all.
  package var firstRateSigma = 2.0
  /// But evidence of this length, seconds, convinces of any jump.
  package var longestDoubt = 1.0
  /// At the start a peer is given this long, seconds, to have moved from an earlier range to a later one.
  package var longestMemory = 3.0
  /// Ranges that must agree with each other before the track gives way: bad frames come in bursts of two or three.
  package var witnesses = 4
  /// The shortest evidence, seconds, farther or nearer: a nearer one is likely the direct path regained, a farther one
  /// the direct path lost.
  package var shortestDoubtFarther = 1.0
  package var shortestDoubtNearer = 0.25
  /// Beyond this standard deviation of the prediction, metres, the peer may be anywhere: two agreeing ranges
  /// decide.
  package var sigmaWhenLost = 4.0
  /// Beyond this, metres, two witnesses are enough, as at the start.
  package var sigmaWhenUnsure = 1.0
  /// Share by which one range moves the learnt noise variance, and that variance's bounds, in stated
  /// variances.
  package var learningRate = 0.02
  package var smallestNoiseScale = 0.5
  package var largestNoiseScale = 2.25
  /// Share by which one range behind a gap moves the learnt motion, and the calmest peer, in densities of the
  /// acceleration taken for granted: 0.3 m/s of radial velocity, a slow robot.
  package var motionLearningRate = 0.1
  package var smallestMotionScale = 0.2
  /// Ranges outside are no ranges, metres: noise near zero below, beyond any radio of this kind above.
  package var smallestRange = -1.0
  package var largestRange = 2000.0

  package init() {}
}
