import Foundation
import NearbySchedule
import TestSupport
import Testing

/// Apps in their own processes, on this machine's real network.
@Suite("MultipeerConnectivity between processes", .ownThreads, .tags(.slow))
struct PeerProcessTests {
  /// A service type that no other test uses.
  private let type = "t\(UInt32.random(in: 0...99_999_999))"

  private func probe(_ name: String, _ more: String..., state: URL? = nil) throws -> ProbeProcess {
    let probe = try ProbeProcess([name, "--type", type] + more, state: state)
    probe.expect("ready")
    return probe
  }

  /// Ann invites Ben.
  private func connect(_ ann: ProbeProcess, _ ben: ProbeProcess) {
    ben.write("advertise")
    ann.write("browse", "invite-all")
    ann.expect("state ben connected")
    ben.expect("state ann connected")
  }

  @Test("Two processes find each other, connect, and receive data in order both ways")
  func data() throws {
    let (ann, ben) = (try probe("ann"), try probe("ben"))
    ben.write("advertise", "browse")
    ann.write("advertise", "browse", "invite-all")
    ann.expect("found ben ben")
    ben.expect("found ann ann")
    ben.expect("invited ann -")
    ann.expect("state ben connecting")
    ann.expect("state ben connected")
    ben.expect("state ann connected")
    ann.write("flood 5000", "send hello")
    ben.write("flood 5000")
    ben.expect("counted ann 5000")
    ben.expect("data ann hello")
    ann.expect("counted ben 5000")
    #expect(ann.said("order") + ben.said("order") == [])
    #expect(ann.said("error") + ben.said("error") == [])
  }

  @Test("Unreliable messages arrive, including ones larger than a datagram")
  func unreliable() throws {
    let (ann, ben) = (try probe("ann"), try probe("ben"))
    connect(ann, ben)
    let large = String(repeating: "y", count: 100_000)
    ann.write("loose small", "loose \(large)")
    ben.expect("data ann small")
    ben.expect("data ann \(large)")
  }

  @Test("Crossing invitations connect each side once, even if both have the same name")
  func crossing() throws {
    let (ann, other) = (try probe("ann"), try probe("ann"))
    for probe in [ann, other] { probe.write("invite-all", "advertise", "browse") }
    for probe in [ann, other] { probe.expect("state ann connected") }
    ann.write("send one")
    other.write("send two")
    other.expect("data ann one")
    ann.expect("data ann two")
    for probe in [ann, other] {
      #expect(probe.said("state ann connected") == [])
      #expect(probe.said("state ann notConnected") == [])
    }
  }

  @Test(
    "When either process is killed the other is notified, and reconnects to the same peer after a restart")
  func killed() throws {
    let folder = try TemporaryFolder()
    func start(_ name: String) throws -> ProbeProcess {
      let state = folder.url.appendingPathComponent("keys")
      let archive = folder.url.appendingPathComponent("\(name).id").path
      return try ProbeProcess([name, "--type", type, "--archive", archive], state: state)
    }
    var (ann, ben) = (try start("ann"), try start("ben"))
    let identities = [ann, ben].map { ProbeProcess.identity($0.expect("ready")) }
    connect(ann, ben)
    ben.killNow()
    ann.expect("state ben notConnected")
    ben = try start("ben")
    #expect(ProbeProcess.identity(ben.expect("ready")) == identities[1])
    ben.write("advertise")
    // The earlier process's record has not expired. It is the same peer, so it is not found a second time.
    ann.write("invite ben")
    #expect(ProbeProcess.identity(ann.expect("state ben connected")) == identities[1])
    ben.expect("state ann connected")
    ann.killNow()
    ben.expect("state ann notConnected")
    ann = try start("ann")
    #expect(ProbeProcess.identity(ann.expect("ready")) == identities[0])
    connect(ann, ben)
    ann.write("send again")
    ben.expect("data ann again")
  }

  @Test("A process that quits is reported as not connected and lost")
  func ended() throws {
    let (ann, ben) = (try probe("ann"), try probe("ben"))
    connect(ann, ben)
    ann.write("send last words")
    ben.write("quit")
    ann.expect("state ben notConnected")
    ann.expect("lost ben")
  }

