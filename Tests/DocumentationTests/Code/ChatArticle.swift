import MultipeerConnectivity
import NearbyTesting
import Testing

final class Chat: NSObject {
  let session: MCSession
  private let advertiser: MCNearbyServiceAdvertiser
  private let browser: MCNearbyServiceBrowser
  private(set) var messages: [String] = []

  init(name: String) {
    let me = MCPeerID(displayName: name)
    session = MCSession(peer: me)
    advertiser = MCNearbyServiceAdvertiser(peer: me, discoveryInfo: nil, serviceType: "example-chat")
    browser = MCNearbyServiceBrowser(peer: me, serviceType: "example-chat")
    super.init()
    session.delegate = self
    advertiser.delegate = self
    browser.delegate = self
  }

  func start() {
    advertiser.startAdvertisingPeer()
    browser.startBrowsingForPeers()
  }

  func say(_ text: String) throws {
    try session.send(Data(text.utf8), toPeers: session.connectedPeers, with: .reliable)
  }
}

extension Chat: MCNearbyServiceBrowserDelegate, MCNearbyServiceAdvertiserDelegate {
  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) {
    browser.invitePeer(peerID, to: session, withContext: nil, timeout: 10)
  }

  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}

  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
    withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    invitationHandler(true, session)
  }
}

extension Chat: MCSessionDelegate {
  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    if state == .connected { print("\(peerID.displayName) is here") }
  }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    messages.append("\(peerID.displayName): \(String(decoding: data, as: UTF8.self))")
  }

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

func printMessages(of session: MCSession) async {
  for await event in session.events {
    if case .received(let data, let peer) = event {
      print(peer.displayName, String(decoding: data, as: UTF8.self))
    }
  }
}

func acceptAll(_ advertiser: MCNearbyServiceAdvertiser, into session: MCSession) async {
  for await invitation in advertiser.invitations { invitation.accept(into: session) }
}

@Suite("Finding and connecting peers")
struct ChatArticle {
  @Test("Two phones connect and talk")
  func chat() throws {
    let world = World(seed: 5)
    let ann = world.addPhone("Ann")
    let ben = world.addPhone("Ben", at: [0, 3, 1.2])
    let atAnn = ann.launch { Chat(name: "Ann") }
    let atBen = ben.launch { Chat(name: "Ben") }
    atAnn.start()
    atBen.start()
    #expect(
      world.advance(until: { !atAnn.session.connectedPeers.isEmpty }, within: .seconds(10)))
    world.advance(by: .seconds(1))
    try atAnn.say("hello")
    world.advance(by: .seconds(1))
    #expect(atBen.messages == ["Ann: hello"])
  }
}
