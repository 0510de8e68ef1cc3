import NearbySchedule
import NearbyUCI

/// The air's record of a session from its START until it leaves ACTIVE.
///
/// It contains everything that a round needs, so that a round accesses two of these and no chip.
struct SessionRun: Sendable {
  // The fields used in every round come first and those used for changes last, so that a round touches few
  // cache lines: there may be thousands of runs.
  var reference: SessionReference
  /// The other side of the last round: a responder's initiator, or the responder of an initiator with one
  /// peer.
  var partner = SessionReference.none
  /// A copy of `parameters.round`, so that a round follows no pointer.
  var round: RoundParameters
  var layout: RoundLayout
  /// The start of the current block, in nanoseconds.
  var blockStart: Int64
  var block: UInt64 = 0
  /// The index of the round in the block, with `hopsWhenLost`.
  var roundInBlock: UInt64 = 0
  let token: UCISessionToken
  /// The sequence number of the next SESSION_INFO_NTF.
  var sequence: UInt32 = 0
  /// The number of consecutive rounds without a good measurement.
  var failures: UInt32 = 0
  /// For an initiator: plus two for each lost round, minus one for each good one.
  var trouble: UInt8 = 0
  /// The number of rounds since START.
  var measurements: UInt32 = 0
  /// Whether the session's type allows application data.
  let carriesData: Bool
  /// Whether the chip has the antennas and the host asks for angles.
  var measuresAngles: Bool
  /// For a responder: whether its initiator is gone, so that every round it expects is lost.
  var isWatching = false
  /// For a responder: whether the controller has suspended the rounds.
  var isSuspended = false
  /// Whether data from this session's host is waiting to be sent.
  var hasData = false
  var gate: NotificationGate
  /// The only peer's address; `nil` if there are several.
  var onlyPeer: UInt64?
  /// For an initiator with one peer: the listener found in the index of matches, and the index's `changes`
  /// at that time.
  var listener: (session: SessionReference, changes: UInt64)?
  /// For a responder: the number of times it has lost its initiator, which distinguishes current events
  /// from stale ones.
  var watch: Int32 = 0
  var parameters: SessionParameters
  /// The keys under which peers are found: one for each controlee of an initiator, or a responder's only
  /// key.
  var keys: [MatchKey]

  /// Creates the run of a session that starts.
  ///
  /// - Parameters:
  ///   - session: The session as its chip holds it.
  ///   - reference: The new run's reference.
  ///   - start: When its first block begins, in nanoseconds.
  ///   - hasAntennas: Whether the chip can measure angles at all.
  init(_ session: VirtualSession, reference: SessionReference, start: Int64, hasAntennas: Bool) {
    self.reference = reference
    token = session.token
    parameters = session.parsed()
    round = parameters.round
    onlyPeer = parameters.peers.count == 1 ? parameters.peers[0] : nil
    layout = RoundLayout(parameters)
    gate = NotificationGate(session.parameters)
    carriesData = session.carriesData
    measuresAngles = hasAntennas && round.angleRequest != 0
    keys = MatchKey.keys(parameters, session.controlees)
    blockStart = start
  }

  /// Applies changed parameters but keeps the state of the notification gate.
  mutating func update(_ session: VirtualSession) {
    gate.update(session.parameters)
    listener = nil
    parameters = session.parsed()
    round = parameters.round
    onlyPeer = parameters.peers.count == 1 ? parameters.peers[0] : nil
    layout = RoundLayout(parameters)
    keys = MatchKey.keys(parameters, session.controlees)
  }

  /// When this block's round begins, in nanoseconds.
  var roundStart: Int64 {
    let index = round.hopsWhenLost ? roundInBlock : RoundHopping.index(round, block: block)
    return AirTime.sum(blockStart, Int64(index) * round.roundDuration)
  }

  mutating func advanceBlock() {
    blockStart = AirTime.sum(blockStart, round.period)
    block &+= UInt64(round.stride) + 1
  }
}

/// The parts of a run that an exchange needs. Small, because they are copied in every round.
struct RoundSide: Sendable {
  let reference: SessionReference
  let round: RoundParameters
  let partner: SessionReference
  let carriesData: Bool
  let measuresAngles: Bool
  let isSuspended: Bool
}
