import MultipeerConnectivity
import NearbyTesting
import Synchronization
import Testing

@Suite("Advertiser assistants")
struct MultipeerAssistantTests {
  let world = World(seed: 6, drainsMainQueue: false)
  let ann: Phone
  let ben: Phone
  let atAnn: Networker
  let atBen: Assisted

  init() {
    ann = world.addPhone("Ann")
    ben = world.addPhone("Ben", at: [0, 3, 1.2])
    atAnn = ann.launch { Networker("ann") }
    atBen = ben.launch { Assisted("ben") }
    atAnn.start()
    atBen.assistant.start()
    world.advance(by: .seconds(1))
  }

  private func invite(timeout: TimeInterval = 10) {
    atAnn.browser.invitePeer(atBen.session.myPeerID, to: atAnn.session, withContext: nil, timeout: timeout)
    world.advance(by: .seconds(1))
  }

  @Test("If the user accepts, both are connected")
  func accepted() {
    #expect(atAnn.history == ["found ben -"])
    invite()
    #expect(atBen.history == ["will present", "did dismiss"])
    #expect(atAnn.states == ["ben connecting", "ben connected"])
    #expect(atBen.session.connectedPeers == [atAnn.peer])
  }

  @Test("If the user declines, the peers are not connected")
  func declined() {
    ben.setInvitationAnswer(.decline)
    invite()
    #expect(atBen.history == ["will present", "did dismiss"])
    #expect(atAnn.states == ["ben notConnected"])
    #expect(atBen.session.connectedPeers.isEmpty)
  }

  @Test("A late answer is used, and a second one is ignored", arguments: InvitationAnswer.allCases)
  func late(answer: InvitationAnswer) {
    ben.setInvitationAnswer(nil)
    invite()
    world.advance(by: .seconds(5))
    #expect(atBen.history == ["will present"])
    #expect(atAnn.states.isEmpty)
    ben.answerInvitation(answer)
    world.advance(by: .seconds(1))
    #expect(atBen.history == ["will present", "did dismiss"])
    #expect(atAnn.states.last == (answer == .accept ? "ben connected" : "ben notConnected"))
    ben.answerInvitation(.accept)
    world.advance(by: .seconds(1))
    #expect(atBen.history.count == 2)
  }

  @Test("Without an answer the invitation is dismissed when the inviter's time-out expires")
  func never() {
    ben.setInvitationAnswer(nil)
    invite(timeout: 3)
    #expect(atBen.history == ["will present"])
    world.advance(by: .seconds(4))
    #expect(atBen.history == ["will present", "did dismiss"])
    #expect(atAnn.states == ["ben notConnected"])
    ben.answerInvitation(.accept)
    world.advance(by: .seconds(1))
    #expect(atBen.session.connectedPeers.isEmpty)
  }

  @Test("An app can present invitations itself, and only its first answer counts", arguments: [true, false])
  func presenter(isAccepted: Bool) {
    let asked = Mutex<[String]>([])
    atBen.assistant.presenter = { peer, answer in
      asked.withLock { $0.append(peer.displayName) }
      answer(isAccepted)
      answer(!isAccepted)
    }
    invite()
    #expect(asked.withLock { $0 } == ["ann"])
    #expect(atBen.history == ["will present", "did dismiss"])
    #expect(atAnn.states.last == (isAccepted ? "ben connected" : "ben notConnected"))
  }

  @Test("A stopped assistant is no longer found, and connected peers stay connected")
  func stopped() {
    invite()
    atBen.assistant.stop()
    world.advance(by: .seconds(3))
    #expect(atAnn.history.last == "lost ben")
    #expect(atAnn.session.connectedPeers == [atBen.session.myPeerID])
    #expect(atBen.assistant.session === atBen.session)
    #expect(atBen.assistant.serviceType == "nisample")
    #expect(atBen.assistant.discoveryInfo == nil)
  }

  @Test("Releasing an assistant withdraws its question")
  func released() {
    ben.setInvitationAnswer(nil)
    let other = ben.launch { Box(Assisted("cam")) }
    other.value?.assistant.start()
    world.advance(by: .seconds(1))
    if let peer = other.value?.session.myPeerID {
      atAnn.browser.invitePeer(peer, to: atAnn.session, withContext: nil, timeout: 3)
    }
    world.advance(by: .seconds(1))
    other.value = nil
    ben.answerInvitation(.accept)
    world.advance(by: .seconds(5))
    #expect(atAnn.states == ["cam notConnected"])
  }
}

final class Box<Value> {
  var value: Value?
  init(_ value: Value) { self.value = value }
}

/// An app that uses an advertiser assistant for invitations.
final class Assisted: NSObject, MCAdvertiserAssistantDelegate {
  let session: MCSession
  let assistant: MCAdvertiserAssistant
  private(set) var history: [String] = []

  init(_ name: String) {
    session = MCSession(peer: MCPeerID(displayName: name))
    assistant = MCAdvertiserAssistant(serviceType: "nisample", discoveryInfo: nil, session: session)
    super.init()
    assistant.delegate = self
  }

  func advertiserAssistantWillPresentInvitation(_ advertiserAssistant: MCAdvertiserAssistant) {
    history.append("will present")
  }
  func advertiserAssistantDidDismissInvitation(_ advertiserAssistant: MCAdvertiserAssistant) {
    history.append("did dismiss")
  }
}
