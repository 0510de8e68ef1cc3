import ARKit
import NearbyConcurrency
import NearbyDevice
import NearbyDeviceMachine
import Synchronization
import simd

extension NISession {
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
  func switchCamera(_ event: SessionEvent, with tracking: PrivateTracking) {
    switch event {
    case .startedRunning:
      // A session that no longer uses the camera may still have one from an earlier `run`.
      if state.withLock({ $0.request?.usesCameraAssistance == true }) { tracking.start(for: id) }
    case .suspended, .removed, .invalidated: tracking.stop(for: id)
    case .updated, .anchorsHeard, .assisted, .convergence, .suspensionEnded, .shareable, .sounds: break
    }
  }

  func arSessionRan(_ session: ARSession) {
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
