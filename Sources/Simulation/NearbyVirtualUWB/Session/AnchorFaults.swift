/// Errors of an anchor that its host cannot configure, for tests.
package struct AnchorFaults: Equatable, Sendable {
  /// Chance that a poll is not received, 0 to 1. A responder without it stays silent.
  package var pollLoss = 0.0
  /// Chance that a final is not sent, 0 to 1.
  package var finalLoss = 0.0
  /// Chance that an initiator leaves a whole round out, 0 to 1.
  package var roundLoss = 0.0
  /// Added to every stamp of a transmission, metres of signal path.
  package var stampOffset = 0.0
  /// Chance that a stamp is wrong by a wrap of a 32-bit counter, 0 to 1.
  package var wrapChance = 0.0
  /// Chance that a stamp is wrong by up to 100 m of signal path, 0 to 1.
  package var wildChance = 0.0
  /// Reply times are sent as 0, as by anchors for iOS 26.
  package var omitsReplyTimes = false

  package init() {}
}
