/// What a session tells its app, on a serial queue of the session's own.
///
/// Source: `facts/multipeerconnectivity.md`, section 3.
public protocol MCSessionDelegate: NSObjectProtocol {
  /// A peer is connecting, connected or gone. `.connected` comes before anything else of that peer.
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState)
  /// A message came.
  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID)
  /// A peer began a stream.
  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
    fromPeer peerID: MCPeerID)
  /// A resource is coming.
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, with progress: Progress)
  /// A resource came, or failed. The file is removed when this returns.
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, at localURL: URL?, withError error: (any Error)?)
  /// Optional: decides on a peer's certificate; the connection waits for the handler. Without this method all are
  /// accepted.
  func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void)
}

extension MCSessionDelegate {
  /// Accepts.
  public func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void
  ) { certificateHandler(true) }
}
