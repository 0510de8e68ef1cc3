import NearbyEstimation
import NearbyUCI

/// One session as its device keeps it.
struct PeerSession: Sendable {
  /// Where a session is in its life. `facts/nearbyinteraction.md`, section 4.
  enum Phase: Hashable, Sendable {
    /// Never run, paused, or its peer was removed.
    case idle
    /// `run` was called; the user has not answered yet.
    case awaitingPermission
    /// Allowed; the chip is not ready yet, or still closing the session's last ranging.
    case awaitingRadio
    /// The chip is setting the session up.
    case opening
    case running
    /// The app is in the background, or was and has not called `run` since.
    case suspended
    /// Over. `run` is an error from now on.
    case invalidated
  }

  let id: SessionID
  let identity: DiscoveryIdentity
  var phase = Phase.idle
  /// What `run` was last called with.
  var configuration: PeerConfiguration?
  /// Set while the phase is `opening` or `running`, and while the chip recovers (`awaitingRadio`).
  var ranging: PeerRanging?

  // These take the session where it stands: asked from outside, through the optional, all of its half
  // kilobyte is copied.

  /// Whom `run` was last called with.
  var peer: DiscoveryIdentity? {
    mutating get { configuration?.peer }
  }

  /// The session's name on the chip; `nil` while it does not range.
  var chipID: UInt32? {
    mutating get { ranging?.agreement.sessionID }
  }

  /// When there is something to look at; `nil` while nothing can happen by itself.
  var wake: Duration? {
    mutating get {
      guard let check = ranging?.nextCheck else { return ranging?.startDeadline }
      guard let deadline = ranging?.startDeadline else { return check }
      return min(check, deadline)
    }
  }

  var isActive: Bool {
    switch phase {
    case .awaitingPermission, .awaitingRadio, .opening, .running: true
    case .idle, .suspended, .invalidated: false
    }
  }
}

/// A session's exchange with its peer, from `run` until it stops.
struct PeerRanging: Sendable {
  let agreement: PairAgreement
  /// As what the session is asked of the chip.
  var sessionType = UCISessionType.rangingWithInBandData
  /// The app heard `startedRunning`; after a chip's ERROR it is not said again.
  var isToldRunning = false
  /// When a chip that was told to start, and does not, has failed.
  var startDeadline: Duration?
  /// Time of the last round that gave a distance.
  var lastHeard: Duration?
  /// When to look whether the estimate has gone stale, or the peer has gone.
  var nextCheck: Duration?
  /// The last update said that nothing is known.
  var hasReportedNothing = true
  /// Last, since it is large: what comes before is asked for more often.
  var estimator = PeerEstimator()

  init(agreement: PairAgreement) { self.agreement = agreement }

  /// Takes what a round said of the peer.
  mutating func take(_ measurements: [UCITwoWayMeasurement], at now: Duration) {
    let peer = UCIAddress.short(agreement.peerAddress)
    for measurement in measurements where measurement.address == peer {
      guard let reading = PeerReading(measurement, at: now) else { continue }
      estimator.update(reading)
      lastHeard = now
    }
  }

  /// What to tell the app now; nothing new about nothing is not said twice.
  ///
  /// - Parameters:
  ///   - interval: Between rounds.
  ///   - timeout: Silence after which the peer is gone.
  mutating func report(at now: Duration, interval: Duration, timeout: Duration) -> PeerEstimate? {
    guard let lastHeard else { return nil }
    let estimate = estimator.estimate(at: now)
    let isNothing = estimate.distance == nil && estimate.direction == nil
    nextCheck = min(now + interval * 2, lastHeard + timeout)
    if isNothing, hasReportedNothing { return nil }
    hasReportedNothing = isNothing
    return estimate
  }

  /// The same as plain ranging; `nil` when it is that already.
  ///
  /// Without data the goodbye is what the controller's chip says in band when it is stopped. That cannot tell
  /// an end from a pause, so the peer of a controller that pauses is told `peerEnded`; a controlee's peer hears
  /// nothing and times out.
  var withoutData: PeerRanging? {
    guard sessionType == .rangingWithInBandData else { return nil }
    var ranging = self
    ranging.sessionType = .ranging
    return ranging
  }
}

/// A session that is over for its app while its last octets are on their way.
struct DepartingSession: Sendable {
  /// When to close it, sent or not; `nil` once the chip was told to close.
  var deadline: Duration?
  /// The data message whose report ends the wait.
  var goodbyeSequence: UInt16?
}
