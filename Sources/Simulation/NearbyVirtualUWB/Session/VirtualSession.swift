import NearbySchedule
import NearbyUCI

/// One entry of a session's controlee list.
struct Controlee: Equatable, Sendable {
  var address: UInt64
  var subSessionID: UInt32 = 0
  /// 0, 16 or 32 octets.
  var key: [UInt8] = []
}

/// A chip's record of a session, from SESSION_INIT to DEINIT.
struct VirtualSession: Sendable {
  var sessionID: UInt32
  var token: UCISessionToken
  var type: UCISessionType
  var state = UCISessionState.initialised
  var parameters = ParameterStore.defaults
  var controlees: [Controlee] = []
  /// The number of rounds in the latest run that has ended.
  var rangingCount: UInt32 = 0
  /// Set while rounds may take place: while ACTIVE, or suspended by the controller.
  var run: RunHandle?
  var data = DataQueue()
  /// The rounds of a DL-TDoA anchor, and those to which a tag listens.
  var anchorRounds: [UCIAnchorRound] = []
  var tagRounds: [UInt8] = []

  init(sessionID: UInt32, token: UCISessionToken, type: UCISessionType) {
    self.sessionID = sessionID
    self.token = token
    self.type = type
  }

  var carriesData: Bool { type == .rangingWithInBandData || type == .rangingWithDataPhase }
  var hasMandatoryParameters: Bool {
    let role = parameters.octet(ParameterID.deviceRole, 0)
    let ids = role == 7 || role == 8 ? ParameterID.mandatoryForDownlink : ParameterID.mandatory
    return ids.allSatisfy { parameters[$0] != nil }
  }

  func parsed() -> SessionParameters {
    SessionParameters(parameters, sessionID: sessionID, controlees: controlees.map(\.address))
  }
}

/// A chip's reference to a run; the air holds the rest.
struct RunHandle: Sendable {
  let reference: SessionReference
  var parameters: SessionParameters
  /// For a responder: whether the controller has suspended the rounds.
  var isSuspended = false
}

/// Determines which round of a block a hopping session uses.
///
/// Both sides can compute it from the session id and the block's number. Block 0 uses round 0, so that a
/// session's first round takes place at its start.
enum RoundHopping {
  static func index(_ parameters: RoundParameters, block: UInt64) -> UInt64 {
    guard parameters.hops, block > 0 else { return 0 }
    return SplitMix64.hash(of: UInt64(parameters.sessionID) << 32 ^ block) % parameters.roundsPerBlock
  }

  /// The rounds of this block that a session tries in turn if it hops when rounds are lost.
  static func candidate(_ number: UInt64, _ parameters: RoundParameters, block: UInt64) -> UInt64 {
    let first = SplitMix64.hash(of: UInt64(parameters.sessionID) << 32 ^ block)
    return (number == 0 ? first : SplitMix64.hash(of: first &+ number)) % parameters.roundsPerBlock
  }
}
