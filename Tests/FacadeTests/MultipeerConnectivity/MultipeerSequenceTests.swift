import MultipeerConnectivity
import NearbyTesting
import TestSupport
import Testing

@Suite("Sequences of peers, invitations and messages")
struct MultipeerSequenceTests {
  let world = World(seed: 4, drainsMainQueue: false)

  @Test("An app without a delegate connects to its peer", .timeLimit(.minutes(10)))
  func withoutDelegates() async throws {
    let ann = world.addPhone("Ann").launch { Plain("ann") }
    let ben = world.addPhone("Ben", at: [0, 3, 1.2]).launch { Plain("ben") }
    var found = ann.browser.events.makeAsyncIterator()
    var invitations = ben.advertiser.invitations.makeAsyncIterator()
    var events = ben.session.events.makeAsyncIterator()
    ann.browser.startBrowsingForPeers()
    ben.advertiser.startAdvertisingPeer()
    await world.advance(by: .seconds(1))
    guard case .found(let peer, discoveryInfo: let info) = await found.next() else {
      Issue.record("no peer was found")
      return
    }
    #expect(peer == ben.peer)
    #expect(info == ["k": "v"])
    ann.browser.invitePeer(peer, to: ann.session, withContext: Data([7]), timeout: 10)
    await world.advance(by: .seconds(1))
    let invitation = try #require(await invitations.next())
    #expect(invitation.peer == ann.peer)
    #expect(invitation.context == Data([7]))
    invitation.accept(into: ben.session)
    invitation.decline()
    await world.advance(by: .seconds(1))
    try ann.session.send(Data([1, 2]), toPeers: [peer], with: .reliable)
    await world.advance(by: .seconds(1))
    guard case .stateChanged(ann.peer, .connecting) = await events.next(),
      case .stateChanged(ann.peer, .connected) = await events.next(),
      case .received(Data([1, 2]), from: ann.peer) = await events.next()
    else {
      Issue.record("other events, or in another order")
      return
    }
  }

  @Test("The delegate and every sequence get the same events", .timeLimit(.minutes(10)))
  func sameAsDelegate() async throws {
    let pair = Pair()
    let (first, second) = (pair.atBen.session.events, pair.atBen.session.events)
    let late = try TemporaryFolder()
    await Self.drive(pair, late)
    let heard = pair.atBen.history.filter { !$0.hasPrefix("found") && !$0.hasSuffix("invites") }
    #expect(heard.count == 6)
    for stream in [first, second] {
      var texts: [String] = []
      for await event in stream {
        texts.append(Self.text(event))
        if texts.count == heard.count { break }
      }
      #expect(texts == heard)
    }
  }

  private static func drive(_ pair: Pair, _ folder: TemporaryFolder) async {
    pair.connect()
    _ = try? pair.atAnn.session.startStream(withName: "s", toPeer: pair.atBen.peer)
    if let file = try? folder.file(Data([3])) {
      pair.atAnn.session.sendResource(at: file, withName: "r", toPeer: pair.atBen.peer)
    }
    await pair.world.advance(by: .seconds(1))
    pair.atAnn.session.disconnect()
    await pair.world.advance(by: .seconds(1))
  }

  private static func text(_ event: MCSession.Event) -> String {
    switch event {
    case .stateChanged(let peer, let state): "\(peer.displayName) \(state)"
    case .received: "message"
    case .streamReceived(_, name: let name, from: _): "stream \(name)"
    case .resourceStarted(name: let name, from: _, _): "resource \(name) starts"
    case .resourceReceived(name: let name, from: _, _): "resource \(name) ends well"
    case .resourceFailed(name: let name, from: _, _): "resource \(name) ends badly"
    }
  }

  @Test("A received file exists as long as it is retained", .timeLimit(.minutes(10)))
  func fileOfSequence() async throws {
    let pair = Pair()
    var events: AsyncStream<MCSession.Event>? = pair.atBen.session.events
    let folder = try TemporaryFolder()
    await Self.drive(pair, folder)
    var file: MCSession.ReceivedFile?
    if let events {
      for await event in events {
        guard case .resourceReceived(_, from: _, let received) = event else { continue }
        file = received
        break
      }
    }
    events = nil
    let url = try #require(file?.url)
    #expect(try Data(contentsOf: url) == Data([3]))
    withExtendedLifetime(file) {}
    file = nil
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test("Sequences end when their object is released", .timeLimit(.minutes(10)))
  func end() async {
    var app: Plain? = world.addPhone("Ann").launch { Plain("ann") }
    guard
      let sequences = app.map({
        ($0.session.events, $0.browser.events, $0.advertiser.events, $0.advertiser.invitations)
      })
    else { return }
    app = nil
    for await _ in sequences.0 { Issue.record("an event after the release") }
    for await _ in sequences.1 { Issue.record("an event after the release") }
    for await _ in sequences.2 { Issue.record("an event after the release") }
    for await _ in sequences.3 { Issue.record("an event after the release") }
  }

  @Test("A failed start is reported in the sequence", .timeLimit(.minutes(10)))
  func didNotStart() async {
    let phone = world.addPhone("Ann")
    phone.changeLocalNetworkPermission(isAllowed: false)
    let app = phone.launch { Plain("ann") }
    var browsing = app.browser.events.makeAsyncIterator()
    var advertising = app.advertiser.events.makeAsyncIterator()
    app.browser.startBrowsingForPeers()
    app.advertiser.startAdvertisingPeer()
    await world.advance(by: .seconds(1))
    guard case .didNotStart(let first) = await browsing.next(),
      case .didNotStart(let second) = await advertising.next()
    else {
      Issue.record("the start did not fail")
      return
    }
    #expect([first.code, second.code] == [.unavailable, .unavailable])
  }
}

/// An app without delegates.
private final class Plain {
  let peer: MCPeerID
  let session: MCSession
  let advertiser: MCNearbyServiceAdvertiser
  let browser: MCNearbyServiceBrowser

  init(_ name: String) {
    peer = MCPeerID(displayName: name)
    session = MCSession(peer: peer)
    advertiser = MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: ["k": "v"], serviceType: "plain")
    browser = MCNearbyServiceBrowser(peer: peer, serviceType: "plain")
  }
}
