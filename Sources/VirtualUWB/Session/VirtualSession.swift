import UCI

/// One controlee of a session's list.
struct Controlee: Equatable, Sendable {
  var address: UInt64
  var subSessionID: UInt32 = 0
  /// 0, 16 or 32 octets.
  var key: [UInt8] = []
}

/// A session as its chip keeps it, from SESSION_INIT to DEINIT.
struct VirtualSession: Sendable {
  var sessionID: UInt32
  var token: UCISessionToken
  var type: UCISessionType
  var state = UCISessionState.initialised
  var parameters = ParameterStore.defaults
  var controlees: [Controlee] = []
  /// Rounds since the last START.
  var rangingCount: UInt32 = 0
  /// Present while rounds may take place: ACTIVE, or suspended in band.
  var run: SessionRun?
  var data = DataQueue()

  init(sessionID: UInt32, token: UCISessionToken, type: UCISessionType) {
    self.sessionID = sessionID
    self.token = token
    self.type = type
  }

  var carriesData: Bool { type == .rangingWithInBandData || type == .rangingWithDataPhase }
  var hasMandatoryParameters: Bool {
    ParameterID.mandatory.allSatisfy { parameters[$0] != nil }
  }

  func parsed() -> SessionParameters {
    SessionParameters(parameters, sessionID: sessionID, controlees: controlees.map(\.address))
  }
}

/// What a session knows from its START to the moment it leaves ACTIVE.
struct SessionRun: Sendable {
  let reference: SessionReference
  var parameters: SessionParameters
  var layout: RoundLayout
  var gate: NotificationGate
  /// Whether the session's type lets it carry application data.
  let carriesData: Bool
  /// What peers have to be listed under: one for each controlee of an initiator, a responder's own.
  var keys: [MatchKey]
  /// Start of the current block, nanoseconds.
  var blockStart: Int64
  var block: UInt64 = 0
  /// The next SESSION_INFO_NTF's number.
  var sequence: UInt32 = 0
  /// Rounds in a row without one good measurement.
  var failures: UInt32 = 0
  var measurements: UInt32 = 0
  /// The other side of the last round: a responder's initiator, or the responder of a pair's initiator.
  var partner = SessionReference.none
  /// Responder: counts the losses of its initiator, so that what waits for an earlier one is told apart.
  var watch: Int32 = 0
  /// Responder: its initiator is gone, and every round it expects is a lost one.
  var isWatching = false
  /// Responder: the controller said that rounds are suspended.
  var isSuspended = false

  init(_ session: VirtualSession, reference: SessionReference, start: Int64) {
    self.reference = reference
    parameters = session.parsed()
    layout = RoundLayout(parameters)
    gate = NotificationGate(session.parameters)
    carriesData = session.carriesData
    keys = MatchKey.keys(parameters, session.controlees)
    blockStart = start
  }

  /// Takes changed parameters without forgetting what the notification gate knew.
  mutating func update(_ session: VirtualSession) {
    gate.update(session.parameters)
    parameters = session.parsed()
    layout = RoundLayout(parameters)
    keys = MatchKey.keys(parameters, session.controlees)
  }

  /// When this block's round begins.
  var roundStart: Int64 {
    let round = RoundHopping.index(parameters, block: block)
    return AirTime.sum(blockStart, Int64(round) * parameters.roundDuration)
  }

  mutating func advanceBlock() {
    blockStart = AirTime.sum(blockStart, parameters.blockDuration * (parameters.stride + 1))
    block &+= UInt64(parameters.stride) + 1
  }
}

/// Which round of a block a hopping session uses.
///
/// Both sides could compute it from the session id and the block's number alone. Block 0 uses round 0, so a
/// session's first round is where START put it.
enum RoundHopping {
  static func index(_ parameters: SessionParameters, block: UInt64) -> UInt64 {
    guard parameters.hops, block > 0, parameters.roundDuration > 0 else { return 0 }
    let rounds = UInt64(max(parameters.blockDuration / parameters.roundDuration, 1))
    return Mixing.mix(UInt64(parameters.sessionID) << 32 ^ block) % rounds
  }
}

/// A well-mixed 64-bit word for each input: the finaliser of SplitMix64.
enum Mixing {
  static func mix(_ value: UInt64) -> UInt64 {
    var word = value &+ 0x9E37_79B9_7F4A_7C15
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
