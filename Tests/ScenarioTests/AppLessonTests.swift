import CoreBluetooth
import Foundation
import MultipeerConnectivity
import NearbyTesting
import Testing

/// Patterns of real apps, in our own words: what such an app relies on works as on Apple's systems.
@Suite("Lessons of real apps")
struct AppLessonTests {
  @Test("Tokens longer than a packet are exchanged over Bluetooth, and both phones range")
  func tokensOverBluetooth() {
    let world = World(seed: 1)
    let ann = world.addPhone("Ann", at: [0, 0, 1.2], heading: 0)
    let ben = world.addPhone("Ben", at: [0, 3, 1.2], heading: 180)
    let owner = ben.launch { TokenOwner() }
    let reader = ann.launch { TokenReader() }
    world.advance(by: .seconds(10))
    #expect(reader.hasWritten && !owner.ownObjects.isEmpty && owner.ownObjects.allSatisfy { $0 })
    #expect(abs((owner.distance ?? 0) - 3) < 0.5 && abs((reader.distance ?? 0) - 3) < 0.5)
  }

  @Test("A scan that a task ends after 30 seconds ends then, and not before")
  func timedScan() {
    let world = World(seed: 1)
    let app = world.addPhone("Ann").launch { TimedScanner(seconds: 30) }
    world.advance(by: .seconds(1))
    #expect(app.isScanning)
    world.advance(by: .seconds(28))
    #expect(app.isScanning)
    world.advance(by: .seconds(3))
    #expect(!app.isScanning && world.stalls == 0)
  }

  @Test("Three phones that invite whom they find form one group; the others learn that one has left")
  func group() {
    let world = World(seed: 1)
    let names = ["Ann", "Ben", "Cem"]
    let phones = names.enumerated().map { world.addPhone($1, at: [0, Double($0), 1]) }
    let apps = zip(phones, names).map { phone, name in phone.launch { GroupMember(name) } }
    world.advance(by: .seconds(20))
    #expect(apps.map { $0.others } == [["Ben", "Cem"], ["Ann", "Cem"], ["Ann", "Ben"]])
    phones[0].run { apps[0].say("hello") }
    world.advance(by: .seconds(1))
    #expect(apps.map(\.heard) == [[], ["Ann: hello"], ["Ann: hello"]])
    phones[1].leaveRange()
    phones[1].leaveNetwork()
    world.advance(by: .seconds(40))
    #expect(apps.map { $0.others } == [["Cem"], [], ["Ann"]])
    #expect(apps[0].changes.last == ["Cem"])
  }
}

/// Scans until a task that sleeps ends the scan.
private final class TimedScanner: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
  // `@unchecked Sendable`: the world runs one piece of the app at a time.
  private var manager: CBCentralManager?
  private let seconds: Int
  var isScanning: Bool { manager?.isScanning ?? false }

  init(seconds: Int) {
    self.seconds = seconds
    super.init()
    manager = CBCentralManager(delegate: self, queue: nil)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return }
    central.scanForPeripherals(withServices: nil)
    Task { @MainActor [self] in
      try? await Task.sleep(for: .seconds(seconds))
      manager?.stopScan()
    }
  }
}

/// Invites whom it finds, accepts on the main operation queue, and reports the group's changes there.
private final class GroupMember: NSObject, MCSessionDelegate, MCNearbyServiceAdvertiserDelegate,
  MCNearbyServiceBrowserDelegate, @unchecked Sendable
{
  // `@unchecked Sendable`: the world runs one piece of the app at a time.
  private let session: MCSession
  private let advertiser: MCNearbyServiceAdvertiser
  private let browser: MCNearbyServiceBrowser
  private(set) var heard: [String] = []
  private(set) var changes: [[String]] = []
  var others: [String] { session.connectedPeers.map(\.displayName).sorted() }

  init(_ name: String) {
    let peer = MCPeerID(displayName: name)
    session = MCSession(peer: peer, securityIdentity: nil, encryptionPreference: .none)
    advertiser = MCNearbyServiceAdvertiser(peer: peer, discoveryInfo: nil, serviceType: "group-demo")
    browser = MCNearbyServiceBrowser(peer: peer, serviceType: "group-demo")
    super.init()
    session.delegate = self
    advertiser.delegate = self
    browser.delegate = self
    advertiser.startAdvertisingPeer()
    browser.startBrowsingForPeers()
  }

  func say(_ text: String) {
    try? session.send(Data(text.utf8), toPeers: session.connectedPeers, with: .reliable)
  }

  func advertiser(
    _ advertiser: MCNearbyServiceAdvertiser, didReceiveInvitationFromPeer peerID: MCPeerID,
    withContext context: Data?, invitationHandler: @escaping (Bool, MCSession?) -> Void
  ) {
    nonisolated(unsafe) let answer = invitationHandler
    OperationQueue.main.addOperation { answer(true, self.session) }
  }

  func browser(
    _ browser: MCNearbyServiceBrowser, foundPeer peerID: MCPeerID, withDiscoveryInfo info: [String: String]?
  ) { browser.invitePeer(peerID, to: session, withContext: nil, timeout: 10) }

  func browser(_ browser: MCNearbyServiceBrowser, lostPeer peerID: MCPeerID) {}

  func session(_ session: MCSession, peer peerID: MCPeerID, didChange state: MCSessionState) {
    OperationQueue.main.addOperation { self.changes.append(self.others) }
  }

  func session(_ session: MCSession, didReceive data: Data, fromPeer peerID: MCPeerID) {
    let text = peerID.displayName + ": " + String(decoding: data, as: UTF8.self)
    OperationQueue.main.addOperation { self.heard.append(text) }
  }

  func session(
    _ session: MCSession, didReceive stream: InputStream, withName streamName: String,
    fromPeer peerID: MCPeerID
  ) {}
  func session(
    _ session: MCSession, didStartReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    with progress: Progress
  ) {}
  func session(
    _ session: MCSession, didFinishReceivingResourceWithName resourceName: String, fromPeer peerID: MCPeerID,
    at localURL: URL?, withError error: (any Error)?
  ) {}
}
