import NearbySchedule

/// An event of the air's, without its time.
struct RoundEvent: Sendable {
  enum Kind: UInt8, Sendable {
    /// An initiator's next round begins.
    case beginRound
    /// A round's last slot has passed.
    case finishRound
    /// A responder that lost its initiator expected a round to be over by now.
    case missedRound
    /// A controller that stopped tells its controlees so.
    case announceStop
  }

  /// The run that is meant, by its number and its place; events are moved a lot and carry no more than that.
  var run: UInt64
  var place: Int32
  /// A place in the table that `kind` means.
  var index: Int32
  var kind: Kind
}

extension EventHeap<Int64, RoundEvent> {
  /// Adds an event; `time` is in nanoseconds since start.
  mutating func push(
    at time: Int64, _ kind: RoundEvent.Kind, index: Int32 = 0, session: SessionReference = .none
  ) {
    insert(RoundEvent(run: session.run, place: session.place, index: index, kind: kind), at: time)
  }
}
