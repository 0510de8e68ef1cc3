import Dispatch

/// What a session tells whoever watches it. Every method is optional.
///
/// Source: `facts/arkit.md`, section 2.
public protocol ARSessionObserver: NSObjectProtocol {
  /// The session cannot go on; it is paused.
  func session(_ session: ARSession, didFailWithError error: any Error)
  /// Poses are to be trusted more, or less.
  func session(_ session: ARSession, cameraDidChangeTrackingState camera: ARCamera)
  /// Poses stopped: the app left the foreground, or another session has the camera.
  func sessionWasInterrupted(_ session: ARSession)
  /// Poses come again, from a new origin.
  func sessionInterruptionEnded(_ session: ARSession)
  /// Whether to look for the old world after an interruption; without this method it is not looked for.
  func sessionShouldAttemptRelocalization(_ session: ARSession) -> Bool
  /// Something to share with others who track the same place. Never called here.
  func session(_ session: ARSession, didOutputCollaborationData data: ARSession.CollaborationData)
}

/// What a session tells its app. Every method is optional.
public protocol ARSessionDelegate: ARSessionObserver {
  /// A new frame, sixty times a second.
  func session(_ session: ARSession, didUpdate frame: ARFrame)
  /// Anchors were added.
  func session(_ session: ARSession, didAdd anchors: [ARAnchor])
  /// Anchors have another transform than before.
  func session(_ session: ARSession, didUpdate anchors: [ARAnchor])
  /// Anchors were removed.
  func session(_ session: ARSession, didRemove anchors: [ARAnchor])
}

extension ARSessionObserver {
  /// Does nothing.
  public func session(_ session: ARSession, didFailWithError error: any Error) {}
  /// Does nothing.
  public func session(_ session: ARSession, cameraDidChangeTrackingState camera: ARCamera) {}
  /// Does nothing.
  public func sessionWasInterrupted(_ session: ARSession) {}
  /// Does nothing.
  public func sessionInterruptionEnded(_ session: ARSession) {}
  /// The old world is not looked for.
  public func sessionShouldAttemptRelocalization(_ session: ARSession) -> Bool { false }
  /// Does nothing.
  public func session(_ session: ARSession, didOutputCollaborationData data: ARSession.CollaborationData) {}
}

extension ARSessionDelegate {
  /// Does nothing.
  public func session(_ session: ARSession, didUpdate frame: ARFrame) {}
  /// Does nothing.
  public func session(_ session: ARSession, didAdd anchors: [ARAnchor]) {}
  /// Does nothing.
  public func session(_ session: ARSession, didUpdate anchors: [ARAnchor]) {}
  /// Does nothing.
  public func session(_ session: ARSession, didRemove anchors: [ARAnchor]) {}
}
