// swift-format-ignore-file
// Uses every public name of MultipeerConnectivity once, with exactly Apple's type.
import MultipeerConnectivity

enum EveryPeerName {
  static func peer(_ peer: MCPeerID, _ coder: NSCoder) {
    let _: (String) -> MCPeerID = MCPeerID.init(displayName:)
    let _: String = peer.displayName
    let _: NSObject & NSCopying & NSSecureCoding = peer
    let _: [MCPeerID: Int] = [peer: 1]
  }

  static func session(_ session: MCSession) {
    let _: (MCPeerID) -> MCSession = MCSession.init(peer:)
    let _: (MCPeerID, [Any]?, MCEncryptionPreference) -> MCSession =
      MCSession.init(peer:securityIdentity:encryptionPreference:)
    let _: ReferenceWritableKeyPath<MCSession, MCSessionDelegate?> = \.delegate
    let _: KeyPath<MCSession, MCPeerID> = \.myPeerID
    let _: [Any]? = session.securityIdentity
    let _: KeyPath<MCSession, MCEncryptionPreference> = \.encryptionPreference
    let _: KeyPath<MCSession, [MCPeerID]> = \.connectedPeers
    let _: (Data, [MCPeerID], MCSessionSendDataMode) throws -> Void = session.send(_:toPeers:with:)
    let _: (URL, String, MCPeerID, ((Error?) -> Void)?) -> Progress? =
      session.sendResource(at:withName:toPeer:withCompletionHandler:)
    let _: (String, MCPeerID) throws -> OutputStream = session.startStream(withName:toPeer:)
    let _: () -> Void = session.disconnect
    let _: (MCPeerID, @escaping (Data?, Error?) -> Void) -> Void =
      session.nearbyConnectionData(forPeer:withCompletionHandler:)
    let _: (MCPeerID) async throws -> Data = session.nearbyConnectionData(forPeer:)
    let _: (MCPeerID, Data) -> Void = session.connectPeer(_:withNearbyConnectionData:)
    let _: (MCPeerID) -> Void = session.cancelConnectPeer(_:)
  }

  static func delegate(_ delegate: MCSessionDelegate) {
    let _: (MCSession, MCPeerID, MCSessionState) -> Void = delegate.session(_:peer:didChange:)
    let _: (MCSession, Data, MCPeerID) -> Void = delegate.session(_:didReceive:fromPeer:)
    let _: (MCSession, InputStream, String, MCPeerID) -> Void = delegate.session(_:didReceive:withName:fromPeer:)
    let _: (MCSession, String, MCPeerID, Progress) -> Void =
      delegate.session(_:didStartReceivingResourceWithName:fromPeer:with:)
    let _: (MCSession, String, MCPeerID, URL?, Error?) -> Void =
      delegate.session(_:didFinishReceivingResourceWithName:fromPeer:at:withError:)
    let _: (MCSession, [Any]?, MCPeerID, @escaping (Bool) -> Void) -> Void =
      delegate.session(_:didReceiveCertificate:fromPeer:certificateHandler:)
  }

  static func advertiser(_ it: MCNearbyServiceAdvertiser, _ delegate: MCNearbyServiceAdvertiserDelegate) {
    let _: (MCPeerID, [String: String]?, String) -> MCNearbyServiceAdvertiser =
      MCNearbyServiceAdvertiser.init(peer:discoveryInfo:serviceType:)
    let _: ReferenceWritableKeyPath<MCNearbyServiceAdvertiser, MCNearbyServiceAdvertiserDelegate?> = \.delegate
    let _: KeyPath<MCNearbyServiceAdvertiser, MCPeerID> = \.myPeerID
    let _: KeyPath<MCNearbyServiceAdvertiser, [String: String]?> = \.discoveryInfo
    let _: KeyPath<MCNearbyServiceAdvertiser, String> = \.serviceType
    let _: [() -> Void] = [it.startAdvertisingPeer, it.stopAdvertisingPeer]
    let _: (MCNearbyServiceAdvertiser, MCPeerID, Data?, @escaping (Bool, MCSession?) -> Void) -> Void =
      delegate.advertiser(_:didReceiveInvitationFromPeer:withContext:invitationHandler:)
    let _: (MCNearbyServiceAdvertiser, Error) -> Void = delegate.advertiser(_:didNotStartAdvertisingPeer:)
  }

