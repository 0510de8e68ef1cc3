import Dispatch

/// Events that a session reports to any observer. Every method is optional.
///
/// Source: Apple's documentation of `ARSessionObserver` and `ARSessionDelegate`.
public protocol ARSessionObserver: NSObjectProtocol {
  /// The session failed and is paused.
  func session(_ session: ARSession, didFailWithError error: any Error)
  /// The poses became more or less reliable.
  func session(_ session: ARSession, cameraDidChangeTrackingState camera: ARCamera)
  /// Tracking stopped, because the app left the foreground or another session has the camera.
  func sessionWasInterrupted(_ session: ARSession)
  /// Tracking resumed, at a new origin.
  func sessionInterruptionEnded(_ session: ARSession)
  /// Returns whether to relocalise in the previous world after an interruption. The default is false.
  func sessionShouldAttemptRelocalization(_ session: ARSession) -> Bool
  /// There is data for other devices that track the same world. Never called here.
  func session(_ session: ARSession, didOutputCollaborationData data: ARSession.CollaborationData)
}

/// Events that a session reports to its delegate. Every method is optional.
public protocol ARSessionDelegate: ARSessionObserver {
  /// A new frame is available.
  func session(_ session: ARSession, didUpdate frame: ARFrame)
  /// Anchors were added.
  func session(_ session: ARSession, didAdd anchors: [ARAnchor])
  /// The transforms of anchors changed.
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
  /// Declines relocalisation.
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
