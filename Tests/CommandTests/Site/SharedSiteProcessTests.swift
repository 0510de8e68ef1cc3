import Foundation
import NearbyNATS
import NearbyReadings
import NearbyScenarios
import NearbyWorld
import Synchronization
import TestSupport
import Testing

/// Real processes with real servers; the time limits only end a test that hangs.
@Suite("nearby site, shared by processes", .serialized, .needs(.natsServer), .tags(.slow), .ownThreads)
struct SharedSiteProcessTests {
  private static let tags = 40
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func configuration(_ url: String, replicas: Int = 1) throws -> String {
    let tags = (0..<Self.tags).map { "{ id: \"t\($0)\" }" }.joined(separator: ", ")
    return try folder.write(
      """
      { site: "hall", nats: { url: "\(url)", replicas: \(replicas) }, silence: 120, // Elections may take long.
        rooms: [ { id: "hall", name: "Hall", outline: [[0, 0], [10, 0], [10, 8], [0, 8]] } ],
        receivers: [
          { id: "a", at: [0, 0, 2] }, { id: "b", at: [10, 0, 2.5] }, { id: "c", at: [10, 8, 2] },
          { id: "d", at: [0, 8, 0.5] } ],
        fences: [ { id: "table", at: [3.5, 3], radius: 2.5 } ],
        heights: [0.5, 1.5], tags: [\(tags)], page: { port: 0 } }
      """, to: "site.json")
  }

  private func site(_ file: String) throws -> ProgramRun {
    let run = try ProgramRun(["site", file, "--json"], in: folder)
    #expect(run.line(with: "connected to nats://") != nil, "\(run.text)")
    return run
  }

  /// Publishes readings of all tags, who stand around the table, and counts what the server has acknowledged.
  private final class Source: Sendable {
    private let bus: NATSBus
    private let subscription: NATSSubscription
    private static let places: [(String, SIMD3<Double>)] = [
      ("a", [0, 0, 2]), ("b", [10, 0, 2.5]), ("c", [10, 8, 2]), ("d", [0, 8, 0.5]),
    ]

    init(_ url: String) throws {
      bus = try NATSBus(NATSConnection.Options(url: url, name: "test")) { _ in }
      let stored = Stored()
      subscription = try bus.subscribe("_INBOX.source.*", waiting: (messages: 65_536, octets: 64 << 20)) {
        message in
        guard !message.hasNoResponders, String(decoding: message.octets, as: UTF8.self).contains("\"seq\"")
        else { return }
        let subject = message.subject
        stored.all.withLock { _ = $0.insert(subject) }
        stored.arrival.signal()
      }
      self.stored = stored
    }

    private final class Stored: Sendable {
      let all = Mutex(Set<String>())
      /// Signalled with each of them.
      let arrival = DispatchSemaphore(value: 0)
    }
    private let stored: Stored

    /// Readings that the server has.
    var acknowledged: Int { stored.all.withLock { $0.count } }

    /// Sends one range of each tag, again and again with the same number until the server has it.
    func round(_ number: Int) throws {
      for (key, subject, octets) in readings(number) { try deliver(octets, subject, key) }
    }

    private func readings(_ number: Int) -> [(key: String, subject: String, octets: [UInt8])] {
      let (receiver, place) = Self.places[number % 4]
      return (0..<SharedSiteProcessTests.tags).map { tag in
        let across = place - SIMD3(3 + 0.02 * Double(tag), 3, 1)
        let reading = GatewayReading(
          time: Date().timeIntervalSince1970, number: UInt64(number * 1000 + tag), peer: "t\(tag)",
          value: .range(metres: (across * across).sum().squareRoot(), sigma: nil, blocked: nil, rssi: nil))
        return ("\(number)-\(tag)", "nearby.hall.\(receiver).range", Array(ReadingText.text(reading).utf8))
      }
    }

    /// Sends one range of each tag, without waiting until it is stored.
    func pass(_ number: Int) throws {
      for (key, subject, octets) in readings(number) {
        try bus.publish(octets, to: subject, id: key, reply: "_INBOX.source.\(key)")
      }
      bus.flush()
    }

    private func deliver(_ octets: [UInt8], _ subject: String, _ key: String) throws {
      let reply = "_INBOX.source.\(key)"
      for _ in 0..<10 {
        try? bus.publish(octets, to: subject, id: key, reply: reply)
        let deadline = DispatchTime.now() + 2
        repeat {
          if stored.all.withLock({ $0.contains(reply) }) { return }
        } while stored.arrival.wait(timeout: deadline) == .success
      }
      Issue.record("the server did not store \(key)")
    }
  }