  static func browser(_ it: MCNearbyServiceBrowser, _ delegate: MCNearbyServiceBrowserDelegate) {
    let _: (MCPeerID, String) -> MCNearbyServiceBrowser = MCNearbyServiceBrowser.init(peer:serviceType:)
    let _: ReferenceWritableKeyPath<MCNearbyServiceBrowser, MCNearbyServiceBrowserDelegate?> = \.delegate
    let _: KeyPath<MCNearbyServiceBrowser, MCPeerID> = \.myPeerID
    let _: KeyPath<MCNearbyServiceBrowser, String> = \.serviceType
    let _: [() -> Void] = [it.startBrowsingForPeers, it.stopBrowsingForPeers]
    let _: (MCPeerID, MCSession, Data?, TimeInterval) -> Void = it.invitePeer(_:to:withContext:timeout:)
    let _: (MCNearbyServiceBrowser, MCPeerID, [String: String]?) -> Void =
      delegate.browser(_:foundPeer:withDiscoveryInfo:)
    let _: (MCNearbyServiceBrowser, MCPeerID) -> Void = delegate.browser(_:lostPeer:)
    let _: (MCNearbyServiceBrowser, Error) -> Void = delegate.browser(_:didNotStartBrowsingForPeers:)
  }

  static func assistant(_ it: MCAdvertiserAssistant, _ delegate: MCAdvertiserAssistantDelegate) {
    let _: (String, [String: String]?, MCSession) -> MCAdvertiserAssistant =
      MCAdvertiserAssistant.init(serviceType:discoveryInfo:session:)
    let _: ReferenceWritableKeyPath<MCAdvertiserAssistant, MCAdvertiserAssistantDelegate?> = \.delegate
    let _: KeyPath<MCAdvertiserAssistant, MCSession> = \.session
    let _: KeyPath<MCAdvertiserAssistant, [String: String]?> = \.discoveryInfo
    let _: KeyPath<MCAdvertiserAssistant, String> = \.serviceType
    let _: [() -> Void] = [it.start, it.stop]
    let _: (MCAdvertiserAssistant) -> Void = delegate.advertiserAssistantWillPresentInvitation(_:)
    let _: (MCAdvertiserAssistant) -> Void = delegate.advertiserAssistantDidDismissInvitation(_:)
  }

  @MainActor
  static func controller(_ it: MCBrowserViewController, _ delegate: MCBrowserViewControllerDelegate) {
    let _: @MainActor (String, MCSession) -> MCBrowserViewController = MCBrowserViewController.init(serviceType:session:)
    let _: @MainActor (MCNearbyServiceBrowser, MCSession) -> MCBrowserViewController =
      MCBrowserViewController.init(browser:session:)
    let _: MCNearbyServiceBrowser? = it.browser
    let _: MCSession = it.session
    let _: MCBrowserViewControllerDelegate? = it.delegate
    let _: (Int, Int) = (it.minimumNumberOfPeers, it.maximumNumberOfPeers)
    let _: (MCBrowserViewController) -> Void = delegate.browserViewControllerDidFinish(_:)
    let _: (MCBrowserViewController) -> Void = delegate.browserViewControllerWasCancelled(_:)
    let _: (MCBrowserViewController, MCPeerID, [String: String]?) -> Bool =
      delegate.browserViewController(_:shouldPresentNearbyPeer:withDiscoveryInfo:)
  }

  static let modes: [MCSessionSendDataMode] = [.reliable, .unreliable]
  static let states: [MCSessionState] = [.notConnected, .connecting, .connected]
  static let preferences: [MCEncryptionPreference] = [.optional, .required, .none]
  static let limits: [Int] = [kMCSessionMinimumNumberOfPeers, kMCSessionMaximumNumberOfPeers]

  static func error(_ error: MCError) {
    let _: (MCError.Code, [String: Any]) -> MCError = MCError.init(_:userInfo:)
    let _: (MCError.Code, Int, [String: Any]) = (error.code, error.errorCode, error.errorUserInfo)
    let _: CustomNSError & Sendable = error
    let _: Set<MCError> = [error]
  }
  static let codes: [MCError.Code] = [
    .unknown, .notConnected, .invalidParameter, .unsupported, .timedOut, .cancelled, .unavailable,
  ]
  static let shorthands: [MCError.Code] = [
    MCError.unknown, MCError.notConnected, MCError.invalidParameter, MCError.unsupported, MCError.timedOut,
    MCError.cancelled, MCError.unavailable,
  ]
  static let domains: [String] = [MCErrorDomain, MCError.errorDomain]
  /// MultipeerConnectivity re-exports UIKit, as Apple's does.
  static let name: (UIDevice) -> String = { $0.name }
}
