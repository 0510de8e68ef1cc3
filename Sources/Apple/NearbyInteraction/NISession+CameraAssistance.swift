import ARKit
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import Synchronization
import simd

extension NISession {
  /// Lets camera assistance use the app's own AR session, which the app runs itself; call it before `run`.
  ///
  /// Its configuration must track the world with `gravity` alignment, without collaboration, face tracking or an
  /// initial map, and its delegate must not ask for relocalisation. What breaks a rule, here or in a later `run`
  /// of either session, ends this session with `invalidARConfiguration`: so do a call after `run`, a `run`
  /// without camera assistance, and a device that has none.
  ///
  /// Source: `facts/nearbyinteraction.md`, section 6.
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

  /// Where the app's AR world has the peer; `nil` until side-to-side and up-and-down movement have told.
  ///
  /// The place is that of the last update; the axes are the world's. In the world of the session given to
  /// `setARSession`, or without one in that of a session of this process's own, where tracking began.
  ///
  /// - Parameter object: From this session; of another peer gives `nil`.
  public func worldTransform(for object: NINearbyObject) -> simd_float4x4? {
    let (place, peer, given, own) = state.withLock {
      ($0.placeInTrack, $0.peer, $0.arSession, $0.tracking?.session)
    }
    guard let place, object.discoveryToken == peer else { return nil }
    return (given ?? own)?.worldTransform(ofPlaceInTrack: place)
  }

  /// Sees to it that a session that wants camera assistance has a camera.
  ///
  /// - Returns: Whether the AR session that the app gave can be used.
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

  /// The camera runs while the session does.
  func follow(_ event: SessionEvent, with tracking: PrivateTracking) {
    switch event {
    case .startedRunning:
      // A session that no longer wants the camera has one from an earlier `run`.
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

/// The AR session of a device whose app gave none, shared by all its sessions: one process has one.
final class PrivateTracking: Sendable {
  let session: ARSession
  private let users = Mutex<Set<SessionID>>([])

  private init(_ session: ARSession) { self.session = session }

  private static let all = Mutex<[ObjectIdentifier: WeakBox<PrivateTracking>]>([:])

  /// The one there is, or a new one. Its AR session keeps the device, so that the device's identity stays its own.
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
