/// The host's record of one session.
struct UCIHostSession: Sendable {
  /// The session's stage. Its token, which identifies it on the wire, is known from the response to
  /// SESSION_INIT on.
  enum Stage: Sendable {
    /// SESSION_INIT is queued or awaits its response.
    case initialising(RequestedSetup)
    case opening(UCISessionToken, Step, RequestedSetup)
    case open(UCISessionToken)
    /// STOP or DEINIT is queued or in flight. Without a token, SESSION_INIT still is, and DEINIT follows
    /// its response.
    case closing(UCISessionToken?)
  }

  /// What an opening session is waiting for.
  enum Step: Sendable {
    /// STATUS(INIT), until the deadline.
    case awaitingInitialised(by: Duration)
    /// The response to the first of these parts of the configuration. The others are not sent yet.
    case configuring(ArraySlice<[UCITLV]>)
    /// STATUS(IDLE), until the deadline. The whole configuration has been accepted.
    case awaitingIdle(by: Duration)
  }

  /// What the owner requested for a session that is not open yet.
  struct RequestedSetup: Sendable {
    var parameters: [UCIAppParameter]
    var startsRanging: Bool
    var tagRounds: [UInt8]
    var anchorRounds: [UCIAnchorRound]
  }

  /// The session's state according to the last STATUS.
  enum RangingStatus: Equatable, Sendable {
    /// No STATUS has arrived yet.
    case unknown
    case inactive(UCISessionState)
    case active(hasCredit: Bool)

    var isActive: Bool {
      if case .active = self { true } else { false }
    }
  }

  /// One message that is not completely sent yet.
  struct Transfer: Sendable {
    var sequence: UInt16
    var destination: UInt64
    var data: [UInt8]
    /// The unsent packets in reverse order, so that the next one is last. `nil` until the first packet is
    /// sent, because the token in it is unknown until SESSION_INIT has been answered.
    var packets: [[UInt8]]?
  }

  let id: UInt32
  var stage: Stage
  var ranging = RangingStatus.unknown
  /// The results that were reported last for the controlees, so that a controller that repeats them in a
  /// second message does not cause a second event.
  var reportedControlees: [UCIControleeStatus]?

  var transfers: [Transfer] = []
  /// The total size of the data in `transfers`, in octets.
  var queuedOctets = 0
  var nextSequence: UInt16 = 1
  /// The sequence numbers of completely sent messages that still lack a status, oldest first.
  var outstanding: [UInt16] = []

  init(_ request: UCISessionRequest) {
    id = request.sessionID
    stage = .initialising(
      RequestedSetup(
        parameters: request.parameters, startsRanging: request.startsRanging, tagRounds: request.tagRounds,
        anchorRounds: request.anchorRounds))
  }

  /// The token that identifies the session on the wire; `nil` until SESSION_INIT is answered.
  var token: UCISessionToken? {
    switch stage {
    case .initialising: nil
    case .opening(let token, _, _), .open(let token): token
    case .closing(let token): token
    }
  }

  var isClosing: Bool {
    if case .closing = stage { true } else { false }
  }

  /// When the session is abandoned unless a STATUS arrives; `nil` if it is not waiting for one.
  var deadline: Duration? {
    switch stage {
    case .opening(_, .awaitingInitialised(let deadline), _), .opening(_, .awaitingIdle(let deadline), _):
      deadline
    case .initialising, .opening, .open, .closing: nil
    }
  }
}
