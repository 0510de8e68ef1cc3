import Foundation

/// The events of a session. Every method is optional.
///
/// Calls arrive one at a time and in order, on the session's `delegateQueue` or else on the main queue.
public protocol NISessionDelegate: NSObjectProtocol {
  /// The session measured its peer; the array has one object.
  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject])
  /// The session no longer reports the peer; `run` restarts ranging.
  func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason)
  /// The session is suspended, because the app left the foreground or the system interrupted it.
  func sessionWasSuspended(_ session: NISession)
  /// `run` may be called again; the session does not resume by itself.
  func sessionSuspensionEnded(_ session: NISession)
  /// The session has ended; the error is an `NIError`. No more calls follow.
  func session(_ session: NISession, didInvalidateWith error: any Error)
  /// The session created the data that an accessory needs to take part; send it to the accessory.
  func session(
    _ session: NISession, didGenerateShareableConfigurationData shareableConfigurationData: Data,
    for object: NINearbyObject)
  /// Camera assistance made or lost progress; a `nil` object stands for the whole session.
  func session(
    _ session: NISession, didUpdateAlgorithmConvergence convergence: NIAlgorithmConvergence,
    for object: NINearbyObject?)
  /// The session started or resumed running.
  func sessionDidStartRunning(_ session: NISession)
  /// The session heard anchors: the messages of one round, in the order in which they were sent.
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
