import MultipeerConnectivity
import NearbyTesting

/// An app on the peer network that records its callbacks.
final class Networker: NSObject, MCSessionDelegate, MCNearbyServiceAdvertiserDelegate,
  MCNearbyServiceBrowserDelegate, @unchecked Sendable
{
  enum Answer { case yes, no, never }

  // Used on the one thread that advances the world's time.
  let peer: MCPeerID
  let session: MCSession
  let advertiser: MCNearbyServiceAdvertiser
  let browser: MCNearbyServiceBrowser
  var answer = Answer.yes
  var invites = false
  var timeout: TimeInterval = 10
  var onMessage: ((Data) -> Void)?
  var onState: ((MCPeerID, MCSessionState) -> Void)?
  var onStream: ((InputStream) -> Void)?
  var onProgress: ((Progress) -> Void)?
  var onFile: ((URL) -> Void)?
  private(set) var history: [String] = []
  private(set) var found: [MCPeerID] = []
  private(set) var messages: [String] = []
  private(set) var contexts: [Data?] = []
  private(set) var resources: [Data] = []
  var streams: [InputStream] = []
  private(set) var handlers: [(Bool, MCSession?) -> Void] = []

  init(
    _ name: String, peer: MCPeerID? = nil, info: [String: String]? = nil, identity: [Any]? = nil,
    encryption: MCEncryptionPreference = .required
  ) {
    let peer = peer ?? MCPeerID(displayName: name)
    self.peer = peer
    session = MCSession(peer: peer, securityIdentity: identity, encryptionPreference: encryption)
    advertiser = MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: info, serviceType: "nisample")
    browser = MCNearbyServiceBrowser(peer: peer, serviceType: "nisample")
    super.init()
    session.delegate = self
    advertiser.delegate = self
    browser.delegate = self
  }

  func start() {
    advertiser.startAdvertisingPeer()
    browser.startBrowsingForPeers()
  }

  func invite(_ other: Networker, context: Data? = nil) {
    browser.invitePeer(other.peer, to: session, withContext: context, timeout: timeout)
  }

  func send(_ text: String, mode: MCSessionSendDataMode = .reliable) throws {
    try session.send(Data(text.utf8), toPeers: session.connectedPeers, with: mode)
  }

  var states: [String] { history.filter { $0.hasSuffix("onnected") || $0.hasSuffix("connecting") } }
  func forget() { history = [] }

  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    history.append("\(peerID.displayName) \(state)")
    onState?(peerID, state)
  }
  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    if !session.connectedPeers.contains(peerID) { history.append("data of a stranger") }
    messages.append("\(peerID.displayName): \(String(decoding: data, as: UTF8.self))")
    onMessage?(data)
  }
  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
    fromPeer peerID: MCPeerID
  ) {
    history.append("stream \(streamName)")
    streams.append(stream)
    onStream?(stream)
  }
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, with progress: Progress
  ) {
    history.append("resource \(resourceName) starts")
    onProgress?(progress)
  }
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String,
    fromPeer peerID: MCPeerID, at localURL: URL?, withError error: (any Error)?
  ) {
    let code = (error as? MCError).map { "\($0.code)" } ?? "well"
    history.append("resource \(resourceName) ends \(code)")
    localURL.map { onFile?($0) }
    if let data = localURL.flatMap({ try? Data(contentsOf: $0) }) { resources.append(data) }
  }

  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
    withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    history.append("\(peerID.displayName) invites")
    contexts.append(context)
    handlers.append(invitationHandler)
    switch answer {
    case .yes: invitationHandler(true, session)
    case .no: invitationHandler(false, nil)
    case .never: break
    }
  }

  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) {
    history.append("found \(peerID.displayName) \(info?["identity"] ?? "-")")
    found.append(peerID)
    if invites { browser.invitePeer(peerID, to: session, withContext: nil, timeout: timeout) }
  }
  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {
    history.append("lost \(peerID.displayName)")
  }

  func browser(_ browser: MCNearbyServiceBrowser, didNotStartBrowsingForPeers error: any Error) {
    history.append("did not browse \((error as? MCError).map { "\($0.code)" } ?? "?")")
  }
  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didNotStartAdvertisingPeer error: any Error
  ) {
    history.append("did not advertise \((error as? MCError).map { "\($0.code)" } ?? "?")")
  }
}

/// Two phones, each with a networker.
struct Pair {
  let world: World
  let ann: Phone
  let ben: Phone
  let atAnn: Networker
  let atBen: Networker

  init(seed: UInt64 = 1, drainsMainQueue: Bool = false) {
    world = World(seed: seed, drainsMainQueue: drainsMainQueue)
    ann = world.addPhone("Ann")
    ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
    atAnn = ann.launch { Networker("ann", info: ["identity": "a"]) }
    atBen = ben.launch { Networker("ben", info: ["identity": "b"]) }
  }

  /// Ann invites Ben, who accepts.
  func connect() {
    atAnn.start()
    atBen.start()
    world.advance(by: .seconds(1))
    atAnn.invite(atBen)
    world.advance(by: .seconds(1))
  }
}
