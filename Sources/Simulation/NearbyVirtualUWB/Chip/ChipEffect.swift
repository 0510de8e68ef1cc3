import NearbyUCI

/// An effect of a command or a round outside the chip, in order.
enum ChipEffect: Sendable {
  case respond(UCIResponse)
  case notify(UCINotification)
  case deliver(UCIDataMessage)
  /// The session at this index became ACTIVE and needs rounds.
  case started(slot: Int, delay: StartDelay)
  /// The session no longer takes part in rounds.
  case stopped(RunHandle, tellsPeers: Bool)
  /// The parameters or controlees of a running session changed. `removed` has the keys of removed
  /// controlees.
  case changed(slot: Int, before: RunHandle, removed: [MatchKey])
  /// The DL-TDoA rounds of the running session at this index changed.
  case changedRounds(slot: Int)
  /// The host asked how many rounds the session at this index has had.
  case countsRounds(slot: Int)
  /// The host asked for the radio's statistics since power-on.
  case readsPower
}

/// When a started session's first block begins.
enum StartDelay: Sendable {
  /// As soon as the chip can.
  case none
  /// At this time, nanoseconds.
  case until(Int64)
}
