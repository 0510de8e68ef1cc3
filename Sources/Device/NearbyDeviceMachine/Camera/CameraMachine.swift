/// Decides which user has a device's camera: the one that ran it last, if the device's user allows it.
///
/// A part of `DeviceMachine`, pure like that. Source: Apple, "Managing Session Life Cycle and Tracking
/// Quality" and `ARSession`.
struct CameraMachine: Sendable {
  /// What an app asks of the camera.
  enum Request: Sendable, Equatable {
    /// - wantsFrames: Whether the user gets each frame.
    /// - resets: Whether tracking starts over if it runs already.
    case run(wantsFrames: Bool, resets: Bool)
    case pause
  }

  /// What the device must do, in order.
  enum Outcome: Sendable, Equatable {
    case deliver(CameraUser, CameraEvent)
    case askPermission
    case storePermission(Permission)
  }

  private struct Run: Sendable {
    let user: CameraUser
    var wantsFrames: Bool
    var isInterrupted = false
  }

  /// What is known of the user's permission.
  private enum Consent: Sendable {
    case known(Permission)
    /// The question was put; these runs wait for the answer.
    case asking(waiting: [Run])

    var permission: Permission {
      switch self {
      case .known(let permission): permission
      case .asking: .notDetermined
      }
    }
  }

  /// Whether the device has a camera that tracks.
  private var isAvailable = false
  /// The reason given to the user, `NSCameraUsageDescription`.
  var usageDescription: String?
  private var consent = Consent.known(.notDetermined)
  private var isInForeground = true
  /// In the order in which they ran; the last has the camera.
  private var runs: [Run] = []
  private var usersMade = 0
  /// Increases whenever tracking starts over.
  private(set) var epoch = 0
  /// The last pose of the camera's owner; `nil` while the camera has no owner.
  var frame: CameraFrame?

  /// The user that has the camera and gets its poses.
  var owner: CameraUser? { isInForeground ? runs.last?.user : nil }
  /// Whether every frame is to be delivered.
  var wantsFrames: Bool { owner != nil && runs.last?.wantsFrames == true }
  /// What sessions with camera assistance need.
  var view: CameraView { CameraView(owner: owner, frame: frame, epoch: epoch) }

  /// Call before anything runs.
  mutating func setUp(isAvailable: Bool, permission: Permission, usageDescription: String?) {
    self.isAvailable = isAvailable
    consent = .known(permission)
    self.usageDescription = usageDescription
  }

  mutating func makeUser() -> CameraUser {
    defer { usersMade += 1 }
    return CameraUser(index: usersMade)
  }

  mutating func handle(_ request: Request, of user: CameraUser) -> [Outcome] {
    switch request {
    case .run(let wantsFrames, let resets): run(Run(user: user, wantsFrames: wantsFrames), resets: resets)
    case .pause: pause(user)
    }
  }

  private mutating func run(_ run: Run, resets: Bool) -> [Outcome] {
    guard isAvailable else { return [.deliver(run.user, .failed(.unsupported))] }
    guard usageDescription != nil, consent.permission != .denied else {
      return pause(run.user) + [.deliver(run.user, .failed(.unauthorized))]
    }
    switch consent {
    case .asking(let waiting):
      consent = .asking(waiting: waiting.filter { $0.user != run.user } + [run])
      return []
    case .known(let permission) where permission.isGranted: return start(run, resets: resets)
    case .known:
      consent = .asking(waiting: [run])
      return [.askPermission]
    }
  }

  private mutating func start(_ run: Run, resets: Bool) -> [Outcome] {
    if let last = runs.indices.last, runs[last].user == run.user {
      runs[last].wantsFrames = run.wantsFrames
      if resets { epoch += 1 }
      return []
    }
    runs.removeAll { $0.user == run.user }
    var outcomes = interruptOwner()
    var run = run
    if !isInForeground {
      run.isInterrupted = true
      outcomes.append(.deliver(run.user, .interrupted))
    }
    runs.append(run)
    epoch += 1
    return outcomes
  }

  private mutating func pause(_ user: CameraUser) -> [Outcome] {
    if case .asking(let waiting) = consent {
      consent = .asking(waiting: waiting.filter { $0.user != user })
    }
    let hadCamera = runs.last?.user == user
    runs.removeAll { $0.user == user }
    return hadCamera && isInForeground ? resumeOwner() : []
  }

  private mutating func interruptOwner() -> [Outcome] {
    guard let last = runs.indices.last, !runs[last].isInterrupted else { return [] }
    runs[last].isInterrupted = true
    return [.deliver(runs[last].user, .interrupted)]
  }

  private mutating func resumeOwner() -> [Outcome] {
    guard let last = runs.indices.last, runs[last].isInterrupted else { return [] }
    runs[last].isInterrupted = false
    epoch += 1
    return [.deliver(runs[last].user, .interruptionEnded)]
  }

  // MARK: Life cycle and permission

  mutating func enterBackground() -> [Outcome] {
    guard isInForeground else { return [] }
    isInForeground = false
    return interruptOwner()
  }

  mutating func enterForeground() -> [Outcome] {
    guard !isInForeground else { return [] }
    isInForeground = true
    return resumeOwner()
  }

  mutating func relaunch() {
    runs.removeAll()
    frame = nil
    let permission = consent.permission
    consent = .known(permission == .allowedOnce ? .notDetermined : permission)
    isInForeground = true
  }

  mutating func answerPermission(_ answer: Permission) -> [Outcome] {
    guard case .asking(let waiting) = consent, answer != .notDetermined else { return [] }
    consent = .known(answer)
    var outcomes: [Outcome] = [.storePermission(answer)]
    for run in waiting {
      outcomes += answer.isGranted ? start(run, resets: true) : [.deliver(run.user, .failed(.unauthorized))]
    }
    return outcomes
  }

  mutating func setPermission(_ answer: Permission) -> [Outcome] {
    if case .asking = consent {
      return answer == .notDetermined ? [.storePermission(answer)] : answerPermission(answer)
    }
    consent = .known(answer)
    var outcomes: [Outcome] = [.storePermission(answer)]
    guard answer == .denied else { return outcomes }
    for run in runs { outcomes.append(.deliver(run.user, .failed(.unauthorized))) }
    runs.removeAll()
    return outcomes
  }
}

/// What a session with camera assistance needs of the camera.
struct CameraView: Sendable {
  /// A pose older than this no longer says where the device is: at a walk of 1.4 m/s it has moved by 0.4 m.
  private static let longestPoseAge = Duration.milliseconds(300)

  let owner: CameraUser?
  fileprivate let frame: CameraFrame?
  let epoch: Int

  fileprivate init(owner: CameraUser?, frame: CameraFrame?, epoch: Int) {
    self.owner = owner
    self.frame = frame
    self.epoch = epoch
  }

  /// The last frame of one user's camera; `nil` if another user has the camera, or the frame is old.
  func frame(of user: CameraUser, at now: Duration) -> CameraFrame? {
    guard owner == user, let frame, now - frame.time < Self.longestPoseAge else { return nil }
    return frame
  }
}
