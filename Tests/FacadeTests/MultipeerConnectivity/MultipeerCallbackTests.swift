import MultipeerConnectivity
import NearbyTesting
import Testing

@Suite("Callbacks, and calls that apps make in them")
struct MultipeerCallbackTests {
  let pair = Pair()
  private var world: World { pair.world }

  @Test("No callback is made inside the call that caused it")
  func notInside() throws {
    pair.atAnn.start()
    pair.atBen.start()
    #expect(pair.atAnn.history.isEmpty)
    world.advance(by: .seconds(1))
    pair.atAnn.invite(pair.atBen)
    pair.atAnn.session.disconnect()
    #expect(pair.atAnn.states.isEmpty)
    world.advance(by: .seconds(1))
    pair.connect()
    let before = pair.atAnn.history
    pair.atAnn.session.disconnect()
    #expect(pair.atAnn.history == before)
    // The callback comes later, when its state is already in effect.
    world.advance(by: .milliseconds(10))
    #expect(pair.atAnn.states.last == "ben notConnected")
    #expect(pair.atAnn.session.connectedPeers.isEmpty)
  }

  @Test("A message sent on connecting arrives after the other side's connected state")
  func sendAtOnce() {
    for app in [pair.atAnn, pair.atBen] {
      app.onState = { [unowned app] _, state in if state == .connected { try? app.send("hello") } }
    }
    pair.connect()
    #expect(pair.atAnn.messages == ["ben: hello"])
    #expect(pair.atBen.messages == ["ann: hello"])
    #expect(!pair.atAnn.history.contains("data of a stranger"))
  }

  @Test("Inside a callback the session's state matches it")
  func consistent() {
    var seen: [(MCSessionState, Int)] = []
    pair.atBen.onState = { [session = pair.atBen.session] _, state in
      seen.append((state, session.connectedPeers.count))
    }
    pair.connect()
    pair.atAnn.session.disconnect()
    world.advance(by: .seconds(1))
    #expect(seen.map(\.0) == [.connecting, .connected, .notConnected])
    #expect(seen.map(\.1) == [0, 1, 0])
  }

  @Test("Answering each message with another one continues indefinitely, without recursion")
  func pingPong() throws {
    pair.connect()
    pair.atAnn.onMessage = { [unowned app = pair.atAnn] _ in try? app.send("ping") }
    pair.atBen.onMessage = { [unowned app = pair.atBen] _ in try? app.send("pong") }
    try pair.atAnn.send("ping")
    world.advance(by: .seconds(2))
    #expect(pair.atBen.messages.count > 100)
    #expect(pair.atBen.messages.allSatisfy { $0 == "ann: ping" })
  }

  @Test("Disconnecting in a callback ends the connection on both sides, and no data follows")
  func disconnectInside() throws {
    pair.connect()
    pair.atBen.onMessage = { [session = pair.atBen.session] _ in session.disconnect() }
    for number in 0..<5 { try pair.atAnn.send("\(number)") }
    world.advance(by: .seconds(2))
    #expect(pair.atBen.states.last == "ann notConnected")
    #expect(pair.atAnn.states.last == "ben notConnected")
    #expect(!pair.atBen.history.contains("data of a stranger"))
  }

  @Test("Stopping, starting and inviting is possible in callbacks")
  func browseInside() {
    pair.atAnn.invites = true
    pair.atBen.onState = { [app = pair.atBen] _, state in
      guard state == .connected else { return }
      app.advertiser.stopAdvertisingPeer()
      app.browser.stopBrowsingForPeers()
      app.advertiser.startAdvertisingPeer()
    }
    pair.atAnn.start()
    pair.atBen.start()
    world.advance(by: .seconds(5))
    #expect(pair.atAnn.session.connectedPeers == [pair.atBen.peer])
  }

  @Test("A session can be released in its own callback, and its peer is notified")
  func releasedInside() {
    let holder = Holder()
    let phone = world.addPhone("Cam", at: [1, 1, 1])
    phone.launch { holder.make() }
    weak let session = holder.session
    pair.atAnn.start()
    holder.start()
    world.advance(by: .seconds(1))
    holder.inviteFirst()
    world.advance(by: .seconds(5))
    #expect(holder.states == [.connecting, .connected])
    #expect(session == nil)
    #expect(pair.atAnn.states == ["cam connecting", "cam connected", "cam notConnected"])
  }

  @Test("Delegates are not retained, and nothing fails without them")
  func weakDelegates() throws {
    pair.connect()
    var other: Networker? = pair.ben.launch { Networker("other") }
    weak let delegate = other
    pair.atBen.session.delegate = other
    pair.atBen.browser.delegate = other
    pair.atBen.advertiser.delegate = other
    other = nil
    #expect(delegate == nil)
    #expect(pair.atBen.session.delegate == nil)
    #expect(pair.atBen.browser.delegate == nil)
    #expect(pair.atBen.advertiser.delegate == nil)
    try pair.atAnn.send("to nobody")
    pair.atAnn.session.disconnect()
    world.advance(by: .seconds(1))
    pair.atAnn.timeout = 2
    pair.atAnn.invite(pair.atBen)
    world.advance(by: .seconds(3))
    #expect(pair.atAnn.states.last == "ben notConnected")
  }

