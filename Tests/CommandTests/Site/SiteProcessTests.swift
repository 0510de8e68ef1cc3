import Foundation
import NearbyMQTT
import NearbyReadings
import NearbyScenarios
import NearbyWorld
import TestSupport
import Testing

/// Real processes with a real broker; the time limits only end a test that hangs.
@Suite("nearby gateway and nearby site", .serialized, .needs(.mosquitto), .tags(.slow), .ownThreads)
struct SiteProcessTests {
  private static let uuid = "D2A60B41-7C55-4E0F-9A31-010203040506"
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A hall with three phones as gateways, and keys with a beacon.
  private func world() throws -> (server: WorldServer, port: UInt16) {
    let text = """
      { seed: 1, duration: 3600,
        devices: [
          { name: "gw1", motion: { stand: [0.5, 0.5, 2] } }, { name: "gw2", motion: { stand: [9.5, 0.5, 2] } },
          { name: "gw3", motion: { stand: [5, 7.5, 2] } } ],
        beacons: [ { name: "Keys", uuid: "\(Self.uuid)", major: 1, minor: 7, motion: { stand: [5, 4, 1] } } ] }
      """
    var configuration = WorldServer.Configuration()
    configuration.port = 0
    let scenario = try Scenario(parsing: Data(text.utf8), file: "hall.json")
    let server = WorldServer(HostedWorld(scenario), configuration) { _ in }
    return (server, try server.start().port)
  }

  private func configuration(_ broker: String, _ rest: String = "") throws -> String {
    try folder.write(
      """
      { site: "hall", broker: { url: "\(broker)" \(rest) },
        rooms: [ { id: "hall", name: "Hall", outline: [[0, 0], [10, 0], [10, 8], [0, 8]] } ],
        receivers: [
          { id: "gw1", at: [0.5, 0.5, 2] }, { id: "gw2", at: [9.5, 0.5, 2] }, { id: "gw3", at: [5, 7.5, 2] } ],
        fences: [ { id: "table", at: [5, 4], radius: 4 } ],
        tags: [ { id: "keys", name: "My keys", aliases: ["iBeacon:\(Self.uuid.lowercased())-1-7"] } ],
        publish: { espresense: "rooms", history: "\(folder.url.path)/history.jsonl" }, page: { port: 0 } }
      """, to: "site.json")
  }

  private func gateway(_ name: String, _ broker: MosquittoBroker, world: UInt16, _ words: [String] = [])
    throws
    -> ProgramRun
  {
    try ProgramRun(
      ["gateway", "--site", "hall", "--id", name, "--mqtt", broker.url] + words, in: folder,
      environment: ["NEARBY_WORLD": "127.0.0.1:\(world)", "NEARBY_DEVICE": name])
  }

  @Test("From a beacon in a shared world to Home Assistant, the history, the metrics and the hub's interface")
  func wholeWay() throws {
    let broker = try MosquittoBroker(in: folder)
    let (server, port) = try world()
    defer { server.stop() }
    let site = try ProgramRun(["site", try configuration(broker.url), "--json"], in: folder)
    #expect(site.line(with: "connected to 127.0.0.1:\(broker.port)") != nil, "\(site.text)")
    let listener = try broker.listener()
    defer { listener.end() }
    let gateways = try ["gw1", "gw2", "gw3"].map { try gateway($0, broker, world: port) }
    let discovery = listener.message("homeassistant/device/nearby_hall_keys/config")
    #expect(discovery?.contains(#""name":"My keys""#) == true, "\(site.text)")
    #expect(listener.message("nearby/hall/gw2/status", "online") != nil, "\(gateways[1].text)")
    #expect(listener.message("nearby/hall/gw1/advertisement", "\"rssi\":-") != nil, "\(gateways[0].text)")
    #expect(listener.message("nearby/hall/keys/presence", "ON") != nil, "\(site.text)")
    #expect(listener.message("nearby/hall/keys/room", "Hall") != nil, "\(site.text)")
    #expect(listener.message("nearby/hall/keys/position", #""crs":"local""#) != nil)
    #expect(listener.message("nearby/hall/fence/table/occupancy", "ON") != nil, "\(site.text)")
    #expect(site.line(with: #""kind":"enter""#, "table") != nil, "\(site.text)")
    try page(of: site)
    // Killed without a goodbye: the broker tells by the last will.
    gateways[0].signal(SIGKILL)
    #expect(listener.message("nearby/hall/gw1/status", "offline") != nil)
    gateways[1].signal(SIGTERM)
    #expect(gateways[1].line(with: "readings delivered, 0 stored, 0 lost") != nil, "\(gateways[1].text)")
    site.signal(SIGINT)
    #expect(site.end() == 0, "\(site.text)")
    #expect(listener.message("nearby/hall/status", "offline") != nil)
    let history = try String(contentsOf: folder.url.appendingPathComponent("history.jsonl"), encoding: .utf8)
    #expect(history.hasPrefix(#"{"kind":"appeared""#) && history.hasSuffix("}\n"))
  }

