import Foundation

/// What a session tells its app. Every method is optional.
///
/// Calls come one at a time, in order, on the session's `delegateQueue`, or the main queue without one.
public protocol NISessionDelegate: NSObjectProtocol {
  /// New measurements of the session's peer, as an array of one.
  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject])
  /// The peer is no longer reported; `run` takes it up again.
  func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason)
  /// The session stands still, because the app left the foreground or the system says so.
  func sessionWasSuspended(_ session: NISession)
  /// `run` may be called again; nothing resumes by itself.
  func sessionSuspensionEnded(_ session: NISession)
  /// The session is over; the error is a `NIError`. Nothing more comes from it.
  func session(_ session: NISession, didInvalidateWith error: any Error)
  /// Data that an accessory needs to take part.
  func session(
    _ session: NISession, didGenerateShareableConfigurationData shareableConfigurationData: Data,
    for object: NINearbyObject)
  /// Camera assistance came further, or lost ground; a `nil` object means the whole session.
  func session(
    _ session: NISession, didUpdateAlgorithmConvergence convergence: NIAlgorithmConvergence,
    for object: NINearbyObject?)
  /// The session runs, for the first time or again.
  func sessionDidStartRunning(_ session: NISession)
  /// What was heard of anchors. Sessions here hear none.
  func session(_ session: NISession, didUpdateDLTDOA measurements: [NIDLTDOAMeasurement])
}

extension NISessionDelegate {
  /// Does nothing.
  public func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {}
  /// Does nothing.
  public func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject],
    reason: NINearbyObject.RemovalReason
  ) {}
  /// Does nothing.
  public func sessionWasSuspended(_ session: NISession) {}
  /// Does nothing.
  public func sessionSuspensionEnded(_ session: NISession) {}
  /// Does nothing.
  public func session(_ session: NISession, didInvalidateWith error: any Error) {}
  /// Does nothing.
  public func session(
    _ session: NISession, didGenerateShareableConfigurationData shareableConfigurationData: Data,
    for object: NINearbyObject
  ) {}
  /// Does nothing.
  public func session(
    _ session: NISession, didUpdateAlgorithmConvergence convergence: NIAlgorithmConvergence,
    for object: NINearbyObject?
  ) {}
  /// Does nothing.
  public func sessionDidStartRunning(_ session: NISession) {}
  /// Does nothing.
  public func session(_ session: NISession, didUpdateDLTDOA measurements: [NIDLTDOAMeasurement]) {}
}
