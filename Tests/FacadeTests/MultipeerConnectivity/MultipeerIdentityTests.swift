import MultipeerConnectivity
import NearbyTesting
import TestSupport
import Testing

@Suite("Peer identities")
struct MultipeerIdentityTests {
  private static func archive(_ object: Any) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  }

  private let peers = World().addPhone("Ann").launch {
    ["ann", "ann", "ünïcødé 🐙", String(repeating: "x", count: 63)].map { MCPeerID(displayName: $0) }
  }

  // MARK: Archives

  @Test("An archived peer ID is equal to the original, with the same hash and name")
  func roundTrip() throws {
    for peer in peers {
      let data = try Self.archive(peer)
      let again = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: data))
      #expect(again == peer)
      #expect(again.isEqual(peer))
      #expect(again.hash == peer.hash)
      #expect(again.displayName == peer.displayName)
      #expect([peer: 1][again] == 1)
    }
    #expect(peers[0] != peers[1])
    #expect(!peers[0].isEqual("ann"))
  }

  @Test("Peer IDs in arrays and dictionaries survive archiving")
  func nested() throws {
    let classes: [AnyClass] = [NSArray.self, NSDictionary.self, NSString.self, MCPeerID.self]
    let array = try Self.archive(peers as NSArray)
    let list = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: array) as? [MCPeerID]
    #expect(list == peers)
    let dictionary = try Self.archive(["peer": peers[2], "list": [peers[0], peers[1]]] as NSDictionary)
    let all = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: dictionary) as? [String: Any]
    #expect(all?["peer"] as? MCPeerID == peers[2])
    #expect(all?["list"] as? [MCPeerID] == [peers[0], peers[1]])
  }

  @Test("A peer ID in an app's own object survives archiving")
  func ofAnApp() throws {
    let data = try Self.archive(Contact(peer: peers[0], note: "neighbour"))
    let contact = try NSKeyedUnarchiver.unarchivedObject(ofClass: Contact.self, from: data)
    #expect(contact?.peer == peers[0])
    #expect(contact?.note == "neighbour")
  }

  @Test("A damaged archive throws or gives the original peer ID, and never stops the process")
  func damaged() throws {
    let data = try Self.archive(peers[0])
    var random = SeededGenerator(seed: 5)
    func read(_ data: Data) -> MCPeerID? {
      try? NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: data)
    }
    for count in 0..<data.count { #expect(read(data.prefix(count)) == nil) }
    for place in data.indices {
      var changed = data
      changed[place] ^= UInt8.random(in: 1...255, using: &random)
      if let again = read(changed) { #expect(again == peers[0] && again.displayName == "ann") }
    }
    #expect(throws: (any Error).self) {
      try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: Data("no archive".utf8))
    }
    let other = try Self.archive("text" as NSString)
    #expect(throws: CocoaError.self) {
      try NSKeyedUnarchiver.unarchivedObject(ofClass: MCPeerID.self, from: other)
    }
  }

  @Test("A copy of a peer ID is equal to it")
  func copying() {
    #expect(peers[0].copy() as? MCPeerID == peers[0])
    #expect((peers[0].copy(with: nil) as? MCPeerID)?.hash == peers[0].hash)
    #expect(MCPeerID.supportsSecureCoding)
  }

  @Test("With another device's peer ID, advertising and browsing fail")
  func foreign() throws {
    let world = World(seed: 1, drainsMainQueue: false)
    let foreign = world.addPhone("Ben").launch { MCPeerID(displayName: "ben") }
    let ann = world.addPhone("Ann").launch { Networker("ann", peer: foreign) }
    ann.start()
    world.advance(by: .seconds(1))
    #expect(ann.history == ["did not advertise unavailable", "did not browse unavailable"])
  }

  // MARK: Security identities

  @Test(
    "A key with its certificate is read from PEM, in any order, encrypted or not, and from PKCS#12",
    .needs(.openssl))
  func identities() throws {
    let files = try IdentityFiles()
    let plain = try MCSecurityIdentity(pem: files.read("plain.pem"))
    #expect(plain.certificates.count == 1)
    #expect(plain == (try MCSecurityIdentity(pem: files.read("turned.pem"))))
    #expect(plain == (try MCSecurityIdentity(pem: files.read("locked.pem"), password: "secret")))
    let container = try MCSecurityIdentity(pkcs12: files.read("both.p12"), password: "secret")
    #expect(container.certificates == plain.certificates)
    #expect(container.hash == plain.hash)
  }

  @Test(
    "An invalid identity is refused with a reason",
    .needs(.openssl))
  func badIdentities() throws {
    let files = try IdentityFiles()
    func reason(_ make: () throws -> MCSecurityIdentity) -> String? {
      do {
        _ = try make()
        return nil
      } catch let error as MCError {
        #expect(error.code == .invalidParameter)
        return error.errorUserInfo[NSDebugDescriptionErrorKey] as? String
      } catch { return "\(error)" }
    }
    #expect(reason { try MCSecurityIdentity(pem: Data()) } != nil)
    #expect(reason { try MCSecurityIdentity(pem: Data("no key".utf8)) }?.contains("no private key") == true)
    #expect(reason { try MCSecurityIdentity(pem: files.read("locked.pem")) } != nil)
    #expect(reason { try MCSecurityIdentity(pem: files.read("locked.pem"), password: "wrong") } != nil)
    #expect(reason { try MCSecurityIdentity(pkcs12: files.read("both.p12"), password: "wrong") } != nil)
    #expect(reason { try MCSecurityIdentity(pkcs12: files.read("plain.pem"), password: "") } != nil)
    #expect(
      reason { try MCSecurityIdentity(pem: files.read("key.pem")) }?.contains("no certificate") == true)
    #expect(reason { try MCSecurityIdentity(pem: files.read("stranger.pem")) } != nil)
  }

  // MARK: Certificates

  @Test(
    "The peer receives the certificates of the app's identity, including further ones",
    .needs(.openssl))
  func certificates() throws {
    let files = try IdentityFiles()
    let identity = try MCSecurityIdentity(pem: files.read("plain.pem"))
    let further = try MCSecurityIdentity(pem: files.read("other.pem")).certificates
    let world = World(seed: 2, drainsMainQueue: false)
    let ann = world.addPhone("Ann").launch { Networker("ann", identity: [identity] + further) }
    let ben = world.addPhone("Ben").launch { Judge("ben") }
    ann.start()
    ben.networker.start()
    world.advance(by: .seconds(1))
    ann.invite(ben.networker)
    world.advance(by: .seconds(1))
    #expect(ben.shown == [identity.certificates + further])
    #expect(ann.session.securityIdentity?.count == 2)
    #expect(ann.session.connectedPeers == [ben.networker.peer])
  }

  @Test(
    "Each session of a peer presents its own security identity",
    .needs(.openssl), .timeLimit(.minutes(10)))
  func certificatesOfSessions() async throws {
    let files = try IdentityFiles()
    let world = World(seed: 3, drainsMainQueue: false)
    let phone = world.addPhone("Cam")
    let me = phone.launch { MCPeerID(displayName: "cam") }
    var kept: [Any] = []
    for name in ["plain.pem", "other.pem", nil] {
      let identity = try name.map { try MCSecurityIdentity(pem: files.read($0)) }
      let mine = phone.launch {
        MCSession(peer: me, securityIdentity: identity.map { [$0] }, encryptionPreference: .required)
      }
      let judge = world.addPhone("Ben \(name ?? "")").launch { Judge("ben") }
      let theirs = judge.networker.session
      let toMe = try await theirs.nearbyConnectionData(forPeer: me)
      let toThem = try await mine.nearbyConnectionData(forPeer: theirs.myPeerID)
      mine.connectPeer(theirs.myPeerID, withNearbyConnectionData: toMe)
      theirs.connectPeer(me, withNearbyConnectionData: toThem)
      await world.advance(by: .seconds(3))
      #expect(judge.shown == [identity?.certificates])
      #expect(theirs.connectedPeers == [me])
      kept += [mine, judge]
    }
    withExtendedLifetime(kept) {}
  }

  @Test(
    "The connection waits for the certificate handler, which accepts or rejects it", arguments: [true, false])
  func decision(isAccepted: Bool) throws {
    let world = World(seed: 2, drainsMainQueue: false)
    let ann = world.addPhone("Ann").launch { Networker("ann") }
    let ben = world.addPhone("Ben").launch { Judge("ben") }
    ben.answersAtOnce = false
    ann.start()
    ben.networker.start()
    world.advance(by: .seconds(1))
    ann.invite(ben.networker)
    world.advance(by: .seconds(3))
    #expect(ben.shown == [nil])
    #expect(ann.states == ["ben connecting"])
    #expect(ben.networker.session.connectedPeers.isEmpty)
    let handler = try #require(ben.handlers.first)
    handler(isAccepted)
    world.advance(by: .seconds(3))
    #expect(ann.states == ["ben connecting", isAccepted ? "ben connected" : "ben notConnected"])
    #expect(ben.networker.session.connectedPeers == (isAccepted ? [ann.peer] : []))
  }

  @Test("A certificate handler that is never called ends in notConnected")
  func undecided() {
    let world = World(seed: 2, drainsMainQueue: false)
    let ann = world.addPhone("Ann").launch { Networker("ann") }
    let ben = world.addPhone("Ben").launch { Judge("ben") }
    ben.answersAtOnce = false
    ann.start()
    ben.networker.start()
    world.advance(by: .seconds(1))
    ann.invite(ben.networker)
    world.advance(by: .seconds(60))
    #expect(ann.states.last == "ben notConnected")
  }

  // MARK: Errors

  @Test("Errors have Apple's numbers, compare by code and are NSErrors of the domain")
  func errors() {
    #expect(MCError.Code.allCases.map(\.rawValue) == Array(0...6))
    let error: any Error = MCError(.timedOut, userInfo: ["k": "v", "number": 3])
    #expect((error as NSError).domain == MCErrorDomain)
    #expect((error as NSError).code == 4)
    #expect((error as NSError).userInfo["k"] as? String == "v")
    #expect(MCError.errorDomain == MCErrorDomain)
    switch error {
    case MCError.cancelled: Issue.record("the error matched another code")
    case MCError.timedOut: break
    default: Issue.record("the error matched no code")
    }
    #expect(MCError.Code.timedOut ~= error)
    #expect(!(MCError.Code.timedOut ~= CocoaError(.fileNoSuchFile)))
    #expect(MCError(.unknown) == MCError(MCError.unknown))
    #expect(MCError(.unknown) != MCError(.unsupported))
    #expect(!MCError(.notConnected).localizedDescription.isEmpty)
  }
}

/// An app's own archivable object that contains a peer ID.
final class Contact: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let peer: MCPeerID
  let note: String

  init(peer: MCPeerID, note: String) {
    self.peer = peer
    self.note = note
  }

  init?(coder: NSCoder) {
    guard let peer = coder.decodeObject(of: MCPeerID.self, forKey: "peer"),
      let note = coder.decodeObject(of: NSString.self, forKey: "note")
    else { return nil }
    self.peer = peer
    self.note = String(note)
  }

  func encode(with coder: NSCoder) {
    coder.encode(peer, forKey: "peer")
    coder.encode(note as NSString, forKey: "note")
  }
}
