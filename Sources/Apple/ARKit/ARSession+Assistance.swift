import NearbyConcurrency
import NearbyEstimation
import Synchronization

// What NearbyInteraction's camera assistance needs from a session.
extension ARSession {
  /// Whether camera assistance can use the session with its present configuration and delegate.
  ///
  /// Asks the delegate on the caller's thread whether it wants relocalisation. Source: Apple's documentation
  /// of `NISession.setARSession(_:)`.
  package var isFitForAssistance: Bool {
    let (configuration, delegate) = state.withLock { ($0.configuration, $0.delegate) }
    if delegate.object?.sessionShouldAttemptRelocalization(self) == true { return false }
    // A session that has not run yet is checked when it runs.
    guard let configuration else { return true }
    guard let tracking = configuration as? ARWorldTrackingConfiguration else { return false }
    return tracking.worldAlignment == .gravity && !tracking.isCollaborationEnabled
      && !tracking.userFaceTrackingEnabled && tracking.initialWorldMap == nil
  }

  /// Calls `watcher` at each `run` of the session, before the run takes effect.
  package func watchRuns(_ watcher: @escaping @Sendable (ARSession) -> Void) {
    state.withLock { $0.watchers.append(watcher) }
  }

  /// The pose in this session's world for a position in the device's track (metres); it has the orientation
  /// of the world's axes.
  package func worldTransform(ofPlaceInTrack place: SIMD3<Double>) -> simd_float4x4 {
    let world = state.withLock { $0.worldFromOrigin }
    let there = world * simd_float4(ARWorld.inOrigin(place), 1)
    var transform = matrix_identity_float4x4
    transform.columns.3 = there
    return transform
  }
}
