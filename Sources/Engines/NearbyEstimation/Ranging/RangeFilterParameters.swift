/// What `RangeFilter` assumes of people, radios and walls. Every default is a physical statement.
package struct RangeFilterParameters: Equatable, Sendable {
  /// An acceleration of 1.2 m/s² rms that lasts half a second has a density of 1.4 m²/s³. A velocity is
  /// forgotten within a stride, which leaves a radial velocity of 0.7 m/s rms: people who walk and stand, in
  /// any direction.
  package var motion = RangeMotion(accelerationDensity: 1.4, memory: 0.7)
  /// Smallest standard deviation assumed for any range, metres. It covers echoes, which a radio that knows
  /// only its own noise cannot see. Measured at rest: 0.04 to 0.06 m.
  package var smallestSigma = 0.05
  /// Error that all ranges from one place share, metres. It is part of every stated sigma; the value comes
  /// from the same measurements.
  package var echoSigma = 0.05
  /// Replaces a caller's sigma that is not positive, metres; typical of moving radios.
  package var usualSigma = 0.10
  /// Added in quadrature when the receiver reports a blocked path, metres (measured spread).
  package var blockedSigma = 0.28
  /// Seconds in which the shared error of blocked paths follows their probability, and the least part of the way that
  /// one range takes it.
  package var blockedMemory = 1.0
  package var leastBlockedShare = 0.1
  /// Residuals up to this many standard deviations have full weight. Blocked paths only ever lengthen a
  /// range, so one that is too long is distrusted sooner.
  package var kneeTooLong = 1.5
  package var kneeTooShort = 2.5
  /// Least weight of a range from the second suspicious residual in a row to one side on: two in a row are
  /// more likely a peer that turned round than two bad frames.
  package var leastWeightOfSecond = 0.25
  /// A residual beyond `gateOfNoise` noise sigmas plus `gateOfMotion` prediction sigmas does not belong to
  /// the track. Noise has heavy tails, motion does not.
  package var gateOfNoise = 6.0
  package var gateOfMotion = 2.5
  /// A range is a jump if it is too long by `sigmasOfJump` sigmas, of noise and of the prediction, and longer
  /// than `largestAcceleration` (metres/s²) can have carried the peer since the last fused range. A path that
  /// becomes blocked does that, a body does not. People set off at 3 m/s².
  package var sigmasOfJump = 3.0
  package var largestAcceleration = 3.0
  /// Gap in seconds beyond which motion may look like a jump.
  package var longestStep = 0.5
  /// How long the track from before too-long ranges is remembered, seconds: people and things take about that
  /// to pass.
  package var longestBurst = 3.0
  /// A range brings the remembered track back if it lies within `gateOfReturn` sigmas of it, within
  /// `largestReturn` metres, and nearer to it than to the present track; within `leastReturn` metres the last
  /// condition is waived.
  package var gateOfReturn = 2.5
  package var largestReturn = 1.0
  package var leastReturn = 0.3
  /// The remembered track is dropped after `calmRanges` calm ranges in a row, because the change was motion,
  /// unless a range was too long by more than `sigmasOfLeap` sigmas.
  package var sigmasOfLeap = 2.2
  package var calmRanges = 3
  /// Fastest assumed peer, metres per second: a jump of d metres needs evidence that lasts d / `fastest`
  /// seconds.
  package var fastest = 4.0
  /// Standard deviation of a new track's rate, metres per second: covers whatever moves at all.
  package var firstRateSigma = 2.0
  /// Evidence that lasts this long, seconds, is enough for a jump of any size.
  package var longestDoubt = 1.0
  /// Longest time, seconds, that a peer is given to have moved from an earlier range to a later one before
  /// there is a track.
  package var longestMemory = 3.0
  /// Ranges that must agree with each other before the track yields: bad frames come in bursts of two or
  /// three.
  package var witnesses = 4
  /// Shortest time, seconds, that evidence for a farther or a nearer track must last. A nearer one is likely
  /// the direct path regained, a farther one the direct path lost.
  package var shortestDoubtFarther = 1.0
  package var shortestDoubtNearer = 0.25
  /// Prediction sigma, metres, beyond which the peer may be anywhere, so that two agreeing ranges start a new
  /// track.
  package var sigmaWhenLost = 4.0
  /// Prediction sigma, metres, beyond which two witnesses are enough, as at the start.
  package var sigmaWhenUnsure = 1.0
  /// Share by which one range changes the learnt noise variance, and bounds of that variance relative to the
  /// stated one.
  package var learningRate = 0.02
  package var smallestNoiseScale = 0.5
  package var largestNoiseScale = 2.25
  /// Share by which one range after a gap changes the learnt motion, and the lower bound of that motion
  /// relative to the assumed acceleration density: 0.3 m/s of radial velocity, a slow robot.
  package var motionLearningRate = 0.1
  package var smallestMotionScale = 0.2
  /// Bounds of a possible range, metres: the lower one allows for noise near zero, and no radio of this kind
  /// reaches beyond the upper one.
  package var smallestRange = -1.0
  package var largestRange = 2000.0

  package init() {}
}
