import NearbyPeerLink
import Testing

@Suite("Names and identities")
struct NameTests {
  @Test(
    "Valid service types are accepted (RFC 6335)",
    arguments: ["a", "nearby", "a-b-c", "1a", "abcdefghijklmno"])
  func serviceTypes(text: String) throws { #expect(try ServiceType(text).dnsServiceType == "_\(text)._tcp") }

  @Test("Capitals of ASCII are small letters, and no other letter becomes one")
  func capitals() throws {
    #expect(try ServiceType(ignoringCaseOf: "My-App1") == ServiceType("my-app1"))
    #expect(throws: PeerLinkError.self) { try ServiceType(ignoringCaseOf: "\u{212A}elvin") }
    #expect(throws: PeerLinkError.name(.serviceType, at: 0, .noLetter)) {
      try ServiceType(ignoringCaseOf: "1")
    }
    #expect(ServiceType.folded("_My-App._TCP") == "_my-app._tcp")
  }

  @Test(
    "The error for an invalid service type says what is wrong and where",
    arguments: [
      ("", 0, NameProblem.empty), ("abcdefghijklmnop", 15, .tooLong(count: 16, maximum: 15)),
      ("Abc", 0, .notLowercaseLetterDigitOrHyphen(found: 0x41)),
      ("a_b", 1, .notLowercaseLetterDigitOrHyphen(found: 0x5F)),
      ("aé", 1, .notLowercaseLetterDigitOrHyphen(found: 0xC3)), ("-a", 0, .misplacedHyphen),
      ("a-", 1, .misplacedHyphen),
      ("a--b", 2, .misplacedHyphen), ("123", 0, .noLetter),
    ])
  func notServiceTypes(text: String, at: Int, problem: NameProblem) {
    #expect(throws: PeerLinkError.name(.serviceType, at: at, problem)) { try ServiceType(text) }
  }

