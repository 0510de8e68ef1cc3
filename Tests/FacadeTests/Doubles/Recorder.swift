import Foundation
import NearbyInteraction
import NearbyTesting

/// A delegate that records its callbacks, with updates in a list of their own.
final class Recorder: NSObject, NISessionDelegate, @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  let session: NISession
  private(set) var history: [String] = []
  private(set) var updates: [NINearbyObject] = []
  var onEvent: ((String) -> Void)?

  override init() {
    session = NISession()
    super.init()
    session.delegate = self
  }

  var token: NIDiscoveryToken? { session.discoveryToken }
  var lastDistance: Float? { updates.last?.distance }

  func run(_ other: Recorder) {
    if let token = other.token { session.run(NINearbyPeerConfiguration(peerToken: token)) }
  }

  func forget() {
    history.removeAll()
    updates.removeAll()
  }

  private func note(_ text: String) {
    history.append(text)
    onEvent?(text)
  }

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    updates += nearbyObjects
    onEvent?("updated")
  }
  func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject],
    reason: NINearbyObject.RemovalReason
  ) { note("removed \(reason)") }
  func sessionWasSuspended(_ session: NISession) { note("suspended") }
  func sessionSuspensionEnded(_ session: NISession) { note("suspensionEnded") }
  func session(_ session: NISession, didInvalidateWith error: any Error) {
    note("invalidated \((error as? NIError).map { "\($0.code)" } ?? "another error")")
  }
  func sessionDidStartRunning(_ session: NISession) { note("running") }
}

/// Two phones 3 m apart that point at each other.
struct Meeting {
  let world: World
  let ann: Phone
  let ben: Phone
  let atAnn: Recorder
  let atBen: Recorder

  init(seed: UInt64 = 1, profile: PhoneProfile = PhoneProfile(), distance: Double = 3) {
    world = World(seed: seed)
    ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0, profile: profile)
    ben = world.addPhone("Ben", at: [0, distance, 1.2], heading: 180, profile: profile)
    atAnn = ann.launch { Recorder() }
    atBen = ben.launch { Recorder() }
  }

  func runBoth() {
    atAnn.run(atBen)
    atBen.run(atAnn)
  }
}
