// The one import provides Observation's macro.
import MultipeerConnectivity

/// A model that views observe.
@Observable
final class ObservedPeers: NSObject, MCSessionDelegate {
  private(set) var names: [String] = []
  @ObservationIgnored private let session = MCSession(peer: MCPeerID(displayName: UIDevice.current.name))
  override init() {
    super.init()
    session.delegate = self
  }
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    names = session.connectedPeers.map(\.displayName)
  }
  func session(_: MCSession, didReceive _: Data, fromPeer _: MCPeerID) {}
  func session(_: MCSession, didReceive _: InputStream, withName _: String, fromPeer _: MCPeerID) {}
  func session(
    _: MCSession, didStartReceivingResourceWithName _: String, fromPeer _: MCPeerID,
    with _: Progress
  ) {}
  func session(
    _: MCSession, didFinishReceivingResourceWithName _: String, fromPeer _: MCPeerID,
    at _: URL?, withError _: Error?
  ) {}
}
