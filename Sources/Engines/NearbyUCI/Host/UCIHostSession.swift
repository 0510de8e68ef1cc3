/// What the host knows of one session.
struct UCIHostSession: Sendable {
  /// How far the session is. Its token, which stands for it on the wire, is known from the response to SESSION_INIT on.
  enum Stage: Sendable {
    /// SESSION_INIT waits in the queue or for its response.
    case initialising(Wishes)
    case opening(UCISessionToken, Step, Wishes)
    case open(UCISessionToken)
    /// STOP or DEINIT is on its way. Without a token: SESSION_INIT is, and DEINIT follows its response.
    case closing(UCISessionToken?)
  }

  /// What an opening session waits for.
  enum Step: Sendable {
    /// STATUS(INIT), until then.
    case awaitingInitialised(by: Duration)
    /// The response to the first of these parts of the configuration.
    case configuring(ArraySlice<[UCITLV]>)
    /// STATUS(IDLE), until then; the configuration is accepted.
    case awaitingIdle(by: Duration)
  }

  /// What the owner wants of a session that is not open yet.
  struct Wishes: Sendable {
    var parameters: [UCIAppParameter]
    var startsRanging: Bool
  }

  /// What the last STATUS said.
  enum Ranging: Equatable, Sendable {
    /// None came yet.
    case unknown
    case inactive(UCISessionState)
    case active(hasCredit: Bool)

    var isActive: Bool {
      if case .active = self { true } else { false }
    }
  }

  /// One message on its way out.
  struct Transfer: Sendable {
    var sequence: UInt16
    var destination: UInt64
    var data: [UInt8]
    /// Packets not sent yet, the first one last. `nil` until the first leaves: the token that goes into it
    /// is not known before SESSION_INIT is answered.
    var packets: [[UInt8]]?
  }

  let id: UInt32
  var stage: Stage
  var ranging = Ranging.unknown
  /// The controlees' statuses that were reported last, so that one answer in two messages is reported once.
  var reportedControlees: [UCIControleeStatus]?

  var transfers: [Transfer] = []
  /// Octets of data in `transfers`.
  var queuedOctets = 0
  var nextSequence: UInt16 = 1
  /// Sequence numbers sent whole whose transfer status is not there yet, oldest first.
  var outstanding: [UInt16] = []

  init(_ request: UCISessionRequest) {
    id = request.sessionID
    stage = .initialising(Wishes(parameters: request.parameters, startsRanging: request.startsRanging))
  }

  /// `nil` until SESSION_INIT is answered.
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

  /// When the session is given up unless a STATUS comes.
  var deadline: Duration? {
    switch stage {
    case .opening(_, .awaitingInitialised(let deadline), _), .opening(_, .awaitingIdle(let deadline), _):
      deadline
    case .initialising, .opening, .open, .closing: nil
    }
  }
}
