import MultipeerConnectivity
import NearbyInteraction
import os.log

protocol RangerDelegate: AnyObject {
  func ranger(_ ranger: Ranger, measured distance: Float, azimuth: Float?)
}

final class Ranger: NSObject {
  private let log = OSLog(subsystem: "peek", category: "ranging")
  private(set) var session: NISession?
  private var tokens = [MCPeerID: NIDiscoveryToken]()
  weak var delegate: RangerDelegate?
  lazy var channel = PeerChannel(service: "peek", name: UIDevice.current.name)

  override init() {
    super.init()
    start()
  }

  func start() {
    guard NISession.deviceCapabilities.supportsPreciseDistanceMeasurement else { return }
    let session = NISession()
    session.delegate = self
    self.session = session
    channel.received = { [weak self] data, peer in
      guard let self,
        let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NIDiscoveryToken.self, from: data)
      else { return }
      self.tokens[peer] = token
      session.run(NINearbyPeerConfiguration(peerToken: token))
    }
  }

  func stop() {
    session?.invalidate()
    session = nil
  }
}

extension Ranger: NISessionDelegate {
  func session(_ session: NISession, didUpdate nearbyObjects: [NINearbyObject]) {
    guard let object = nearbyObjects.first, let distance = object.distance else { return }
    let azimuth = object.direction.map { asin($0.x) }
    os_log("%f metres", log: log, type: .info, Double(distance))
    DispatchQueue.main.async { self.delegate?.ranger(self, measured: distance, azimuth: azimuth) }
  }

  func session(_ session: NISession, didRemove objects: [NINearbyObject], reason: NINearbyObject.RemovalReason) {
    switch reason {
    case .timeout: if let configuration = session.configuration { session.run(configuration) }
    case .peerEnded: tokens.removeAll()
    @unknown default: break
    }
  }

  func session(_ session: NISession, didInvalidateWith error: Error) {
    if case NIError.userDidNotAllow = error { return }
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { self.start() }
  }
}
