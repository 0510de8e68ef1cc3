import NearbyUCI

/// What a chip's command, or a round, causes outside the chip; in order.
enum ChipEffect: Sendable {
  case respond(UCIResponse)
  case notify(UCINotification)
  case deliver(UCIDataMessage)
  /// The session in this place became ACTIVE and wants rounds.
  case started(slot: Int, delay: StartDelay)
  /// The session in this place no longer takes part in rounds.
  case stopped(RunHandle, tellsPeers: Bool)
  /// The parameters or controlees of a running session changed.
  case changed(slot: Int, before: RunHandle, removed: [MatchKey])
  /// The host asks how many rounds the session in this place had.
  case countsRounds(slot: Int)
  /// The host asks what the radio did since power-on.
  case readsPower
}

/// When a started session's first block begins.
enum StartDelay: Sendable {
  /// As soon as the chip likes.
  case none
  /// At this time, nanoseconds.
  case until(Int64)
}
