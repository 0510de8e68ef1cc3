import MultipeerConnectivity
import NearbyTesting

/// An app on the peer network that accepts or rejects certificates.
final class Judge: NSObject, MCSessionDelegate, @unchecked Sendable {
  // Used on the one thread that advances the world's time.
  let networker: Networker
  var answersAtOnce = true
  private(set) var shown: [[Data]?] = []
  private(set) var handlers: [(Bool) -> Void] = []

  init(_ name: String) {
    networker = Networker(name)
    super.init()
    networker.session.delegate = self
  }

  func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void
  ) {
    shown.append(certificate?.compactMap { $0 as? Data })
    handlers.append(certificateHandler)
    if answersAtOnce { certificateHandler(true) }
  }

  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {}
  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {}
  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
    fromPeer peerID: MCPeerID
  ) {}
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, with progress: Progress
  ) {}
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, at localURL: URL?, withError error: (any Error)?
  ) {}
}
