import ARKit
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import Synchronization
import simd

extension NISession {
  /// Lets camera assistance use an AR session that the app creates and runs itself. Call it before `run`.
  ///
  /// The AR session's configuration must track the world with `gravity` alignment, without collaboration,
  /// face tracking or an initial map, and its delegate must not attempt relocalisation. Breaking a rule, now
  /// or in a later `run` of either session, ends this session with `invalidARConfiguration`. The same happens
  /// if this method is called after `run`, if the session runs without camera assistance, or if the device
  /// lacks it.
  ///
  /// Source: Apple's documentation of `NISession.setARSession(_:)`.
  public func setARSession(_ session: ARSession) {
    let isTooLate = state.withLock { state in
      state.arSession = session
      return state.request != nil && !state.isPaused
    }
    guard !isTooLate, device.sessions.capabilities.contains(.cameraAssistance) else {
      return device.sessions.post(.reject(id, .invalidARConfiguration))
    }
    device.sessions.post(.useCamera(id, session.camera))
    session.watchRuns { [weak self] in self?.arSessionRan($0) }
  }

  /// The peer's pose in the app's AR world; `nil` until horizontal and vertical sweeps have located it.
  ///
  /// The position is that of the last update; the orientation is that of the world's axes. The world is that
  /// of the AR session given to `setARSession`, or else that of a session private to this process, whose
  /// origin is where tracking began.
  ///
  /// - Parameter object: An object that this session reported; one for another peer gives `nil`.
  public func worldTransform(for object: NINearbyObject) -> simd_float4x4? {
    let (place, peer, given, own) = state.withLock {
      ($0.placeInTrack, $0.peer, $0.arSession, $0.tracking?.session)
    }
    guard let place, object.discoveryToken == peer else { return nil }
    return (given ?? own)?.worldTransform(ofPlaceInTrack: place)
  }

  /// Provides a camera to a session that wants camera assistance.
  ///
  /// - Returns: False if the app gave an AR session that cannot be used for this request.
  func prepareCamera(for request: PeerConfiguration) -> Bool {
    let given = state.withLock { $0.arSession }
    if let given { return request.usesCameraAssistance && given.isFitForAssistance }
    guard request.usesCameraAssistance, device.sessions.capabilities.contains(.cameraAssistance) else {
      return true
    }
    let tracking = state.withLock { $0.tracking } ?? PrivateTracking.shared(of: device)
    state.withLock { $0.tracking = tracking }
    device.sessions.post(.useCamera(id, tracking.session.camera))
    return true
  }

  /// Runs the camera while the session runs.
  func follow(_ event: SessionEvent, with tracking: PrivateTracking) {
    switch event {
    case .startedRunning:
      // A session that no longer uses the camera may still have one from an earlier `run`.
      if state.withLock({ $0.request?.usesCameraAssistance == true }) { tracking.start(for: id) }
    case .suspended, .removed, .invalidated: tracking.stop(for: id)
    case .updated, .assisted, .convergence, .suspensionEnded, .shareable: break
    }
  }

  private func arSessionRan(_ session: ARSession) {
    let isConcerned = state.withLock {
      !$0.isOver && $0.arSession === session && $0.request?.usesCameraAssistance == true
    }
    if isConcerned, !session.isFitForAssistance { device.sessions.post(.reject(id, .invalidARConfiguration)) }
  }
}

/// The AR session of a device whose app supplied none, shared by all NI sessions of that device.
final class PrivateTracking: Sendable {
  let session: ARSession
  private let users = Mutex<Set<SessionID>>([])

  private init(_ session: ARSession) { self.session = session }

  private static let all = Mutex<[ObjectIdentifier: WeakBox<PrivateTracking>]>([:])

  /// Returns the device's existing instance or creates one. Its AR session retains the device, so that no
  /// other device can get the same object identifier while the instance exists.
  static func shared(of device: NearbyDevice) -> PrivateTracking {
    all.withLock { all in
      if let tracking = all[ObjectIdentifier(device)]?.object { return tracking }
      all = all.filter { $0.value.object != nil }
      let made = PrivateTracking(NearbyDevice.$current.withValue(device) { ARSession() })
      all[ObjectIdentifier(device)] = WeakBox(made)
      return made
    }
  }

  func start(for user: SessionID) {
    users.withLock { users in
      if users.isEmpty { session.run(ARWorldTrackingConfiguration()) }
      users.insert(user)
    }
  }

  func stop(for user: SessionID) {
    users.withLock { users in
      if users.remove(user) != nil, users.isEmpty { session.pause() }
    }
  }
}