  private func page(of site: ProgramRun) throws {
    let line = try #require(site.all.first { $0.hasPrefix("page: ") }).dropFirst(6)
    let base = line.hasSuffix("/") ? line.dropLast() : line
    func get(_ path: String) -> String { Spawning.shell("curl -s -m 10 \(base)\(path)").output }
    #expect(get("/").contains("<title>Nearby site</title>"))
    #expect(get("/site.js").contains("receivePlan"))
    #expect(get("/metrics").contains("nearby_tags_present 1"))
    #expect(get("/v2/providers/keys/location").contains(#""provider_type":"ibeacon""#))
    #expect(get("/v2/fences/table/providers") == #"["keys"]"#)
    #expect(get("/v2/nothing").contains("no such page"))
    let socket = Spawning.shell("python3 -c '\(Self.subscriber)' \(base.dropFirst(7))").output
    #expect(socket.contains(#""event":"subscribed","topic":"location_updates""#), "\(socket)")
    #expect(socket.contains(#""provider_id":"keys""#), "\(socket)")
  }

  /// A WebSocket client (RFC 6455) of Python's own library, which subscribes and prints two messages.
  private static let subscriber = """
    import socket, sys
    host, port = sys.argv[1].split(":")
    line = socket.create_connection((host, int(port)), 30)
    line.sendall(("GET /v2/ws/socket HTTP/1.1\\r\\nHost: " + sys.argv[1] + "\\r\\nUpgrade: websocket\\r\\n"
      "Connection: Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n").encode())
    file = line.makefile("rb")
    while file.readline().strip(): pass
    text = b"{\\"event\\":\\"subscribe\\",\\"topic\\":\\"location_updates\\"}"
    line.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
    for _ in range(2):
      count = file.read(2)[1]
      if count == 126: count = int.from_bytes(file.read(2), "big")
      print(file.read(count).decode())
    """

  @Test("A broker that dies and comes back gets every reading")
  func outage() throws {
    let broker = try MosquittoBroker(in: folder)
    let (server, port) = try world()
    defer { server.stop() }
    let gateway = try gateway(
      "gw1", broker, world: port, ["--store", folder.url.appendingPathComponent("q").path])
    #expect(gateway.line(with: "connected to") != nil, "\(gateway.text)")
    do {
      let listener = try broker.listener()
      #expect(listener.message("nearby/hall/gw1/advertisement") != nil)
      listener.end()
    }
    broker.kill()
    let lost = try #require(gateway.line(with: "readings are stored"), "\(gateway.text)")
    let queue = folder.url.appendingPathComponent("q").path
    try waitByPolling(for: "readings in the store", within: .seconds(60)) {
      (try? FileManager.default.contentsOfDirectory(atPath: queue))?.contains { $0.hasSuffix(".messages") }
        ?? false
    } until: {
      $0
    }
    try broker.start()
    #expect(gateway.line(from: lost, with: "connected to") != nil, "\(gateway.text)")
    let listener = try broker.listener()
    #expect(listener.message("nearby/hall/gw1/advertisement") != nil)
    listener.end()
    gateway.signal(SIGINT)
    let summary = try #require(gateway.line(with: "readings delivered, 0 stored, 0 lost"), "\(gateway.text)")
    #expect(!gateway.all[summary - 1].hasPrefix("nearby: 0 readings"))
    #expect(gateway.end() == 0)
  }

