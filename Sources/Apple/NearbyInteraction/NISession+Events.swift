import Foundation
import NearbyDeviceMachine
import Synchronization

// An addition to Apple's interface: the delegate's events as asynchronous sequences.
extension NISession {
  /// A call to the delegate, as a value.
  public enum Event: Sendable {
    /// `session(_:didUpdate:)`
    case updated([NINearbyObject])
    /// `session(_:didUpdateDLTDOA:)`
    case anchorsMeasured([NIDLTDOAMeasurement])
    /// `session(_:didRemove:reason:)`
    case removed([NINearbyObject], NINearbyObject.RemovalReason)
    /// `sessionWasSuspended(_:)`
    case suspended
    /// `sessionSuspensionEnded(_:)`
    case suspensionEnded
    /// `sessionDidStartRunning(_:)`
    case startedRunning
    /// `session(_:didUpdateAlgorithmConvergence:for:)`
    case convergenceUpdated(NIAlgorithmConvergence, for: NINearbyObject?)
    /// `session(_:didGenerateShareableConfigurationData:for:)`
    case shareableConfigurationGenerated(Data, for: NINearbyObject)
    /// `session(_:didInvalidateWith:)`; always the last event.
    case invalidated(NIError)
  }

  /// All events from now on, in order; finishes when the session ends.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    let isOver = state.withLock { state in
      if !state.isOver { state.streams.events.append(continuation) }
      return state.isOver
    }
    if isOver { continuation.finish() }
    return stream
  }

  /// The most recent objects from now on; a slow reader misses older ones. Finishes when the session ends.
  public var nearbyObjects: AsyncStream<[NINearbyObject]> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: [NINearbyObject].self, bufferingPolicy: .bufferingNewest(1))
    let isOver = state.withLock { state in
      if !state.isOver { state.streams.objects.append(continuation) }
      return state.isOver
    }
    if isOver { continuation.finish() }
    return stream
  }
}

/// The open event sequences of a session.
struct SessionStreams: Sendable {
  var events: [AsyncStream<NISession.Event>.Continuation] = []
  var objects: [AsyncStream<[NINearbyObject]>.Continuation] = []

  var isEmpty: Bool { events.isEmpty && objects.isEmpty }

  func yield(_ event: NISession.Event) {
    for continuation in events { continuation.yield(event) }
    if case .updated(let updated) = event {
      for continuation in objects { continuation.yield(updated) }
    }
  }

  func finish() {
    events.forEach { $0.finish() }
    objects.forEach { $0.finish() }
  }
}

extension NISession.Event {
  /// `nil` for what does not concern the app.
  init?(_ event: SessionEvent, peer: NIDiscoveryToken) {
    switch event {
    case .updated(let estimate): self = .updated([NINearbyObject(token: peer, estimate: estimate)])
    case .anchorsHeard(let readings): self = .anchorsMeasured(readings.map(NIDLTDOAMeasurement.init))
    case .assisted(let estimate, let assisted):
      self = .updated([NINearbyObject(token: peer, estimate: estimate, assisted: assisted)])
    case .convergence(let missing, let isOfPeer):
      self = .convergenceUpdated(
        NIAlgorithmConvergence(missing: missing), for: isOfPeer ? NINearbyObject(token: peer) : nil)
    case .removed(.timeout): self = .removed([NINearbyObject(token: peer)], .timeout)
    case .removed(.peerEnded): self = .removed([NINearbyObject(token: peer)], .peerEnded)
    case .suspended: self = .suspended
    case .suspensionEnded: self = .suspensionEnded
    case .startedRunning: self = .startedRunning
    case .shareable(let octets):
      self = .shareableConfigurationGenerated(Data(octets), for: NINearbyObject(token: peer))
    case .sounds: return nil
    case .invalidated(let failure): self = .invalidated(NIError(failure: failure))
    }
  }

  func call(_ delegate: any NISessionDelegate, of session: NISession) {
    switch self {
    case .updated(let objects): delegate.session(session, didUpdate: objects)
    case .anchorsMeasured(let measurements): delegate.session(session, didUpdateDLTDOA: measurements)
    case .removed(let objects, let reason):
      delegate.session(session, didRemove: objects, reason: reason)
    case .suspended: delegate.sessionWasSuspended(session)
    case .suspensionEnded: delegate.sessionSuspensionEnded(session)
    case .startedRunning: delegate.sessionDidStartRunning(session)
    case .shareableConfigurationGenerated(let data, let object):
      delegate.session(session, didGenerateShareableConfigurationData: data, for: object)
    case .convergenceUpdated(let convergence, let object):
      delegate.session(session, didUpdateAlgorithmConvergence: convergence, for: object)
    case .invalidated(let error): delegate.session(session, didInvalidateWith: error)
    }
  }
}
