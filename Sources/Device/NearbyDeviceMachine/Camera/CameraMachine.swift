/// Who has a device's camera, and whether they may. One at a time: the last that ran it.
///
/// A part of `DeviceMachine`, pure as that is. Source: `facts/arkit.md`, sections 1 and 2.
struct CameraMachine: Sendable {
  /// What an app asks of the camera.
  enum Request: Sendable, Equatable {
    /// - wantsFrames: Whether somebody listens to each frame.
    /// - resets: Whether tracking begins anew where it runs already.
    case run(wantsFrames: Bool, resets: Bool)
    case pause
  }

  /// What comes of an event.
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

  /// Whether the device has a camera that tracks.
  var isAvailable = false
  /// The reason given to the user, `NSCameraUsageDescription`.
  var usageDescription: String?
  var permission = Permission.notDetermined
  private(set) var isAsking = false
  private var isInForeground = true
  /// In the order in which they ran; the last has the camera.
  private var runs: [Run] = []
  /// Those that wait for the user's answer.
  private var waiting: [Run] = []
  private var usersMade = 0
  /// Goes up whenever tracking begins anew.
  private(set) var epoch = 0

  /// Who has the camera, and poses from it.
  var owner: CameraUser? { isInForeground ? runs.last?.user : nil }
  /// Whether every frame is to be delivered.
  var wantsFrames: Bool { owner != nil && runs.last?.wantsFrames == true }

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
    guard usageDescription != nil, permission != .denied else {
      return pause(run.user) + [.deliver(run.user, .failed(.unauthorized))]
    }
    guard permission.isGranted else {
      waiting.removeAll { $0.user == run.user }
      waiting.append(run)
      defer { isAsking = true }
      return isAsking ? [] : [.askPermission]
    }
    return start(run, resets: resets)
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
    waiting.removeAll { $0.user == user }
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
    waiting.removeAll()
    if permission == .allowedOnce { permission = .notDetermined }
    isAsking = false
    isInForeground = true
  }

  mutating func answerPermission(_ answer: Permission) -> [Outcome] {
    guard isAsking, answer != .notDetermined else { return [] }
    isAsking = false
    permission = answer
    defer { waiting.removeAll() }
    var outcomes: [Outcome] = [.storePermission(answer)]
    for run in waiting {
      outcomes += answer.isGranted ? start(run, resets: true) : [.deliver(run.user, .failed(.unauthorized))]
    }
    return outcomes
  }

  mutating func setPermission(_ answer: Permission) -> [Outcome] {
    if isAsking, answer != .notDetermined { return answerPermission(answer) }
    permission = answer
    var outcomes: [Outcome] = [.storePermission(answer)]
    guard answer == .denied else { return outcomes }
    for run in runs { outcomes.append(.deliver(run.user, .failed(.unauthorized))) }
    runs.removeAll()
    return outcomes
  }
}
