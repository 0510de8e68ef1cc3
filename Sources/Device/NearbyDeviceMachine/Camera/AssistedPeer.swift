import NearbyEstimation

/// What camera assistance adds to the radio's estimate of a peer.
package struct AssistedEstimate: Equatable, Sendable {
  /// Angle in the level plane from the direction of the device's back to the peer, radians, positive to the
  /// right.
  package var horizontalAngle: Double?
  package var vertical: VerticalEstimate
  /// Position of the peer in the track's frame, metres; `nil` until both sweeps are done.
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
  /// The user whose world it is.
  let camera: CameraUser
  private var locator: ObjectLocator
  private var ranges = AssistedRangeFilter()
  /// The tracking that the locator's constraints belong to.
  private var epoch: Int?
  private var vertical = VerticalEstimate.unknown
  private var blindSince: Duration?
  /// Our choice: a person walks 1.4 m in this time.
  private static let longestBlindness = Duration.seconds(1)
  /// The antennas have seen the peer since the session ran; `direction` beyond their cone needs that.
  private var wasInCone = false
  /// What the app was last notified of for the peer, and for the whole session.
  private var lastReasons: ConvergenceReasons?
  private var lastConditions: ConvergenceReasons?
  /// Share of the last rounds that gave a range, smoothed over about eight.
  private var heardShare = 1.0

  /// Metres. Our choice: closer than this the device itself is as large as the distance.
  private static let leastDistance = 0.3

  /// Whether the app says that the accessory moves: then its place is not searched, and what was known of it is dropped.
  var isMoving = false {
    didSet { if isMoving, !oldValue { forgetPlace() } }
  }

  init(
    camera: CameraUser, _ parameters: AssistanceParameters = AssistanceParameters(track: .visualInertial)
  ) {
    self.camera = camera
    locator = ObjectLocator(parameters)
  }

  private mutating func forgetPlace() {
    locator = ObjectLocator(locator.parameters)
    ranges = AssistedRangeFilter()
    vertical = .unknown
  }

  var hypotheses: [ObjectHypothesis] { locator.hypotheses }

  /// Receives what the radio measured in a round; `nil` where it gave no range.
  mutating func receive(_ reading: PeerReading?, _ view: CameraView, at now: Duration) {
    heardShare += ((reading == nil ? 0 : 1) - heardShare) / 8
    guard let reading, let frame = view.frame(of: camera, at: now) else { return }
    receive(reading, frame: frame, epoch: view.epoch)
  }

  private mutating func receive(_ reading: PeerReading, frame: CameraFrame, epoch: Int) {
    if self.epoch != epoch || hasLostTrack(frame) {
      self.epoch = epoch
      forgetPlace()
    }
    if reading.angle != nil { wasInCone = true }
    guard frame.tracking == .normal, !isMoving, let range = reading.range else { return }
    let assisted = AssistanceReading(
      time: reading.time, pose: frame.pose, range: range, isObstructed: reading.isLikelyNonLineOfSight,
      angles: reading.angle.map(AssistanceAngles.init))
    locator.update(assisted)
    ranges.update(assisted, sigma: reading.rangeSigma, hypotheses: locator.hypotheses)
  }

  /// Whether tracking has resumed after so long a gap that the track may no longer match the device's place.
  /// Then all constraints belong to another coordinate system.
  private mutating func hasLostTrack(_ frame: CameraFrame) -> Bool {
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

  /// Improves the radio's estimate by what is known of the peer's place.
  mutating func assist(
    _ estimate: inout PeerEstimate, _ view: CameraView, at now: Duration
  ) -> AssistedEstimate {
    guard let frame = view.frame(of: camera, at: now), epoch == view.epoch, frame.tracking == .normal,
      let known = locator.estimate(at: frame.time, pose: frame.pose, previous: vertical)
    else { return AssistedEstimate() }
    vertical = known.vertical
    // A peer that is silent has no distance, even if its place was known.
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

  /// Direction to the peer's place in the device's frame; `nil` where the place is too uncertain or too
  /// close.
  private static func direction(_ known: AssistanceEstimate) -> DirectionEstimate? {
    guard let direction = known.directionInDevice, known.distance > leastDistance else { return nil }
    let sigma = max(known.horizontalSigma, known.verticalSigma) / known.distance
    guard sigma <= PeerEstimator.largestDirectionSigma else { return nil }
    return DirectionEstimate(direction: direction, sigma: sigma)
  }

  // MARK: Convergence

  /// What the session's camera lacks, whatever the peer; `nil` where the app was notified of it.
  mutating func newConditions(_ view: CameraView, at now: Duration) -> ConvergenceReasons? {
    let conditions = Self.conditions(view.frame(of: camera, at: now))
    guard conditions != lastConditions else { return nil }
    lastConditions = conditions
    return conditions
  }

  /// What the search for the peer lacks; `nil` where the app was notified of it.
  mutating func newReasons(_ view: CameraView, at now: Duration) -> ConvergenceReasons? {
    let frame = view.frame(of: camera, at: now)
    var reasons = Self.conditions(frame)
    let known = frame.flatMap { locator.estimate(at: $0.time, pose: $0.pose, previous: vertical) }
    if epoch == view.epoch, let known {
      reasons.formUnion(known.reasons)
    } else {
      reasons.formUnion([.insufficientMovement, .insufficientHorizontalSweep, .insufficientVerticalSweep])
    }
    if heardShare < 0.5 { reasons.insert(.insufficientSignalStrength) }
    guard reasons != lastReasons else { return nil }
    lastReasons = reasons
    return reasons
  }

  /// Light and tracking. A camera without a frame counts as one that was not moved.
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
