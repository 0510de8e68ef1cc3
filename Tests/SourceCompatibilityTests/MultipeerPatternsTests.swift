import Foundation
import MultipeerConnectivity
import NearbyTesting
import Testing

@Suite("Sources written for Apple's MultipeerConnectivity")
struct MultipeerPatternsTests {
  @Test("A tutorial's class finds its peer, sends messages, streams and sends a file")
  func tutorial() async throws {
    let world = World(seed: 21)
    let first = world.addPhone("Ann").launch { MultipeerSession() }
    let second = world.addPhone("Ben", at: [0, 3, 1.2]).launch { MultipeerSession() }
    await world.advance(by: .seconds(5))
    #expect(first.connectedPeers.count == 1)
    #expect(second.connectedPeers.count == 1)
    var received: [String] = []
    second.receivedDataHandler = { data, _ in received.append(String(data: data, encoding: .utf8)!) }
    first.send(text: "hello")
    first.sendToAllPeers(Data("there".utf8), reliably: true)
    try first.stream(Data("octets".utf8))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("swift-nearby-\(UUID()).txt")
    try Data("file".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(first.sendFile(file) != nil)
    await world.advance(by: .seconds(2))
    #expect(received == ["hello", "there"])
    #expect(second.streamed == Data("octets".utf8))
    #expect(first.log.contains("sent"))
    #expect(second.log.contains("received \(file.lastPathComponent) true"))
    first.outputStream?.close()
    await world.advance(by: .seconds(1))
    #expect(second.log.last == "stream over")
  }

  @Test("Constants and raw values are Apple's, and mocks can subclass Apple's classes")
  func names() throws {
    #expect(EveryName.constants == (2, 8, MCErrorDomain))
    #expect(EveryName.codes == EveryName.shorthands)
    #expect(EveryName.codes == EveryName.byNumber)
    #expect(EveryName.modes.map(\.rawValue) == [0, 1])
    #expect(EveryName.states.map(\.rawValue) == [0, 1, 2])
    #expect(EveryName.preferences.map(\.rawValue) == [0, 1, 2])
    #expect(EveryName.error() == ["timed out"])
    let phone = World().addPhone("Ann")
    try phone.launch {
      let peer = MCPeerID(displayName: "mock")
      let session = MockPeerSession(peer: peer)
      try session.send(Data([1]), toPeers: [], with: .reliable)
      #expect(session.sent == [Data([1])])
      #expect(session.connectedPeers == [peer])
      let browser = MockBrowser(peer: peer, serviceType: serviceType)
      browser.invitePeer(peer, to: session, withContext: nil, timeout: 1)
      #expect(browser.invited == [peer])
      let advertiser = MockAdvertiser(peer: peer, discoveryInfo: nil, serviceType: serviceType)
      advertiser.startAdvertisingPeer()
      EveryName.session(session, peer)
      EveryName.discovery(
        browser, advertiser,
        MCAdvertiserAssistant(serviceType: serviceType, discoveryInfo: nil, session: session))
      let minimal = Minimal()
      session.delegate = minimal
      #expect(session.delegate === minimal)
    }
  }

  @Test("A model on the main actor receives its session's callbacks", .timeLimit(.minutes(10)))
  @MainActor
  func model() async throws {
    let world = World(seed: 22)
    let model = world.addPhone("Ann").launch { PeerModel() }
    let other = world.addPhone("Ben", at: [0, 3, 1.2]).launch { MultipeerSession() }
    let browser = IsolatedModel()
    #expect(browser.peers.isEmpty)
    let toOther = try await model.session.nearbyConnectionData(forPeer: other.session.myPeerID)
    let toModel = try await EveryName.connectionData(other.session, model.session.myPeerID)
    model.session.connectPeer(other.session.myPeerID, withNearbyConnectionData: toModel)
    other.session.connectPeer(model.session.myPeerID, withNearbyConnectionData: toOther)
    await world.advance(by: .seconds(3))
    #expect(model.names == ["device"], "\(other.log) \(model.session.connectedPeers)")
  }
}