  @Test("A UWB chip's ranges are readings, and a broker that is not there is told")
  func chip() throws {
    let chips = try ProgramRun(["chip", "--listen", "127.0.0.1:0"], in: folder)
    let line = try #require(chips.line(with: "127.0.0.1:"), "\(chips.text)")
    let address = try #require(chips.all[line - 1].firstMatch(of: /127\.0\.0\.1:\d+/)).output
    let broker = try MosquittoBroker(in: folder)
    broker.kill()
    let gateway = try ProgramRun(
      [
        "gateway", "--site", "hall", "--id", "gw1", "--mqtt", broker.url, "--radio", "tcp:\(address)",
        "--peer", "2",
      ],
      in: folder)
    #expect(
      gateway.line(with: "no MQTT broker answers at 127.0.0.1:\(broker.port)") != nil, "\(gateway.text)")
    let tag = try ProgramRun(
      [
        "radio", "range", "--radio", "tcp:\(address)", "--role", "responder", "--address", "2", "--peer", "1",
      ],
      in: folder)
    try broker.start()
    let listener = try broker.listener()
    defer { listener.end() }
    let payload = try #require(
      listener.message("nearby/hall/gw1/range", #""peer":"0x0002""#), "\(gateway.text)\n\(tag.text)")
    let readings = try ReadingParser.parse(Array(payload.utf8), .range)
    guard case .range(let metres, _, _, _)? = readings.last?.value else {
      return #expect(Bool(false), "\(payload)")
    }
    // The chips are 2 m apart.
    #expect((1.5...2.5).contains(metres))
    tag.signal(SIGINT)
    gateway.signal(SIGINT)
    #expect(gateway.end() == 0, "\(gateway.text)")
  }

  @Test("Home Assistant's birth is answered with all configurations")
  func birth() throws {
    let broker = try MosquittoBroker(in: folder)
    let site = try ProgramRun(["site", try configuration(broker.url)], in: folder)
    #expect(site.line(with: "connected to") != nil, "\(site.text)")
    let listener = try broker.listener()
    defer { listener.end() }
    #expect(listener.message("homeassistant/device/nearby_hall_fence_table/config") != nil)
    let before = listener.all.count
    try listener.publish("homeassistant/status", "online")
    try waitByPolling(for: "the configurations", within: .seconds(60)) {
      listener.all.dropFirst(before).filter { $0.topic.hasSuffix("/config") }.count
    } until: {
      $0 == 2
    }
  }

  @Test("A broker that refuses is told once, and tried again")
  func refused() throws {
    let broker = try MosquittoBroker(in: folder, "allow_anonymous false")
    let site = try ProgramRun(["site", try configuration(broker.url)], in: folder)
    #expect(site.line(with: "can't connect: the MQTT broker refuses it") != nil, "\(site.text)")
    site.signal(SIGINT)
    #expect(site.end() == 0, "\(site.text)")
    #expect(site.all.filter { $0.contains("refuses") }.count == 1, "\(site.text)")
  }

  @Test(
    "Wrong words and files are refused before anything is sent",
    arguments: [
      (["gateway", "--site", "a/b", "--mqtt", "mqtt://x"], 64, "without '/'"),
      (["gateway", "--site", "a", "--mqtt", "http://x"], 64, "expected mqtt://HOST"),
      (["gateway", "--site", "a"], 64, "--mqtt"),
      (["gateway", "--site", "a", "--mqtt", "mqtt://x", "--client-key", "k"], 64, "belong together"),
      (
        ["gateway", "--site", "a", "--id", "g", "--mqtt", "mqtts://localhost", "--ca", "none.pem"], 66,
        "none.pem"
      ),
      (
        ["gateway", "--site", "a", "--id", "g", "--mqtt", "mqtt://x", "--password-file", "none"], 66,
        "password"
      ),
      (["site", "none.json"], 66, "none.json"),
    ])
  func wrong(words: [String], code: Int32, part: String) throws {
    let run = try ProgramRun(words, in: folder)
    #expect(run.end() == code, "\(run.text)")
    #expect(run.text.contains(part), "\(run.text)")
  }

  @Test("--check reads a configuration and connects to nothing")
  func check() throws {
    let run = try ProgramRun(["site", try configuration("mqtt://nowhere.invalid"), "--check"], in: folder)
    #expect(run.end() == 0)
    #expect(run.text.contains("site hall: 3 receivers, 1 rooms, 1 fences, 1 tags"), "\(run.text)")
  }

  @Test("nearby demo site shows what Home Assistant would receive, the same in each run")
  func demo() throws {
    let first = try ProgramRun(["demo", "site", "--seconds", "5", "--speed", "max", "--json"], in: folder)
    #expect(first.end() == 0, "\(first.text)")
    #expect(first.all.contains { $0.contains("homeassistant/device/nearby_demo_tag20/config") })
    #expect(first.all.contains { $0.contains("20 tags located") }, "\(first.text.suffix(200))")
    let second = try ProgramRun(["demo", "site", "--seconds", "5", "--speed", "max", "--json"], in: folder)
    #expect(second.end() == 0)
    func messages(_ run: ProgramRun) -> [String] { run.all.filter { $0.hasPrefix("{") } }
    #expect(messages(first) == messages(second))
  }
}