  @Test("Display names have 1 to 63 octets of UTF-8")
  func displayNames() throws {
    #expect(try DisplayName("é" + String(repeating: "a", count: 61)).text.utf8.count == 63)
    #expect(throws: PeerLinkError.name(.displayName, at: 0, .empty)) { try DisplayName("") }
    #expect(throws: PeerLinkError.name(.displayName, at: 63, .tooLong(count: 64, maximum: 63))) {
      try DisplayName(String(repeating: "é", count: 32))
    }
  }

  @Test("Discovery info is limited to what a TXT record can hold")
  func discoveryInfo() throws {
    let value = String(repeating: "v", count: 253)
    #expect(try DiscoveryInfo(["k": value]).dictionary == ["k": value])
    #expect(throws: PeerLinkError.name(.discoveryEntry, at: 255, .tooLong(count: 256, maximum: 255))) {
      try DiscoveryInfo(["k": value + "v"])
    }
    #expect(throws: PeerLinkError.name(.discoveryKey, at: 1, .notPrintableASCIIWithoutEquals(found: 0x3D))) {
      try DiscoveryInfo(["a=b": ""])
    }
    #expect(throws: PeerLinkError.name(.discoveryKey, at: 0, .empty)) { try DiscoveryInfo(["": "x"]) }
    #expect(throws: PeerLinkError.name(.discoveryKey, at: 0, .reserved)) { try DiscoveryInfo(["~id": "x"]) }
    #expect(throws: PeerLinkError.name(.discoveryKey, at: 0, .duplicate)) {
      try DiscoveryInfo(["a": "", "A": ""])
    }
    let many = Dictionary(uniqueKeysWithValues: (0..<5).map { ("k\($0)", value.dropLast().description) })
    #expect(throws: PeerLinkError.name(.discoveryInfo, at: 1140, .tooLong(count: 1280, maximum: 1140))) {
      try DiscoveryInfo(many)
    }
  }

  @Test("An advertised peer is written to a TXT record and read back; missing entries are refused")
  func textRecord() throws {
    let peer = PeerID(identity: PeerWorld.identity(2), displayName: try DisplayName("N=1"))
    let advertised = AdvertisedPeer(peer: peer, info: try DiscoveryInfo(["room": "a=b", "z": ""]))
    #expect(advertised.textEntries.allSatisfy { $0.count <= 255 })
    #expect(try AdvertisedPeer(textEntries: advertised.textEntries) == advertised)
    let repeated = advertised.textEntries + [Array("ROOM=other".utf8), Array("=x".utf8), []]
    #expect(try AdvertisedPeer(textEntries: repeated) == advertised)
    for index in 0..<3 {
      var entries = advertised.textEntries
      entries.remove(at: index)
      #expect(throws: PeerLinkError.self) { try AdvertisedPeer(textEntries: entries) }
    }
  }

  @Test("A peer's archive is parsed strictly")
  func archive() throws {
    let peer = PeerID(identity: PeerWorld.identity(2), displayName: try DisplayName("Ann"))
    let octets = peer.archive
    let again = try PeerID(archive: octets)
    #expect(again == peer)
    #expect(again.displayName == peer.displayName)
    for count in octets.indices {
      #expect(throws: PeerLinkError.self) { try PeerID(archive: Array(octets.prefix(count))) }
    }
    #expect(throws: PeerLinkError.octets(.archive, at: octets.count, .leftover(count: 1))) {
      try PeerID(archive: octets + [0])
    }
    for index in octets.indices {
      for value in UInt8.min...UInt8.max where value != octets[index] {
        var changed = octets
        changed[index] = value
        guard let other = try? PeerID(archive: changed) else { continue }
        #expect(other.archive == changed)
      }
    }
  }

  @Test("Connection data is parsed strictly")
  func connectionData() throws {
    var node = PeerWorld(1, seed: 1).apps[0].node
    let session = node.openSession(.required)
    let octets = try node.connectionData(session, for: PeerWorld.identity(1))
    #expect(try ConnectionData(octets).octets == octets)
    for count in octets.indices {
      #expect(throws: PeerLinkError.self) { try ConnectionData(Array(octets.prefix(count))) }
    }
    #expect(throws: PeerLinkError.self) { try ConnectionData(octets + [0]) }
  }

  @Test("Peers are compared by identity, not by name")
  func identities() throws {
    let name = try DisplayName("same")
    let (a, b) = (PeerWorld.identity(1), PeerWorld.identity(2))
    #expect(PeerID(identity: a, displayName: name) != PeerID(identity: b, displayName: name))
    #expect(PeerID(identity: a, displayName: name) == PeerID(identity: a, displayName: try DisplayName("x")))
    #expect(try PeerIdentity(hexadecimal: a.description) == a)
    for count in 0..<64 {
      #expect(throws: PeerLinkError.self) { try PeerIdentity(hexadecimal: a.description.prefix(count)) }
    }
    #expect(throws: PeerLinkError.self) { try PeerIdentity(octets: [UInt8](repeating: 0, count: 33)) }
  }

  @Test("Identities are ordered like their octets", arguments: 0..<32)
  func order(place: Int) throws {
    var octets = [UInt8](repeating: 7, count: 32)
    let middle = try PeerIdentity(octets: octets)
    octets[place] = 8
    if place < 31 { octets[place + 1] = 0 }
    let higher = try PeerIdentity(octets: octets)
    #expect(middle < higher)
    #expect(!(higher < middle))
    #expect(higher.octets == octets)
  }

  @Test("A session is plain only if both sides chose none; required and none refuse each other")
  func encryption() {
    for a in EncryptionPreference.allCases {
      for b in EncryptionPreference.allCases {
        let agreement = EncryptionPreference.agreement(a, b)
        #expect(agreement == EncryptionPreference.agreement(b, a))
        #expect((agreement == .plain) == (a == .none && b == .none))
        #expect((agreement == .refused) == (Set([a, b]) == [.required, .none]))
      }
    }
  }
}

@Suite("Peer discovery")
struct DiscoveryTests {
  private let own = PeerWorld.identity(0)

  private func advertised(_ index: Int, _ name: String = "n", _ info: [String: String] = [:]) throws
    -> AdvertisedPeer
  {
    AdvertisedPeer(
      peer: PeerID(identity: PeerWorld.identity(index), displayName: try DisplayName(name)),
      info: try DiscoveryInfo(info))
  }

  private func source(_ interface: UInt32, _ instance: String = "i") -> DiscoveryMachine.Source {
    DiscoveryMachine.Source(interface: interface, instance: instance)
  }