  @Test("An invitation's handler may be called late, twice, after the time-out, and after a relaunch")
  func handlers() {
    pair.atBen.answer = .never
    pair.atAnn.timeout = 3
    pair.connect()
    let first = pair.atBen.handlers[0]
    world.advance(by: .seconds(5))
    #expect(pair.atAnn.states == ["ben notConnected"])
    first(true, pair.atBen.session)
    world.advance(by: .seconds(1))
    #expect(pair.atAnn.session.connectedPeers.isEmpty)
    pair.atAnn.invite(pair.atBen)
    world.advance(by: .seconds(1))
    let second = pair.atBen.handlers[1]
    second(true, pair.atBen.session)
    second(false, nil)
    first(false, nil)
    world.advance(by: .seconds(1))
    #expect(pair.atAnn.session.connectedPeers == [pair.atBen.peer])
    pair.atAnn.session.disconnect()
    world.advance(by: .seconds(1))
    pair.atAnn.invite(pair.atBen)
    world.advance(by: .seconds(1))
    pair.ben.relaunch()
    pair.atBen.handlers[2](true, pair.atBen.session)
    world.advance(by: .seconds(10))
    #expect(pair.atAnn.session.connectedPeers.isEmpty)
  }

  @Test("Accepting without a session, or with another peer's session, counts as a refusal")
  func wrongSession() {
    pair.atBen.answer = .never
    for session in [nil, pair.ben.launch { MCSession(peer: MCPeerID(displayName: "x")) }] {
      pair.atAnn.forget()
      pair.connect()
      pair.atBen.handlers.last?(true, session)
      world.advance(by: .seconds(1))
      #expect(pair.atAnn.states == ["ben notConnected"])
    }
  }

  @Test("Starting twice and stopping twice is the same as once")
  func idempotent() {
    for _ in 0..<2 {
      pair.atAnn.browser.startBrowsingForPeers()
      pair.atBen.advertiser.startAdvertisingPeer()
    }
    world.advance(by: .seconds(1))
    #expect(pair.atAnn.history == ["found ben b"])
    for _ in 0..<2 { pair.atBen.advertiser.stopAdvertisingPeer() }
    world.advance(by: .seconds(3))
    #expect(pair.atAnn.history == ["found ben b", "lost ben"])
    for _ in 0..<2 { pair.atAnn.browser.stopBrowsingForPeers() }
    pair.atBen.advertiser.startAdvertisingPeer()
    world.advance(by: .seconds(3))
    #expect(pair.atAnn.history.count == 2)
  }

  @Test("Inviting a connected peer changes nothing; inviting oneself or an unknown peer fails")
  func oddInvitations() {
    pair.connect()
    pair.atAnn.forget()
    pair.atAnn.invite(pair.atBen)
    world.advance(by: .seconds(2))
    #expect(pair.atAnn.states.isEmpty)
    pair.atAnn.invite(pair.atAnn)
    world.advance(by: .seconds(2))
    #expect(pair.atAnn.states == ["ann notConnected"])
    let stranger = MCPeerID(displayName: "stranger")
    pair.atAnn.browser.invitePeer(stranger, to: pair.atAnn.session, withContext: nil, timeout: 2)
    world.advance(by: .seconds(3))
    #expect(pair.atAnn.states.last == "stranger notConnected")
    pair.atAnn.browser.invitePeer(
      pair.atBen.peer, to: pair.atAnn.session, withContext: Data(count: 70_000), timeout: .infinity)
    world.advance(by: .seconds(1))
    #expect(pair.atAnn.session.connectedPeers == [pair.atBen.peer])
  }

  @Test("The main queue may be used in callbacks")
  func mainQueue() async {
    let world = World(seed: 3)
    let ann = world.addPhone("Ann").launch { Networker("ann") }
    let ben = world.addPhone("Ben", at: [0, 3, 1.2]).launch { Networker("ben") }
    ben.onState = { [unowned ben] _, state in
      guard state == .connected else { return }
      DispatchQueue.main.async { try? ben.send("from the main queue") }
    }
    ann.start()
    ben.start()
    await world.advance(by: .seconds(1))
    ann.invite(ben)
    await world.advance(by: .seconds(1))
    #expect(ann.messages == ["ben: from the main queue"])
  }
}

/// Releases its session as soon as it is connected.
private final class Holder: NSObject, MCSessionDelegate, MCNearbyServiceBrowserDelegate {
  private(set) var session: MCSession?
  private var browser: MCNearbyServiceBrowser?
  private var found: [MCPeerID] = []
  private(set) var states: [MCSessionState] = []

  func make() {
    let peer = MCPeerID(displayName: "cam")
    session = MCSession(peer: peer)
    browser = MCNearbyServiceBrowser(peer: peer, serviceType: "nisample")
    session?.delegate = self
    browser?.delegate = self
  }

  func start() { browser?.startBrowsingForPeers() }

  func inviteFirst() {
    guard let session, let peer = found.first(where: { $0.displayName == "ann" }) else { return }
    browser?.invitePeer(peer, to: session, withContext: nil, timeout: 0)
  }

  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    states.append(state)
    if state == .connected {
      self.session = nil
      browser = nil
    }
  }
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
  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) { found.append(peerID) }
  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}
}
