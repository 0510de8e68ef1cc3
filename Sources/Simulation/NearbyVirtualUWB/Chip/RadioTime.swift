import NearbyUCI

/// How long a chip's radio sent and listened.
///
/// A round costs nothing: the counts of rounds and the air time of a round's frames give both.
struct RadioTime: Sendable {
  /// Nanoseconds. A radio's time on the air is never longer than the air's own, which fits.
  private(set) var transmit: Int64 = 0
  private(set) var receive: Int64 = 0
  /// One for each round.
  private(set) var wakes: UInt64 = 0

  /// Adds a run's rounds so far, each as the run's layout is now.
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

  /// The statistics of a chip that has been powered for this many nanoseconds.
  func statistics(powered: Int64) -> UCIPowerStatistics {
    let idle = powered &- transmit &- receive
    func milliseconds(_ time: Int64) -> UInt32 { UInt32(clamping: time / 1_000_000) }
    return UCIPowerStatistics(
      idleMilliseconds: milliseconds(idle), transmitMilliseconds: milliseconds(transmit),
      receiveMilliseconds: milliseconds(receive), wakes: UInt32(clamping: wakes))
  }
}
