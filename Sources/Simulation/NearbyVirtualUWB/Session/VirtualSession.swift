import NearbySchedule
import NearbyUCI

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
  /// Rounds of the run that ended last.
  var rangingCount: UInt32 = 0
  /// Present while rounds may take place: ACTIVE, or suspended in band.
  var run: RunHandle?
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

/// A run as its chip knows it; the air keeps the rest.
struct RunHandle: Sendable {
  let reference: SessionReference
  var parameters: SessionParameters
  /// Responder: the controller said that rounds are suspended.
  var isSuspended = false
}

/// Which round of a block a hopping session uses.
///
/// Both sides could compute it from the session id and the block's number alone. Block 0 uses round 0, so a
/// session's first round is where START put it.
enum RoundHopping {
  static func index(_ parameters: RoundParameters, block: UInt64) -> UInt64 {
    guard parameters.hops, block > 0 else { return 0 }
    return SplitMix64.hash(of: UInt64(parameters.sessionID) << 32 ^ block) % parameters.roundsPerBlock
  }

  /// The rounds that a session which hops when rounds are lost tries in turn in this block.
  static func candidate(_ number: UInt64, _ parameters: RoundParameters, block: UInt64) -> UInt64 {
    let first = SplitMix64.hash(of: UInt64(parameters.sessionID) << 32 ^ block)
    return (number == 0 ? first : SplitMix64.hash(of: first &+ number)) % parameters.roundsPerBlock
  }
}
