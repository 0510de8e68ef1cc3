import NearbyConcurrency
import NearbyEstimation
import Synchronization

// What camera assistance needs of a session.
extension ARSession {
  /// Whether the session's configuration and delegate are such that camera assistance can use it.
  ///
  /// Asks the delegate whether it wants relocalisation, on the caller's thread.
  /// Source: `facts/nearbyinteraction.md`, section 6.
  package var isFitForAssistance: Bool {
    let (configuration, delegate) = state.withLock { ($0.configuration, $0.delegate) }
    if delegate.object?.sessionShouldAttemptRelocalization(self) == true { return false }
    // One that has not run yet is looked at when it does.
    guard let configuration else { return true }
    guard let tracking = configuration as? ARWorldTrackingConfiguration else { return false }
    return tracking.worldAlignment == .gravity && !tracking.isCollaborationEnabled
      && !tracking.userFaceTrackingEnabled && tracking.initialWorldMap == nil
  }

  /// Calls `watcher` whenever the session is run, before anything comes of it.
  package func watchRuns(_ watcher: @escaping @Sendable (ARSession) -> Void) {
    state.withLock { $0.watchers.append(watcher) }
  }

  /// A place in the device's track as a pose in this session's world, turned as the world is.
  package func worldTransform(ofPlaceInTrack place: SIMD3<Double>) -> simd_float4x4 {
    let world = state.withLock { $0.worldFromOrigin }
    let there = world * simd_float4(ARWorld.inOrigin(place), 1)
    var transform = matrix_identity_float4x4
    transform.columns.3 = there
    return transform
  }
}
