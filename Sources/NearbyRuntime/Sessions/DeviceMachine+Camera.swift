import NearbyEstimation
import NearbyUCI

/// Camera assistance: who runs the camera, and what it adds to a session's ranges.
extension DeviceMachine {
  /// Makes a user of the camera.
  package mutating func makeCameraUser() -> CameraUser { camera.makeUser() }

  /// Gives the device a camera, or takes it away, before anything runs.
  package mutating func setCamera(
    isAvailable: Bool, permission: Permission = .notDetermined, usageDescription: String?
  ) {
    camera.isAvailable = isAvailable
    camera.permission = permission
    camera.usageDescription = usageDescription
  }

  /// The app's `NSCameraUsageDescription`; without one the camera runs for nobody.
  package mutating func setCameraUsageDescription(_ text: String?) { camera.usageDescription = text }

  package var cameraPermission: Permission { camera.permission }
  /// Whether a pose is of use: somebody has the camera.
  package var isCameraRunning: Bool { camera.owner != nil }
  /// Who has the camera.
  package var cameraOwner: CameraUser? { camera.owner }
  /// Whether who has the camera hears every frame.
  package var wantsCameraFrames: Bool { camera.wantsFrames }
  /// Goes up whenever tracking begins anew.
  package var cameraEpoch: Int { camera.epoch }

  /// Where a session's peer may be, the likeliest first.
  package func hypotheses(of id: SessionID) -> [SeenHypothesis] {
    guard let assisted = assistedPeers[id] else { return [] }
    return assisted.hypotheses.map { hypothesis in
      SeenHypothesis(
        position: SIMD3(hypothesis.state[0], hypothesis.state[1], hypothesis.state[2]),
        weight: hypothesis.weight,
        spread: SIMD3(hypothesis.covariance[0], hypothesis.covariance[1], hypothesis.covariance[3]))
    }.sorted { $0.weight > $1.weight }
  }

  /// Takes where the device is now, from whoever tracks it.
  ///
  /// - Parameter isToBeHeard: Whether it is one of the frames that who has the camera listens to.
  package mutating func received(_ frame: CameraFrame, isToBeHeard: Bool, at now: Duration) {
    guard let owner = camera.owner else { return }
    cameraFrame = frame
    if isToBeHeard { actions.append(.deliverCamera(owner, .frame(frame))) }
    if assistedPeers.isEmpty { return }
    for index in sessions.indices { tellConditions(index, at: now) }
  }

  mutating func handleCamera(_ command: Command, at now: Duration) {
    switch command {
    case .useCamera(let id, let user): cameraOfSession[id] = user
    case .runCamera(let user, let wantsFrames, let resets):
      perform(camera.handle(.run(wantsFrames: wantsFrames, resets: resets), of: user), at: now)
    case .pauseCamera(let user): perform(camera.handle(.pause, of: user), at: now)
    case .answerCameraPermission(let answer): perform(camera.answerPermission(answer), at: now)
    case .setCameraPermission(let answer): perform(camera.setPermission(answer), at: now)
    case .run, .reject, .pause, .invalidate, .release, .enterBackground, .enterForeground,
      .answerPermission, .setPermission, .setAccessoryLink, .startAccessory, .accessory, .stopAccessory,
      .relaunch:
      break
    }
    if camera.owner == nil { cameraFrame = nil }
  }

  mutating func perform(_ outcomes: [CameraMachine.Outcome], at now: Duration) {
    for outcome in outcomes {
      switch outcome {
      case .deliver(let user, let event):
        actions.append(.deliverCamera(user, event))
        if case .failed = event { cameraFailed(user, at: now) }
        if event == .interrupted { cameraFrame = nil }
      case .askPermission: actions.append(.askCameraPermission)
      case .storePermission(let permission): actions.append(.storeCameraPermission(permission))
      }
    }
  }

  /// Sessions that cannot have the camera they asked for end: the user said no to what `run` asked.
  private mutating func cameraFailed(_ user: CameraUser, at now: Duration) {
    for index in sessions.indices where cameraOfSession[sessions[index].id] == user {
      guard sessions[index].configuration?.usesCameraAssistance == true,
        sessions[index].isActive || sessions[index].phase == .suspended
      else { continue }
      fail(index, .userDidNotAllow, at: now)
    }
  }

  // MARK: Sessions

  /// Begins the search for a session's peer, where it runs with camera assistance.
  mutating func startAssistance(_ index: Int, at now: Duration) {
    let id = sessions[index].id
    guard sessions[index].configuration?.usesCameraAssistance == true, let user = cameraOfSession[id] else {
      return
    }
    assistedPeers[id] = AssistedPeer(camera: user)
    tellConditions(index, at: now)
  }

  /// A pose older than this no longer says where the device is.
  private static let longestPoseAge = Duration.milliseconds(300)

  /// The frame that a session's search may use: its own camera's, not another user's, and not an old one.
  private func frame(for peer: AssistedPeer, at now: Duration) -> CameraFrame? {
    guard camera.owner == peer.camera, let cameraFrame, now - cameraFrame.time < Self.longestPoseAge else {
      return nil
    }
    return cameraFrame
  }

  private mutating func tellConditions(_ index: Int, at now: Duration) {
    guard sessions[index].phase == .running, var peer = assistedPeers[sessions[index].id] else { return }
    let conditions = peer.newConditions(frame(for: peer, at: now))
    guard let conditions else { return }
    assistedPeers[sessions[index].id] = peer
    deliver(index, .convergence(conditions, ofPeer: false))
  }

  /// Takes a round's measurements into the search.
  mutating func assist(_ index: Int, with measurements: [UCITwoWayMeasurement], at now: Duration) {
    let id = sessions[index].id
    guard let agreement = sessions[index].ranging?.agreement, let place = assistedPeers.index(forKey: id)
    else { return }
    let address = UCIAddress.short(agreement.peerAddress)
    let frame = frame(for: assistedPeers.values[place], at: now)
    for measurement in measurements where measurement.address == address {
      let reading = PeerReading(measurement, at: now)
      assistedPeers.values[place].noteRound(isHeard: reading != nil)
      guard let reading, let frame else { continue }
      assistedPeers.values[place].take(reading, frame: frame, epoch: camera.epoch)
    }
  }

  /// Tells the app what radio and camera know together, and how far the search has come.
  mutating func deliverAssisted(_ index: Int, _ estimate: PeerEstimate, at now: Duration) {
    let id = sessions[index].id
    guard let place = assistedPeers.index(forKey: id) else { return deliver(index, .updated(estimate)) }
    let frame = frame(for: assistedPeers.values[place], at: now)
    var estimate = estimate
    var assisted = AssistedEstimate()
    if let frame {
      assisted = assistedPeers.values[place].assist(&estimate, frame: frame, epoch: camera.epoch)
    }
    let reasons = assistedPeers.values[place].newReasons(frame, epoch: camera.epoch)
    deliver(index, .assisted(estimate, assisted))
    if let reasons { deliver(index, .convergence(reasons, ofPeer: true)) }
  }
}
