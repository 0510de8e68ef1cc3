import NearbyEstimation
import NearbyUCI

/// Camera assistance: who uses the camera, and what its poses add to a session's ranges.
extension DeviceMachine {
  /// Makes a user of the camera.
  package mutating func makeCameraUser() -> CameraUser { camera.makeUser() }

  /// Gives the device a camera, or removes it. Call before anything runs.
  package mutating func setCamera(
    isAvailable: Bool, permission: Permission = .notDetermined, usageDescription: String?
  ) {
    camera.setUp(isAvailable: isAvailable, permission: permission, usageDescription: usageDescription)
  }

  /// The app's `NSCameraUsageDescription`; without one the camera does not run.
  package mutating func setCameraUsageDescription(_ text: String?) { camera.usageDescription = text }

  /// Whether poses are needed: the camera has an owner.
  package var isCameraRunning: Bool { camera.owner != nil }
  /// The user that has the camera.
  package var cameraOwner: CameraUser? { camera.owner }
  /// The last pose of the camera's owner.
  package var cameraFrame: CameraFrame? { camera.frame }
  /// Whether the camera's owner gets every frame.
  package var wantsCameraFrames: Bool { camera.wantsFrames }
  /// Increases whenever tracking starts over.
  package var cameraEpoch: Int { camera.epoch }

  /// Where a session's peer may be, the likeliest first.
  package func hypotheses(of id: SessionID) -> [SeenHypothesis] {
    guard let index = index(of: id) else { return [] }
    let assistance: AssistedPeer?
    switch sessions[index].phase {
    case .ranging(let ranging): assistance = ranging.value.assistance?.value
    case .sounding(let sounding): assistance = sounding.value.assistance
    case .new, .idle, .awaitingPermission, .awaitingRadio, .suspended, .invalidated: assistance = nil
    }
    return (assistance?.hypotheses ?? []).map { hypothesis in
      SeenHypothesis(
        position: SIMD3(hypothesis.state[0], hypothesis.state[1], hypothesis.state[2]),
        weight: hypothesis.weight,
        spread: SIMD3(hypothesis.covariance[0], hypothesis.covariance[1], hypothesis.covariance[3]))
    }.sorted { $0.weight > $1.weight }
  }

  /// Receives the device's pose from its tracker. Dropped while the camera has no owner.
  ///
  /// - Parameter notifiesOwner: Whether the frame is also delivered to the camera's owner.
  package mutating func received(_ frame: CameraFrame, notifiesOwner: Bool, at now: Duration) {
    guard let owner = camera.owner else { return }
    camera.frame = frame
    if notifiesOwner { actions.append(.deliverCamera(owner, .frame(frame))) }
    for index in sessions.indices { deliverConditions(index, at: now) }
  }

  mutating func handleCamera(_ command: Command, at now: Duration) {
    switch command {
    case .useCamera(let id, let user):
      if let index = index(of: id) { sessions[index].camera = user }
    case .runCamera(let user, let wantsFrames, let resets):
      perform(camera.handle(.run(wantsFrames: wantsFrames, resets: resets), of: user), at: now)
    case .pauseCamera(let user): perform(camera.handle(.pause, of: user), at: now)
    case .answerCameraPermission(let answer): perform(camera.answerPermission(answer), at: now)
    case .setCameraPermission(let answer): perform(camera.setPermission(answer), at: now)
    case .run, .listen, .reject, .pause, .invalidate, .release, .enterBackground, .enterForeground,
      .answerPermission, .setPermission, .sounding, .setMotion, .setAccessoryLink, .startAccessory,
      .accessory, .stopAccessory,
      .relaunch:
      break
    }
    if camera.owner == nil { camera.frame = nil }
  }

  mutating func perform(_ outcomes: [CameraMachine.Outcome], at now: Duration) {
    for outcome in outcomes {
      switch outcome {
      case .deliver(let user, let event):
        actions.append(.deliverCamera(user, event))
        if case .failed = event { cameraFailed(user, at: now) }
        if event == .interrupted { camera.frame = nil }
      case .askPermission: actions.append(.askCameraPermission)
      case .storePermission(let permission): actions.append(.storeCameraPermission(permission))
      }
    }
  }

  /// Ends the sessions that asked for this user's camera: the user of the device denied what `run` needs.
  private mutating func cameraFailed(_ user: CameraUser, at now: Duration) {
    for index in sessions.indices where sessions[index].camera == user {
      guard sessions[index].configuration?.usesCameraAssistance == true,
        sessions[index].isActive || sessions[index].isSuspended
      else { continue }
      fail(index, .userDidNotAllow, at: now)
    }
  }

  // MARK: Sessions

  /// Begins the search for a session's peer, where it runs with camera assistance.
  mutating func startAssistance(_ index: Int, at now: Duration) {
    guard let user = sessions[index].camera, sessions[index].configuration?.usesCameraAssistance == true
    else { return }
    sessions[index].updateRanging { $0.assistance = Boxed(AssistedPeer(camera: user)) }
    deliverConditions(index, at: now)
  }

  /// Notifies a session's app of light and tracking, where they changed.
  mutating func deliverConditions(_ index: Int, at now: Duration) {
    let view = camera.view
    if case .sounding = sessions[index].phase {
      let conditions = sessions[index].updateSounding { sounding in
        sounding.hasReportedRunning ? sounding.assistance?.newConditions(view, at: now) : nil
      }
      if let conditions = conditions ?? nil { deliver(index, .convergence(conditions, ofPeer: false)) }
      return
    }
    let conditions = sessions[index].updateRanging { ranging -> ConvergenceReasons? in
      guard ranging.stage == .running else { return nil }
      return ranging.assistance?.value.newConditions(view, at: now)
    }
    if let conditions {
      deliver(index, .convergence(conditions, ofPeer: false))
    }
  }
}
