import NearbyUCI

/// How long a chip's radio has sent and received.
///
/// Rounds need no bookkeeping for this: both times follow from the number of rounds and the durations of a
/// round's frames.
struct RadioTime: Sendable {
  /// In nanoseconds. They cannot overflow, because the air's own time fits and a radio is not busy for
  /// longer.
  private(set) var transmit: Int64 = 0
  private(set) var receive: Int64 = 0
  /// The number of times the radio woke up: once for each round.
  private(set) var wakes: UInt64 = 0

  /// Adds a run's rounds so far, assuming that all had the run's current layout.
  mutating func add(_ run: SessionRun) {
    let layout = run.layout
    let fromInitiator =
      layout.rangingFrame * (layout.hasFinal ? 2 : 1)
      + layout.messageFrame * ((layout.hasControl ? 1 : 0) + (layout.hasReport ? 1 : 0))
    let fromResponders = layout.rangingFrame * Int64(layout.responders)
    let rounds = Int64(run.measurements)
    transmit &+= rounds &* (run.round.isInitiator ? fromInitiator : fromResponders)
    receive &+= rounds &* (run.round.isInitiator ? fromResponders : fromInitiator)
    wakes &+= UInt64(run.measurements)
  }

  /// The statistics of a chip that has been on for this many nanoseconds.
  func statistics(powered: Int64) -> UCIPowerStatistics {
    let idle = powered &- transmit &- receive
    func milliseconds(_ time: Int64) -> UInt32 { UInt32(clamping: time / 1_000_000) }
    return UCIPowerStatistics(
      idleMilliseconds: milliseconds(idle), transmitMilliseconds: milliseconds(transmit),
      receiveMilliseconds: milliseconds(receive), wakes: UInt32(clamping: wakes))
  }
}
