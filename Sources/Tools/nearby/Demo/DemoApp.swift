import Dispatch
import Foundation
import NearbyInteraction
import simd

/// What one phone's app hears, as the demo shows it.
struct DemoReport: Equatable, Sendable {
  enum Event: Equatable, Sendable {
    case running
    /// Metres, and a unit vector in the phone's frame; `nil` where the session says nothing.
    case update(distance: Float?, direction: SIMD3<Float>?)
    case removed(timeout: Bool)
    case suspended
    case suspensionEnded
    case invalidated(code: Int)
    /// What the museum's app asks of the visitor.
    case guidance(Guidance)
  }
  /// A moment of the way to an exhibit.
  struct Guidance: Equatable, Sendable {
    /// Apple's stages: connecting, moveSideToSide, followArrow, moveUpAndDown, placed, stopped.
    var phase: String
    /// Radians in the level plane, positive to the right.
    var angle: Float?
    /// Metres.
    var distance: Float?
    /// What the search still lacks, by Apple's names.
    var missing: [String]
    /// How far the sphere is from the exhibit, metres; `nil` before there is one.
    var sphereError: Double?
  }
  var time: Duration
  var observer: String
  var peer: String
  var event: Event
}

/// The app inside each phone of the demo: a session with one peer, as an app on a phone has it.
final class DemoApp: NSObject, NISessionDelegate {
  private let session = NISession()
  private let report: (DemoReport.Event) -> Void

  /// - Parameters:
  ///   - queue: Where the session calls.
  ///   - report: Called on that queue.
  init(on queue: DispatchQueue, report: @escaping (DemoReport.Event) -> Void) {
    self.report = report
    super.init()
    session.delegateQueue = queue
    session.delegate = self
  }

  /// What goes to the other phone over the app's own channel.
  func archivedToken() throws -> Data? {
    guard let token = session.discoveryToken else { return nil }
    return try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
  }

  /// Takes what came from the other phone, and ranges with it.
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
    // Like Apple's sample: after a time-out the same session runs on.
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
