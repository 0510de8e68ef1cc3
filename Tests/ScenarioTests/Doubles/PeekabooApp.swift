import Foundation
import NearbyInteraction
import NearbyTesting

/// Carries messages between two apps in both directions, after a delay and without loss, like a peer-to-peer
/// session whose peers stay connected.
final class Wire: @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  private let world: World
  private let delay: Duration
  private struct End {
    let phone: Phone
    // The app owns its wire.
    weak var app: PeekabooApp?
  }
  private var ends: [End] = []

  init(world: World, delay: Duration) {
    self.world = world
    self.delay = delay
  }

  func attach(_ phone: Phone, _ app: PeekabooApp) { ends.append(End(phone: phone, app: app)) }

  var isConnected: Bool { ends.count == 2 }

  func send(_ data: Data, from sender: PeekabooApp) {
    guard let receiver = ends.first(where: { $0.app !== sender }) else { return }
    world.at(world.now + delay, as: receiver.phone) {
      DispatchQueue.main.async { receiver.app?.received(data) }
    }
  }
}

/// An app that follows the flow of Apple's sample "Implementing interactions between users in close
/// proximity".
final class PeekabooApp: NSObject, NISessionDelegate, @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  private let wire: Wire
  private(set) var session: NISession?
  private var peerToken: NIDiscoveryToken?
  private var hasSharedToken = false
  private(set) var history: [String] = []
  private(set) var updates = 0
  /// The last distance that was not `nil`.
  private(set) var lastDistance: Float?
  private var recent: [Float] = []
  /// The median of the last distances.
  var recentDistance: Float? { recent.isEmpty ? nil : recent.sorted()[recent.count / 2] }
  private(set) var isRefused = false

  init(wire: Wire) {
    self.wire = wire
    super.init()
  }

  func start() {
    let session = NISession()
    session.delegate = self
    self.session = session
    hasSharedToken = false
    guard wire.isConnected else { return }
    shareToken()
    if let peerToken { session.run(NINearbyPeerConfiguration(peerToken: peerToken)) }
  }

  /// What happens when the user closes the screen and opens it again.
  func restart() {
    session?.invalidate()
    start()
  }

  private func shareToken() {
    guard !hasSharedToken, let token = session?.discoveryToken,
      let data = try? NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
    else { return }
    hasSharedToken = true
    wire.send(data, from: self)
  }

  func received(_ data: Data) {
    guard let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: data)
    else {
      history.append("unreadable token")
      return
    }
    peerToken = token
    session?.run(NINearbyPeerConfiguration(peerToken: token))
  }

  // MARK: NISessionDelegate

  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    guard let peer = nearbyObjects.first(where: { $0.discoveryToken == peerToken }) else { return }
    updates += 1
    if let distance = peer.distance {
      lastDistance = distance
      recent = recent.suffix(20) + [distance]
    }
  }

  func session(
    _ session: NISession, didRemove nearbyObjects: [NINearbyObject],
    reason: NINearbyObject.RemovalReason
  ) {
    switch reason {
    case .peerEnded:
      history.append("peerEnded")
      peerToken = nil
      session.invalidate()
      start()
    case .timeout:
      history.append("timeout")
      if let configuration = session.configuration { session.run(configuration) }
    }
  }

  func sessionWasSuspended(_ session: NISession) { history.append("suspended") }

  func sessionSuspensionEnded(_ session: NISession) {
    history.append("suspensionEnded")
    if let configuration = session.configuration { session.run(configuration) } else { start() }
  }

  func session(_ session: NISession, didInvalidateWith error: any Error) {
    history.append("invalidated \(error)")
    if case NIError.userDidNotAllow = error {
      isRefused = true
    } else {
      start()
    }
  }

  func sessionDidStartRunning(_ session: NISession) { history.append("running") }
}
