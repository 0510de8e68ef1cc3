import Foundation
import TestSupport
import Testing

/// Apps in their own processes, which meet through real NATS servers; the time limits only end a test that hangs.
@Suite("MultipeerConnectivity through a NATS server", .needs(.natsServer), .ownThreads, .tags(.slow))
struct RelayProcessTests {
  /// A service type that no other test uses.
  private let type = "r\(UInt32.random(in: 0...99_999_999))"

  private func probe(_ name: String, _ more: String..., on url: String, certificates: String? = nil) throws
    -> ProbeProcess
  {
    let probe = try ProbeProcess([name, "--type", type] + more, relay: url, certificates: certificates)
    probe.expect("ready")
    return probe
  }

  /// Ann invites Ben.
  private func connect(_ ann: ProbeProcess, _ ben: ProbeProcess) {
    ben.write("advertise")
    ann.write("browse", "invite-all")
    ann.expect("state \(ben.name) connected")
    ben.expect("state ann connected")
  }

  @Test("Two processes find each other, connect, and receive data in order both ways")
  func data() throws {
    let server = try NATSServerProcess()
    let (ann, ben) = (try probe("ann", on: server.url), try probe("ben", on: server.url))
    ben.write("advertise", "browse")
    ann.write("advertise", "browse", "invite-all")
    ann.expect("found ben ben")
    ben.expect("found ann ann")
    ben.expect("invited ann -")
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

  @Test("A resource of 6 MB arrives unchanged; a message that is not reliable arrives too")
  func resource() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("thing")
    let data = Data((0..<6_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) })
    try data.write(to: file)
    let server = try NATSServerProcess()
    let (ann, ben) = (try probe("ann", on: server.url), try probe("ben", on: server.url))
    connect(ann, ben)
    ann.write("resource \(file.path)", "loose small")
    ben.expect("data ann small")
    ann.expect("resource-sent well")
    #expect(ben.expect("resource ann thing") == "resource ann thing \(PeerProcessTests.hash(data))")
  }

  @Test("A process that quits is reported and lost; one that is killed is reported, and lost later")
  func ended() throws {
    let server = try NATSServerProcess()
    let (ann, ben, cem) = (
      try probe("ann", on: server.url), try probe("ben", on: server.url), try probe("cem", on: server.url)
    )
    connect(ann, ben)
    connect(ann, cem)
    ben.write("quit")
    ann.expect("state ben notConnected")
    ann.expect("lost ben")
    cem.killNow()
    ann.expect("state cem notConnected")
    ann.expect("lost cem")
  }

  @Test("A server that is killed and started again ends no session, and loses no message")
  func restart() throws {
    let server = try NATSServerProcess()
    let (ann, ben) = (try probe("ann", on: server.url), try probe("ben", on: server.url))
    connect(ann, ben)
    server.kill()
    ann.write("flood 1000")
    ben.write("flood 1000")
    try server.start()
    ben.expect("counted ann 1000")
    ann.expect("counted ben 1000")
    ann.write("send still here")
    ben.expect("data ann still here")
    #expect(ann.said("state ben notConnected") + ben.said("state ann notConnected") == [])
  }

  @Test("Peers of two sites meet through a leaf node")
  func leafNode() throws {
    let leafPort = try FreePort.number()
    let hub = try NATSServerProcess(
      configuration: "leafnodes { listen: \"127.0.0.1:\(leafPort)\" }")
    let leaf = try NATSServerProcess(
      configuration: "leafnodes { remotes: [ { url: \"nats://127.0.0.1:\(leafPort)\" } ] }")
    let (ann, ben) = (try probe("ann", on: hub.url), try probe("ben", on: leaf.url))
    connect(ann, ben)
    ann.write("flood 1000", "send over")
    ben.expect("counted ann 1000")
    ben.expect("data ann over")
  }

  @Test("The server reads nothing: not even without encryption by the app")
  func secrecy() throws {
    let server = try NATSServerProcess()
    let spy = try NATSClient(port: server.port)
    try spy.subscribe("nearby.peers.>")
    let (ann, ben) = (
      try probe("ann", "--encryption", "none", on: server.url),
      try probe("ben", "--encryption", "none", on: server.url)
    )
    connect(ann, ben)
    ann.write("send the-secret-word")
    ben.expect("data ann the-secret-word")
    let heard = try spy.read(until: 3000)
    #expect(heard.contains(Data("nearby.peers.1.at.\(type)".utf8)))
    #expect(!heard.contains(Data("the-secret-word".utf8)))
  }

  @Test("Strangers' messages on every subject change nothing")
  func strangers() throws {
    let server = try NATSServerProcess()
    let (ann, ben) = (try probe("ann", on: server.url), try probe("ben", on: server.url))
    let stranger = try NATSClient(port: server.port)
    let spy = try NATSClient(port: server.port)
    try spy.subscribe("nearby.peers.1.to.>")
    connect(ann, ben)
    let heard = String(decoding: try spy.read(until: 2000), as: UTF8.self)
    let subjects = Set(heard.split(whereSeparator: \.isWhitespace).filter { $0.contains(".to.") })
    #expect(!subjects.isEmpty)
    var generator = SeededGenerator(seed: 5)
    for subject in subjects.sorted() where subject.hasSuffix(".new") {
      for _ in 0..<200 {
        let octets = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
        try stranger.publish(octets, to: String(subject), reply: String(subject))
      }
    }
    for octets in [[], [1], [UInt8](repeating: 255, count: 3000)] {
      try stranger.publish(octets, to: "nearby.peers.1.at.\(type)", reply: nil)
      try stranger.publish(octets, to: "nearby.peers.1.who.\(type)", reply: nil)
    }
    ann.write("send unharmed")
    ben.expect("data ann unharmed")
    #expect(ann.said("state ben notConnected") == [])
  }

  @Test("Whoever writes into a stream breaks it at most: the peers continue on another one")
  func intruder() throws {
    let server = try NATSServerProcess()
    let (ann, ben) = (try probe("ann", on: server.url), try probe("ben", on: server.url))
    let spy = try NATSClient(port: server.port)
    try spy.subscribe("nearby.peers.1.to.>")
    connect(ann, ben)
    let heard = String(decoding: try spy.read(until: 2000), as: UTF8.self)
    let streams = Set(heard.split(whereSeparator: \.isWhitespace).filter { $0.contains(".to.") })
    for stream in streams where !stream.hasSuffix(".new") {
      try spy.publish([UInt8](repeating: 3, count: 100), to: String(stream), reply: nil)
    }
    ann.write("send continued")
    ben.expect("data ann continued")
    #expect(ann.said("state ben notConnected") == [])
  }

  @Test("A server that is not there is reported, and used when it comes")
  func lateServer() throws {
    let server = try NATSServerProcess()
    server.kill()
    let ann = try probe("ann", on: server.url)
    ann.write("browse")
    ann.expect("browser MCError")
    try server.start()
    let ben = try probe("ben", on: server.url)
    ben.write("advertise")
    ann.expect("found ben")
  }
}
