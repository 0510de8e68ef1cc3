import NearbyDevice
import NearbyDeviceMachine
import NearbyEstimation

/// Receives a session's events in place of an app's object, and passes them to a test that waits.
final class Sink: SessionSink {
  private let stream: AsyncStream<SessionEvent>
  private let continuation: AsyncStream<SessionEvent>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func received(_ event: SessionEvent, peer: DiscoveryIdentity?) { continuation.yield(event) }

  /// The first event from now on that `matches`; those before it are dropped.
  func next(_ matches: (SessionEvent) -> Bool) async -> SessionEvent? {
    for await event in stream where matches(event) { return event }
    return nil
  }

  func nextDistance() async -> Double? {
    let event = await next { if case .updated(let estimate) = $0 { estimate.distance != nil } else { false } }
    guard case .updated(let estimate) = event else { return nil }
    return estimate.distance?.distance
  }
}

/// Receives a camera user's events, and passes them to a test that waits.
final class CameraEar: CameraSink {
  private let stream: AsyncStream<CameraEvent>
  private let continuation: AsyncStream<CameraEvent>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func received(_ event: CameraEvent) { continuation.yield(event) }

  func next() async -> CameraEvent? {
    for await event in stream { return event }
    return nil
  }
}
