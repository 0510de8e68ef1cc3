import NearbySchedule

/// A scheduled event of the air, without its time.
struct RoundEvent: Sendable {
  enum Kind: UInt8, Sendable {
    /// An initiator's next round begins.
    case beginRound
    /// A round's last slot has passed.
    case finishRound
    /// A responder without initiator would have expected a round to be over by now.
    case missedRound
    /// A controller that stopped announces this to its controlees.
    case announceStop
    /// A DL-TDoA anchor begins a round as its initiator; `index` holds the anchor's generation and the round.
    case beginAnchorRound
    /// A DL-TDoA round's last slot has passed.
    case finishAnchorRound
  }

  /// The run to which the event belongs, by its number and its place in the table. Kept small because the
  /// heap moves events often.
  var run: UInt64
  var place: Int32
  /// An index whose meaning depends on `kind`: a round, a watch or an announcement.
  var index: Int32
  var kind: Kind
}

extension EventHeap<Int64, RoundEvent> {
  /// Schedules an event at `time`, in nanoseconds since the start.
  mutating func push(
    at time: Int64, _ kind: RoundEvent.Kind, index: Int32 = 0, session: SessionReference = .none
  ) {
    insert(RoundEvent(run: session.run, place: session.place, index: index, kind: kind), at: time)
  }
}
