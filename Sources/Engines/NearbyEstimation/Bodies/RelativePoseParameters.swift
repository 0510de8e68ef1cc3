/// What a `RelativePoseSolver` assumes. Source: `Docs/relative-pose.md`.
package struct RelativePoseParameters: Equatable, Sendable {
  /// Standard deviation of one range between moving antennas in the open, metres.
  package var rangeSigma = 0.07
  /// Worth of that assumption in ranges, against the residuals of the ranges at hand.
  package var rangeSigmaCount = 12.0
  /// Standard deviation of the delay that all antennas of a pair of bodies have in common, metres.
  package var biasSigma = 0.1
  /// Standard deviation of what all ranges of one antenna have in common, metres: its delay, its pattern, and
  /// the body that its paths go through.
  package var antennaSigma = 0.05
  /// Standard deviation of the target's height over the base before anything is measured, metres.
  package var heightSigma = 1.0
  /// Standard deviation of the angle between both bodies' upward axes, radians. Robots, vehicles and people
  /// stand upright within a few degrees.
  package var tiltSigma = 0.05
  /// Farthest range that counts, metres.
  package var farthest = 1000.0

  package init() {}
}