  @Test("A peer seen on two interfaces is reported found once, and lost when the last one is gone")
  func interfaces() throws {
    var machine = DiscoveryMachine(own: own)
    let peer = try advertised(1)
    #expect(machine.seen(peer, from: source(1), contact: [1], timeToLive: nil, at: .zero) == [.found(peer)])
    #expect(machine.seen(peer, from: source(2), contact: [2], timeToLive: nil, at: .zero) == [])
    #expect(machine.contacts(of: peer.peer.identity) == [[2], [1]])
    #expect(machine.interfaceDown(1, at: .zero) == [])
    #expect(machine.contacts(of: peer.peer.identity) == [[2]])
    #expect(machine.removed(source(2), at: .zero) == [.lost(peer.peer)])
    #expect(machine.peers == [])
  }

  @Test("A changed record is reported once, even if it arrives on two interfaces")
  func updates() throws {
    var machine = DiscoveryMachine(own: own)
    let (old, new) = (try advertised(1, "old"), try advertised(1, "new", ["k": "v"]))
    _ = machine.seen(old, from: source(1), contact: [1], timeToLive: nil, at: .zero)
    _ = machine.seen(old, from: source(2), contact: [1], timeToLive: nil, at: .zero)
    #expect(machine.seen(new, from: source(2), contact: [1], timeToLive: nil, at: .zero) == [.updated(new)])
    #expect(machine.seen(new, from: source(1), contact: [1], timeToLive: nil, at: .zero) == [])
  }

  @Test("This peer's own record is not reported")
  func ownRecord() throws {
    var machine = DiscoveryMachine(own: own)
    #expect(machine.seen(try advertised(0), from: source(1), contact: [], timeToLive: nil, at: .zero) == [])
    #expect(machine.peers == [])
  }

  @Test("A record expires unless it is received again")
  func timeToLive() throws {
    var machine = DiscoveryMachine(own: own)
    let peer = try advertised(1)
    let found = machine.seen(peer, from: source(1), contact: [], timeToLive: .seconds(10), at: .zero)
    #expect(found == [.found(peer), .wake(at: .seconds(10))])
    let again = machine.seen(peer, from: source(1), contact: [], timeToLive: .seconds(10), at: .seconds(8))
    #expect(again == [.wake(at: .seconds(18))])
    #expect(machine.timePassed(at: .seconds(17)) == [])
    #expect(machine.timePassed(at: .seconds(18)) == [.lost(peer.peer)])
  }

  @Test("A goodbye takes effect after 1 s unless the record is received again")
  func goodbye() throws {
    var machine = DiscoveryMachine(own: own)
    let peer = try advertised(1)
    _ = machine.seen(peer, from: source(1), contact: [], timeToLive: nil, at: .zero)
    #expect(machine.goodbye(source(1), at: .seconds(5)) == [.wake(at: .seconds(6))])
    #expect(machine.seen(peer, from: source(1), contact: [], timeToLive: nil, at: .milliseconds(5500)) == [])
    #expect(machine.timePassed(at: .seconds(6)) == [])
    #expect(
      machine.seen(peer, from: source(1), contact: [], timeToLive: .zero, at: .seconds(7)) == [
        .wake(at: .seconds(8))
      ])
    #expect(machine.timePassed(at: .seconds(8)) == [.lost(peer.peer)])
  }

  @Test("A peer that restarts under another instance name is the same peer")
  func restart() throws {
    var machine = DiscoveryMachine(own: own)
    let peer = try advertised(1)
    _ = machine.seen(peer, from: source(1, "a"), contact: [1], timeToLive: nil, at: .zero)
    #expect(machine.seen(peer, from: source(1, "b"), contact: [2], timeToLive: nil, at: .zero) == [])
    #expect(machine.contacts(of: peer.peer.identity) == [[2], [1]])
    #expect(machine.removed(source(1, "a"), at: .zero) == [])
  }

  @Test("Peers are reported in the order in which they were seen")
  func order() throws {
    var machine = DiscoveryMachine(own: own)
    var found: [DiscoveryMachine.Event] = []
    for index in [5, 3, 9, 1] {
      found += machine.seen(
        try advertised(index), from: source(UInt32(index)), contact: [], timeToLive: nil, at: .zero)
    }
    #expect(
      found == [
        .found(try advertised(5)), .found(try advertised(3)), .found(try advertised(9)),
        .found(try advertised(1)),
      ])
  }
}