  /// What a process's page answers.
  private func answer(_ path: String, of site: ProgramRun) -> String {
    guard let line = site.all.first(where: { $0.hasPrefix("page: ") })?.dropFirst(6) else { return "" }
    let base = line.hasSuffix("/") ? line.dropLast() : line
    return Spawning.shell("curl -s -m 5 \(base)/\(path)").output
  }

  private func metric(_ name: String, of site: ProgramRun) -> Int {
    let text = answer("metrics", of: site)
    let found = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
    return found.flatMap { Int($0.dropFirst(name.count + 1)) } ?? -1
  }

  /// Readings that the processes have counted.
  private func tally(_ sites: [ProgramRun]) -> Int {
    sites.reduce(0) { $0 + metric("nearby_tally_total", of: $1) }
  }

  private func awaitParts(_ sites: [ProgramRun]) throws {
    try waitByPolling(for: "all parts", within: .seconds(60)) {
      sites.map { metric("nearby_parts", of: $0) }
    } until: {
      $0.allSatisfy { $0 > 0 } && $0.reduce(0, +) == 64
    }
  }

  private func events(_ sites: [ProgramRun], _ kind: String) -> [String] {
    sites.flatMap(\.all).filter { $0.contains("\"kind\":\"\(kind)\"") }
  }

  /// The site counts every acknowledged reading once.
  ///
  /// A process that is paused for a second counts as dead, and for a moment both it and its heir have its parts, until it
  /// can't keep its next checkpoint. So the parts are counted too.
  private func expectTally(_ sites: [ProgramRun], _ source: Source) throws {
    let count = source.acknowledged
    try waitByPolling(for: "64 parts and \(count) readings counted", within: .seconds(60)) {
      sites.map { (metric("nearby_parts", of: $0), metric("nearby_tally_total", of: $0)) }
    } until: { figures in
      figures.reduce(0) { $0 + $1.0 } == 64 && figures.reduce(0) { $0 + $1.1 } == count
    }
  }

  @Test("Processes divide the tags; one that comes takes some, and one that is killed loses none")
  func processes() throws {
    let server = try NATSServerProcess(jetStream: true)
    let file = try configuration(server.url)
    let first = try site(file)
    try awaitParts([first])
    let source = try Source(server.url)
    var number = 0
    func rounds(_ count: Int) throws {
      for _ in 0..<count {
        try source.round(number)
        number += 1
      }
    }
    // Entering a fence takes half a second.
    while events([first], "enter").count < Self.tags, number < 1000 { try rounds(1) }
    #expect(events([first], "enter").count == Self.tags, "\(first.text)")
    let second = try site(file)
    try awaitParts([first, second])
    try rounds(30)
    try expectTally([first, second], source)
    // Each shows the other's tags too.
    for site in [first, second] {
      try waitByPolling(for: "all tags on a page", within: .seconds(60)) {
        try rounds(1)
        let text = answer("v2/providers/locations", of: site)
        return (0..<Self.tags).count { text.contains("\"t\($0)\"") }
      } until: {
        $0 == Self.tags
      }
    }
    second.signal(SIGKILL)
    try rounds(30)
    try awaitParts([first])
    try rounds(30)
    try expectTally([first], source)
    // Nobody entered twice, and nobody was lost from sight.
    #expect(events([first], "exit").isEmpty && events([first], "vanished").isEmpty, "\(first.text)")
    first.signal(SIGINT)
    #expect(first.end() == 0, "\(first.text)")
    // A new process goes on where that one was.
    let third = try site(file)
    try awaitParts([third])
    try expectTally([third], source)
    #expect(events([third], "enter").isEmpty, "\(third.text)")
  }

  @Test("A server of three that is killed loses no acknowledged reading, and none counts twice")
  func cluster() throws {
    let servers = try NATSServerProcess.cluster(of: 3)
    let url = servers.map(\.url).joined(separator: ",")
    let file = try configuration(url, replicas: 3)
    let sites = [try site(file), try site(file)]
    try awaitParts(sites)
    let source = try Source(url)
    for number in 0..<20 { try source.round(number) }
    servers[0].kill()
    for number in 20..<40 { try source.round(number) }
    try servers[0].start()
    for number in 40..<60 { try source.round(number) }
    try awaitParts(sites)
    try expectTally(sites, source)
    #expect(events(sites, "exit").isEmpty, "\(sites.map(\.text))")
  }

  /// Counts the tags whose positions are published.
  private final class Positions: Sendable {
    private let bus: NATSBus
    private let subscription: NATSSubscription
    private final class Seen: Sendable { let tags = Mutex(Set<String>()) }
    private let seen: Seen

