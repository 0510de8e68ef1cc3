import NearbyEstimation
import NearbyUCI

/// A session's exchange with its peer or accessory, from the first command to the chip until it stops.
struct Ranging: Sendable {
  enum Stage: Hashable, Sendable {
    /// The chip failed and forgot the session. It is set up again when the chip is ready; the app is not
    /// notified.
    case lost
    /// The chip sets the session up.
    case opening
    /// The chip has the session, and has failed if it does not report ACTIVE by then.
    case starting(by: Duration)
    case running
  }

  /// The rounds so far in which the peer was heard.
  struct Contact: Sendable {
    var lastHeard: Duration
    /// When to look whether the estimate has gone stale, or the peer is gone.
    var nextCheck: Duration
    /// The last update said that nothing is known; another such update is not delivered.
    var hasReportedNothing = true
  }

  let configuration: PeerConfiguration
  let agreement: PairAgreement
  private(set) var sessionType: UCISessionType
  var stage = Stage.opening
  /// The app got `startedRunning`, which is not repeated after the chip failed and recovered.
  var hasReportedRunning = false
  /// `nil` until the peer was heard.
  private(set) var contact: Contact?
  /// `nil` with a peer.
  var accessory: Boxed<AccessoryRounds>?
  /// `nil` without camera assistance.
  var assistance: Boxed<AssistedPeer>?
  /// Last, since it is large and the others are asked for more often.
  private var estimator = PeerEstimator()

  /// Ranging with a peer by what both tokens give, or with an accessory by the phone's own terms.
  init(_ configuration: PeerConfiguration, agreement: PairAgreement, terms: AccessoryTerms?) {
    self.configuration = configuration
    self.agreement = agreement
    accessory = terms.map { Boxed(AccessoryRounds(terms: $0)) }
    sessionType = terms == nil ? .rangingWithInBandData : .ranging
  }

  /// The chip refused the session because of its type.
  ///
  /// Without data, the peer learns of the end only from what the controller's chip says in band when it is
  /// stopped. That does not distinguish an end from a pause, so the peer of a controller that pauses gets
  /// `peerEnded`; the peer of a controlee is not notified and times out.
  ///
  /// - Returns: Whether there is a type left to try.
  mutating func giveUpData() -> Bool {
    guard sessionType == .rangingWithInBandData else { return false }
    sessionType = .ranging
    return true
  }

  // MARK: Rounds

  /// Receives what a round measured.
  mutating func receive(_ measurements: [UCITwoWayMeasurement], camera: CameraView, at now: Duration) {
    let peer = UCIAddress.short(agreement.peerAddress)
    for measurement in measurements where measurement.address == peer {
      let reading = PeerReading(measurement, at: now)
      assistance?.value.receive(reading, camera, at: now)
      guard let reading else { continue }
      estimator.update(reading)
      // A report follows, which sets the next check.
      contact = Contact(
        lastHeard: now, nextCheck: now, hasReportedNothing: contact?.hasReportedNothing ?? true)
    }
  }

  /// What is known of the peer now, to be delivered to the app.
  struct Report {
    var estimate: PeerEstimate
    /// `nil` without camera assistance.
    var assisted: AssistedEstimate?
    /// `nil` where they are as reported before, and without camera assistance.
    var reasons: ConvergenceReasons?
  }

  /// - Parameters:
  ///   - interval: Time between rounds with a peer.
  ///   - timeout: Silence after which the peer is gone.
  /// - Returns: `nil` before the peer was heard, and if neither this update nor the last one has any value.
  mutating func report(
    camera: CameraView, interval: Duration, timeout: Duration, at now: Duration
  ) -> Report? {
    guard let lastHeard = contact?.lastHeard else { return nil }
    let estimate = estimator.estimate(at: now)
    let isNothing = estimate.distance == nil && estimate.direction == nil
    // One failed round needs no check: the check comes after a second one.
    contact?.nextCheck = min(now + (accessory?.value.terms.interval ?? interval) * 2, lastHeard + timeout)
    if isNothing, contact?.hasReportedNothing == true { return nil }
    contact?.hasReportedNothing = isNothing
    var report = Report(estimate: estimate)
    guard assistance != nil else { return report }
    report.assisted = assistance?.value.assist(&report.estimate, camera, at: now)
    report.reasons = assistance?.value.newReasons(camera, at: now)
    return report
  }
}

/// The additional state of ranging with an accessory.
struct AccessoryRounds: Sendable {
  let terms: AccessoryTerms
  /// When the phone begins the rounds; `nil` once it did, and if the accessory begins them.
  var roundsStart: Duration?
  /// When the phone gives up the accessory; `nil` until the accessory was sent its configuration, and once it
  /// was heard.
  var startDeadline: Duration?
}
