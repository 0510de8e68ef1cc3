/// What the host knows of one session.
struct UCIHostSession: Sendable {
  /// How far the session came.
  enum Stage: Equatable, Sendable {
    /// SESSION_INIT waits in the queue or for its response.
    case initialising
    /// The response is there; STATUS(INIT) must come by then.
    case awaitingInitialised(by: Duration)
    /// Parts of the configuration are on their way; how many were accepted.
    case configuring(accepted: Int)
    /// The configuration is accepted; STATUS(IDLE) must come by then.
    case awaitingIdle(by: Duration)
    case open
    /// STOP or DEINIT is on its way, or follows the response to SESSION_INIT.
    case closing
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

  /// What stands for the session on the wire; `nil` until SESSION_INIT is answered.
  var token: UCISessionToken?
  let request: UCISessionRequest
  let configuration: [[UCITLV]]
  /// What the last STATUS said.
  var state: UCISessionState?
  var stage = Stage.initialising
  var startsRanging: Bool
  /// What was asked for or reported last of controlees, so that one answer in two messages is told once.
  var reportedControlees: [UCIControleeStatus]?

  var hasCredit = false
  var transfers: [Transfer] = []
  /// Octets of data in `transfers`.
  var queuedOctets = 0
  var nextSequence: UInt16 = 1
  /// Sequence numbers sent whole whose transfer status is not there yet, oldest first.
  var outstanding: [UInt16] = []

  init(_ request: UCISessionRequest) {
    self.request = request
    configuration = request.configuration
    startsRanging = request.startsRanging
  }

  var id: UInt32 { request.sessionID }

  /// When the session is given up unless a STATUS comes.
  var deadline: Duration? {
    switch stage {
    case .awaitingInitialised(let deadline), .awaitingIdle(let deadline): deadline
    case .initialising, .configuring, .open, .closing: nil
    }
  }

  /// Whether a failure now means that the session never came to be.
  var isOpening: Bool {
    switch stage {
    case .initialising, .awaitingInitialised, .configuring, .awaitingIdle: true
    case .open, .closing: false
    }
  }
}