  @Test("A resource of 6 MB arrives unchanged, and a message sent meanwhile arrives, too")
  func resource() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("thing")
    var state: UInt64 = 7
    let data = Data(
      (0..<6_000_000).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      })
    try data.write(to: file)
    let (ann, ben) = (try probe("ann"), try probe("ben"))
    connect(ann, ben)
    ann.write("resource \(file.path)", "send beside")
    ben.expect("resource-begins ann thing 6000000")
    ben.expect("data ann beside")
    #expect(ben.expect("resource ann thing") == "resource ann thing \(Self.hash(data))")
    ann.expect("resource-sent well")
  }

  /// The probe's hash function.
  static func hash(_ data: Data) -> String {
    "\(data.count):\(String(StableHash.of(data), radix: 16))"
  }

  @Test(
    "Sessions connect if their encryption preferences are compatible",
    arguments: [
      ("required", "required", true), ("required", "optional", true), ("optional", "optional", true),
      ("optional", "none", true), ("none", "none", true), ("required", "none", false),
      ("none", "required", false),
    ])
  func encryption(left: String, right: String, connects: Bool) throws {
    let ann = try probe("ann", "--encryption", left)
    let ben = try probe("ben", "--encryption", right)
    guard connects else {
      ben.write("advertise")
      ann.write("browse", "invite-all")
      ann.expect("state ben notConnected")
      return #expect(ann.said("state ben connected") == [])
    }
    connect(ann, ben)
    ann.write("flood 2000", "loose small")
    ben.write("flood 2000")
    ben.expect("counted ann 2000")
    ben.expect("data ann small")
    ann.expect("counted ben 2000")
  }

  @Test("If one side refuses the certificate, both report not connected")
  func certificate() throws {
    let (ann, ben) = (try probe("ann"), try probe("ben", "--refuse-certificates"))
    ben.write("advertise")
    ann.write("browse", "invite-all")
    ben.expect("certificate ann")
    ann.expect("state ben notConnected")
    ben.expect("state ann notConnected")
    #expect(ann.said("state ben connected") == [])
    #expect(ben.said("state ann connected") == [])
  }

  @Test("An invitation that is declined or never answered ends in notConnected", arguments: ["no", "never"])
  func refused(answer: String) throws {
    let (ann, ben) = (try probe("ann", "--timeout", "2"), try probe("ben"))
    ben.write("answer \(answer)", "advertise")
    ann.write("browse", "invite-all")
    ben.expect("invited ann")
    ann.expect("state ben notConnected")
  }

  @Test("Browsing with an archived peer ID whose key is missing fails with an MCError")
  func lostKey() throws {
    let folder = try TemporaryFolder()
    let archive = folder.url.appendingPathComponent("id").path
    do {
      let ann = try ProbeProcess(["ann", "--archive", archive], state: folder.url)
      ann.expect("ready")
      ann.write("quit")
    }
    let ann = try ProbeProcess(["ann", "--archive", archive])
    ann.expect("ready")
    ann.write("browse")
    ann.expect("browser MCError")
  }

  @Test("Key files and their folder are accessible to their owner only")
  func keyModes() throws {
    let folder = try TemporaryFolder()
    let keys = folder.url.appendingPathComponent("a/keys")
    let ann = try ProbeProcess(
      ["ann", "--archive", folder.url.appendingPathComponent("id").path], state: keys)
    ann.expect("ready")
    let manager = FileManager.default
    let files = try manager.contentsOfDirectory(at: keys, includingPropertiesForKeys: nil)
    #expect(files.count == 1)
    for (path, mode) in [(keys.path, 0o700)] + files.map({ ($0.path, 0o600) }) {
      #expect(try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
    }
  }

  @Test(
    "A network that is gone while the kernel tries three times to send is not reported, and no message is lost",
    .needs(.ip),
    .enabled(if: Namespaces.areAllowed, "network namespaces are not permitted here: run as root")
  )
  func linkLoss() throws {
    let network = try Namespaces(wires: 1)
    let ann = try ProbeProcess(["ann", "--type", type], in: network.left)
    let ben = try ProbeProcess(["ben", "--type", type], in: network.right)
    connect(ann, ben)
    ann.write("flood 1000")
    ben.expect("counted ann 1000")
    Spawning.shell("ip -n \(network.left) link set w0 down")
    ann.write("flood-on 1000")
    // This takes 1.4 s, less than the 10 s for which a connection is kept.
    try waitByPolling(for: "three attempts to send") {
      Self.failedAttempts(in: network.left)
    } until: {
      $0 >= 3
    }
    Spawning.shell("ip -n \(network.left) link set w0 up")
    ben.expect("counted ann 2000")
    #expect(ann.said("state ben notConnected") == [])
    #expect(ben.said("state ann notConnected") == [])
    #expect(ben.said("order") == [])
  }

  /// How many times in a row the kernel has tried in vain to send the same octets; the most of all connections of
  /// a namespace.
  private static func failedAttempts(in namespace: String) -> Int {
    Spawning.shell("ip netns exec \(namespace) ss -tin").output.split(whereSeparator: \.isWhitespace)
      .compactMap { $0.hasPrefix("backoff:") ? Int($0.dropFirst(8)) : nil }
      .max() ?? 0
  }
}
