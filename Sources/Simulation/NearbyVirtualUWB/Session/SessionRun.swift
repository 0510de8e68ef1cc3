import NearbySchedule
import NearbyUCI

/// What the air keeps of a session from its START to the moment it leaves ACTIVE.
///
/// All that a round needs is here, so that a round touches two of these and no chip.
struct SessionRun: Sendable {
  // What every round asks comes first, what changes do last: among thousands of runs it is memory that costs.
  var reference: SessionReference
  /// The other side of the last round: a responder's initiator, or the responder of a pair's initiator.
  var partner = SessionReference.none
  /// Of `parameters`; here, so that a round follows no pointer.
  var round: RoundParameters
  var layout: RoundLayout
  /// Start of the current block, nanoseconds.
  var blockStart: Int64
  var block: UInt64 = 0
  /// Which round of the block, with `hopsWhenLost`.
  var roundInBlock: UInt64 = 0
  let token: UCISessionToken
  /// The next SESSION_INFO_NTF's number.
  var sequence: UInt32 = 0
  /// Rounds in a row without one good measurement.
  var failures: UInt32 = 0
  /// Initiator: two for each lost round, less one for each good one.
  var trouble: UInt8 = 0
  /// Rounds since START.
  var measurements: UInt32 = 0
  /// Whether the session's type lets it carry application data.
  let carriesData: Bool
  /// Whether the chip has the antennas and the host asks for angles.
  var measuresAngles: Bool
  /// Responder: its initiator is gone, and every round it expects is a lost one.
  var isWatching = false
  /// Responder: the controller said that rounds are suspended.
  var isSuspended = false
  /// Data of this session's host wait to be sent.
  var hasData = false
  var gate: NotificationGate
  /// The one whom an initiator of a pair polls; `nil` with more than one.
  var onlyPeer: UInt64?
  /// Initiator of a pair: the one that listens, as the index of matches said after so many changes.
  var listener: (session: SessionReference, changes: UInt64)?
  /// Responder: counts the losses of its initiator, so that what waits for an earlier one is told apart.
  var watch: Int32 = 0
  var parameters: SessionParameters
  /// What peers have to be listed under: one for each controlee of an initiator, a responder's own.
  var keys: [MatchKey]

  /// - Parameter hasAntennas: Whether the chip can measure angles at all.
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

  /// Takes changed parameters without forgetting what the notification gate knew.
  mutating func update(_ session: VirtualSession) {
    gate.update(session.parameters)
    listener = nil
    parameters = session.parsed()
    round = parameters.round
    onlyPeer = parameters.peers.count == 1 ? parameters.peers[0] : nil
    layout = RoundLayout(parameters)
    keys = MatchKey.keys(parameters, session.controlees)
  }

  /// When this block's round begins.
  var roundStart: Int64 {
    let index = round.hopsWhenLost ? roundInBlock : RoundHopping.index(round, block: block)
    return AirTime.sum(blockStart, Int64(index) * round.roundDuration)
  }

  mutating func advanceBlock() {
    blockStart = AirTime.sum(blockStart, round.period)
    block &+= UInt64(round.stride) + 1
  }
}

/// What an exchange needs of a run; copied for every round, so it is small.
struct RoundSide: Sendable {
  let reference: SessionReference
  let round: RoundParameters
  let partner: SessionReference
  let carriesData: Bool
  let measuresAngles: Bool
  let isSuspended: Bool
}
