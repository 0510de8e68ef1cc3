/// One place where a session's peer may be, in the track's frame.
package struct SeenHypothesis: Equatable, Sendable {
  /// Metres.
  package var position: SIMD3<Double>
  /// 0 to 1.
  package var weight: Double
  /// xx, xy, yy of the covariance in the level plane, metres².
  package var spread: SIMD3<Double>
}
