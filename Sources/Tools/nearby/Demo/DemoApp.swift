import Dispatch
import Foundation
import NearbyInteraction
import simd

/// An event in one phone's app, as the demo shows it.
struct DemoReport: Equatable, Sendable {
  enum Event: Equatable, Sendable {
    case running
    /// Distance in metres and direction as a unit vector in the phone's frame; `nil` if the session does not know.
    case update(distance: Float?, direction: SIMD3<Float>?)
    case removed(timeout: Bool)
    case suspended
    case suspensionEnded
    case invalidated(code: Int)
    /// The museum app's instruction to the visitor.
    case guidance(Guidance)
  }
  /// The state of the guidance to an exhibit.
  struct Guidance: Equatable, Sendable {
    /// Apple's stages: connecting, moveSideToSide, followArrow, moveUpAndDown, placed, stopped.
    var phase: String
    /// Radians in the level plane, positive to the right.
    var angle: Float?
    /// Metres.
    var distance: Float?
    /// What the search still needs, by Apple's names.
    var missing: [String]
    /// Distance of the sphere from the exhibit, metres; `nil` before it is placed.
    var sphereError: Double?
  }
  var time: Duration
  var observer: String
  var peer: String
  var event: Event
}

/// The app on each phone of the demo: a session with one peer.
final class DemoApp: NSObject, NISessionDelegate {
  private let session = NISession()
  private let report: (DemoReport.Event) -> Void

  /// - Parameters:
  ///   - queue: The session's delegate queue.
  ///   - report: Called on that queue.
  init(on queue: DispatchQueue, report: @escaping (DemoReport.Event) -> Void) {
    self.report = report
    super.init()
    session.delegateQueue = queue
    session.delegate = self
  }

  /// The token to send to the other phone over the app's own channel.
  func archivedToken() throws -> Data? {
    guard let token = session.discoveryToken else { return nil }
    return try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
  }

  /// Starts ranging with the phone that sent the token.
  func range(with archivedToken: Data) throws {
    let token = try NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: archivedToken)
    guard let token else { return }
    session.run(NINearbyPeerConfiguration(peerToken: token))
  }

  // MARK: NISessionDelegate

  func sessionDidStartRunning(_ session: NISession) { report(.running) }

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    for object in nearbyObjects {
      report(.update(distance: object.distance, direction: object.direction))
    }
  }

  func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject], reason: NINearbyObject.RemovalReason
  ) {
    report(.removed(timeout: reason == .timeout))
    // As in Apple's sample, run the same session again after a timeout.
    if reason == .timeout, let configuration = session.configuration { session.run(configuration) }
  }

  func sessionWasSuspended(_ session: NISession) { report(.suspended) }

  func sessionSuspensionEnded(_ session: NISession) {
    report(.suspensionEnded)
    if let configuration = session.configuration { session.run(configuration) }
  }

  func session(_ session: NISession, didInvalidateWith error: any Error) {
    report(.invalidated(code: (error as? NIError)?.errorCode ?? 0))
  }
}
