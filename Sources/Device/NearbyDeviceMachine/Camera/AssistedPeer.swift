import NearbyEstimation

/// What camera assistance adds to what a session's radio says of its peer.
package struct AssistedEstimate: Equatable, Sendable {
  /// From where the back of the device looks to the peer in the level plane, radians, positive to the right.
  package var horizontalAngle: Double?
  package var vertical: VerticalEstimate
  /// Of the peer in the track's frame, metres; `nil` until both sweeps are done.
  package var positionInTrack: SIMD3<Double>?
  package init(
    horizontalAngle: Double? = nil, vertical: VerticalEstimate = .unknown,
    positionInTrack: SIMD3<Double>? = nil
  ) {
    self.horizontalAngle = horizontalAngle
    self.vertical = vertical
    self.positionInTrack = positionInTrack
  }
}

/// The search for one session's peer in the device's AR world.
struct AssistedPeer: Sendable {
  /// Whose world it is.
  let camera: CameraUser
  private var locator = ObjectLocator(AssistanceParameters(track: .visualInertial))
  private var ranges = AssistedRangeFilter()
  /// The tracking that the locator's constraints belong to.
  private var epoch: Int?
  private var vertical = VerticalEstimate.unknown
  private var blindSince: Duration?
  /// Nobody goes far enough in this time to matter.
  private static let longestBlindness = Duration.seconds(1)
  /// The antennas have seen the peer since the session ran; `direction` beyond their cone needs that.
  private var wasInCone = false
  /// What was said of the peer, and of the whole session, last.
  private var toldReasons: ConvergenceReasons?
  private var toldConditions: ConvergenceReasons?
  /// Share of the last rounds that gave a range, smoothed over about eight.
  private var heardShare = 1.0

  init(camera: CameraUser) { self.camera = camera }

  var hypotheses: [ObjectHypothesis] { locator.hypotheses }

  /// Takes what the radio measured while the device was where `frame` says.
  mutating func take(_ reading: PeerReading, frame: CameraFrame, epoch: Int) {
    if self.epoch != epoch || wayIsMissing(frame) {
      self.epoch = epoch
      locator = ObjectLocator(locator.parameters)
      ranges = AssistedRangeFilter()
      vertical = .unknown
    }
    if reading.angle != nil { wasInCone = true }
    guard frame.tracking == .normal, let range = reading.range else { return }
    let assisted = AssistanceReading(
      time: reading.time, pose: frame.pose, range: range, isObstructed: reading.isLikelyNonLineOfSight,
      angles: reading.angle.map(AssistanceAngles.init))
    locator.update(assisted)
    ranges.update(assisted, sigma: reading.rangeSigma, hypotheses: locator.hypotheses)
  }

  /// Whether the camera, seeing again, may be elsewhere than its track says: then all that was learnt is of
  /// another world.
  private mutating func wayIsMissing(_ frame: CameraFrame) -> Bool {
    switch frame.tracking {
    case .insufficientFeatures, .relocalizing, .notAvailable:
      blindSince = blindSince ?? frame.time
      return false
    case .initializing, .excessiveMotion: return false
    case .normal:
      defer { blindSince = nil }
      return blindSince.map { frame.time - $0 > Self.longestBlindness } ?? false
    }
  }

  /// Adds to an estimate of the radio's what is known of the peer's place.
  mutating func assist(_ estimate: inout PeerEstimate, frame: CameraFrame, epoch: Int) -> AssistedEstimate {
    guard self.epoch == epoch, frame.tracking == .normal,
      let known = locator.estimate(at: frame.time, pose: frame.pose, previous: vertical)
    else { return AssistedEstimate() }
    vertical = known.vertical
    // A peer that is heard no longer has no distance, wherever it was.
    if estimate.distance != nil {
      let origin = frame.pose.positionInWorld
      let assisted = ranges.estimate(at: frame.time, from: origin, hypotheses: locator.hypotheses)
      estimate.distance = assisted ?? estimate.distance
    }
    if wasInCone, let seen = Self.direction(known),
      seen.sigma < estimate.direction?.sigma ?? .infinity
    {
      estimate.direction = seen
    }
    return AssistedEstimate(
      horizontalAngle: known.horizontalAngle, vertical: known.vertical,
      positionInTrack: known.hasHorizontalSweep && known.hasVerticalSweep ? known.positionInWorld : nil)
  }

  /// Towards the place in the device's frame, where its uncertainty leaves a direction.
  private static func direction(_ known: AssistanceEstimate) -> DirectionEstimate? {
    guard let direction = known.directionInDevice, known.distance > 0.3 else { return nil }
    let sigma = max(known.horizontalSigma, known.verticalSigma) / known.distance
    guard sigma <= PeerEstimator.largestDirectionSigma else { return nil }
    return DirectionEstimate(direction: direction, sigma: sigma)
  }

  /// Notes whether a round gave a range.
  mutating func noteRound(isHeard: Bool) { heardShare += ((isHeard ? 1 : 0) - heardShare) / 8 }

  // MARK: Convergence

  /// What to tell the app of the whole session: what its camera lacks, whatever the peer.
  ///
  /// - Returns: `nil` where that has been said already.
  mutating func newConditions(_ frame: CameraFrame?) -> ConvergenceReasons? {
    let conditions = Self.conditions(frame)
    guard conditions != toldConditions else { return nil }
    toldConditions = conditions
    return conditions
  }

  /// What still stands between the search and its end; `nil` where that has been said already.
  mutating func newReasons(_ frame: CameraFrame?, epoch: Int) -> ConvergenceReasons? {
    var reasons = Self.conditions(frame)
    let known = frame.flatMap { locator.estimate(at: $0.time, pose: $0.pose, previous: vertical) }
    if self.epoch == epoch, let known {
      reasons.formUnion(known.reasons)
    } else {
      reasons.formUnion([.insufficientMovement, .insufficientHorizontalSweep, .insufficientVerticalSweep])
    }
    if heardShare < 0.5 { reasons.insert(.insufficientSignalStrength) }
    guard reasons != toldReasons else { return nil }
    toldReasons = reasons
    return reasons
  }

  /// Light and tracking. A camera that says nothing yet has not been moved.
  private static func conditions(_ frame: CameraFrame?) -> ConvergenceReasons {
    guard let frame else { return .insufficientMovement }
    var reasons: ConvergenceReasons = []
    switch frame.tracking {
    case .normal: break
    case .insufficientFeatures: reasons.insert(.insufficientLighting)
    case .notAvailable, .initializing, .relocalizing, .excessiveMotion: reasons.insert(.insufficientMovement)
    }
    if frame.ambientIntensity < CameraFrame.leastAmbientIntensity { reasons.insert(.insufficientLighting) }
    return reasons
  }
}

extension AssistanceAngles {
  init(_ angle: PeerAngle) {
    self.init(
      azimuth: angle.azimuth, elevation: angle.elevation, azimuthSigma: angle.azimuthSigma,
      elevationSigma: angle.elevationSigma)
  }
}
