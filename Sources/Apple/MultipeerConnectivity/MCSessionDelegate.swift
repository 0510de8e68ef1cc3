/// The events of a session, delivered on the session's own serial queue.
///
/// Source: Apple's documentation of `MCSessionDelegate`.
public protocol MCSessionDelegate: NSObjectProtocol {
  /// A peer's state changed. `.connected` comes before any other event of that peer.
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState)
  /// A message arrived.
  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID)
  /// A peer opened a stream.
  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
    fromPeer peerID: MCPeerID)
  /// A peer started to send a resource.
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, with progress: Progress)
  /// A resource arrived or failed. The file is deleted when this method returns.
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, at localURL: URL?, withError error: (any Error)?)
  /// Optional. Decides whether to accept a peer's certificate; the connection waits for the handler. Without
  /// this method all certificates are accepted.
  func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void)
}

extension MCSessionDelegate {
  /// Accepts the certificate.
  public func session(
    _ session: MCSession, didReceiveCertificate certificate: [Any]?, fromPeer peerID: MCPeerID,
    certificateHandler: @escaping (Bool) -> Void
  ) { certificateHandler(true) }
}