    init(_ url: String) throws {
      let seen = Seen()
      self.seen = seen
      bus = try NATSBus(NATSConnection.Options(url: url, name: "test")) { _ in }
      subscription = try bus.subscribe("nearby.hall.*.position", waiting: (messages: 4096, octets: 1 << 20)) {
        let subject = $0.subject
        seen.tags.withLock { _ = $0.insert(subject) }
      }
    }

    var count: Int { seen.tags.withLock { $0.count } }
    func forget() { seen.tags.withLock { $0 = [] } }
  }

  /// Sends readings, from one number on, until each tag has a new position.
  private func awaitPositions(_ positions: Positions, _ source: Source, _ number: inout Int) throws {
    positions.forget()
    try waitByPolling(for: "positions of all tags", within: .seconds(60)) {
      try source.pass(number)
      number += 1
      return positions.count
    } until: {
      $0 == Self.tags
    }
  }

  @Test(
    "Without a leader of the stream, positions come from readings that pass by; then all is as if it had spoken"
  )
  func leaderless() throws {
    let servers = try NATSServerProcess.cluster(of: 3)
    let url = servers.map(\.url).joined(separator: ",")
    let file = try configuration(url, replicas: 3)
    var sites = [try site(file), try site(file)]
    try awaitParts(sites)
    let source = try Source(url)
    let positions = try Positions(url)
    for number in 0..<20 { try source.round(number) }
    try expectTally(sites, source)
    // One of three servers keeps nothing.
    servers[0].kill()
    servers[1].kill()
    var number = 20
    try awaitPositions(positions, source, &number)
    #expect(tally(sites) == 20 * Self.tags)
    // Now a process is killed too: the other one shows its tags, whether or not it can read their checkpoints.
    sites[1].signal(SIGKILL)
    _ = sites[1].end()
    try awaitPositions(positions, source, &number)
    try servers[0].start()
    try servers[1].start()
    for next in number..<(number + 20) { try source.round(next) }
    sites.removeLast()
    try awaitParts(sites)
    // A message that was under way may be kept without an answer to its sender.
    let connection = try NATSConnection(NATSConnection.Options(url: url, name: "test"))
    try waitByPolling(for: "each kept reading counted", within: .seconds(60)) {
      (try connection.extent(of: "NEARBY_SITE_hall").last, tally(sites))
    } until: {
      $0.0 == UInt64($0.1)
    }
    #expect(source.acknowledged >= 40 * Self.tags)
    #expect(events(sites, "exit").isEmpty, "\(sites.map(\.text))")
  }

  @Test("From a beacon in a shared world through gateways and two processes to an event in the stream")
  func wholeWay() throws {
    let server = try NATSServerProcess(jetStream: true)
    let uuid = "D2A60B41-7C55-4E0F-9A31-010203040506"
    let text = """
      { seed: 1, duration: 3600,
        devices: [ { name: "gw1", motion: { stand: [0, 0, 2] } }, { name: "gw2", motion: { stand: [10, 8, 2] } } ],
        beacons: [ { name: "Keys", uuid: "\(uuid)", major: 1, minor: 7, motion: { stand: [5, 4, 1] } } ] }
      """
    var hosted = WorldServer.Configuration()
    hosted.port = 0
    let world = WorldServer(
      HostedWorld(try Scenario(parsing: Data(text.utf8), file: "hall.json")), hosted
    ) { _ in }
    let port = try world.start().port
    defer { world.stop() }
    let gateway = try ProgramRun(
      ["gateway", "--site", "hall", "--id", "a", "--nats", server.url], in: folder,
      environment: ["NEARBY_WORLD": "127.0.0.1:\(port)", "NEARBY_DEVICE": "gw1"])
    // Before there is a site, nobody keeps the readings.
    #expect(gateway.line(with: "readings are stored") != nil, "\(gateway.text)")
    let spied = try configuration(server.url)
    let plan = try String(contentsOfFile: spied, encoding: .utf8).replacingOccurrences(
      of: "{ id: \"t0\" }", with: "{ id: \"keys\", aliases: [\"iBeacon:\(uuid.lowercased())-1-7\"] }")
    let file = try folder.write(plan, to: "keys.json")
    let sites = [try site(file), try site(file)]
    try waitByPolling(for: "the keys", within: .seconds(60)) {
      events(sites, "appeared").count
    } until: {
      $0 == 1
    }
    gateway.signal(SIGINT)
    #expect(gateway.line(with: ", 0 stored, 0 lost") != nil, "\(gateway.text)")
    let connection = try NATSConnection(NATSConnection.Options(url: server.url, name: "test"))
    try waitByPolling(for: "the event in the stream", within: .seconds(60)) {
      try connection.hasMessage(with: "nearby.hall.keys.event", in: "NEARBY_EVENTS_hall")
    } until: {
      $0
    }
  }
}
