import NearbyReadings
import NearbySite
import Testing

@Suite("A site between broker and publishers")
struct SiteEngineTests {
  private var engine: SiteEngine
  private let now = 1_700_000_000.0

  init() throws {
    engine = try SiteEngine(try SitePlan(parsing: exampleSite, file: "site.json"), version: "1", seed: 1)
  }

  private func range(_ device: String, _ peer: String, _ metres: Double, number: Int, at time: Double)
    -> [UInt8]
  {
    Array(
      ReadingText.text(
        GatewayReading(
          time: time, number: UInt64(number), peer: peer,
          value: .range(metres: metres, sigma: nil, blocked: nil, rssi: nil))
      ).utf8)
  }

  /// Ranges of a tag at a place to all receivers in turn.
  private mutating func stand(at place: SIMD3<Double>, rounds: Int) -> SiteEngine.Output {
    var output = SiteEngine.Output()
    var number = 0
    for round in 0..<rounds {
      for receiver in engine.plan.receivers {
        number += 1
        let across = receiver.position - place
        let time = now + Double(round) * 0.2 + Double(number % 5) * 0.01
        engine.received(
          topic: "nearby/museum/\(receiver.id)/range",
          payload: range(receiver.id, "tag7", (across * across).sum().squareRoot(), number: number, at: time),
          now: time, &output)
      }
    }
    return output
  }

  @Test("It subscribes to readings, ESPresense and Home Assistant's births")
  func patterns() {
    #expect(
      engine.patterns == [
        "nearby/museum/+/range", "nearby/museum/+/difference", "nearby/museum/+/advertisement",
        "espresense/devices/+/+", "homeassistant/status",
      ])
    #expect(engine.will.topic == "nearby/museum/status" && engine.will.payload == "offline")
  }

  @Test("Ranges become a position, a room, a fence and everybody's messages")
  mutating func ranges() throws {
    let output = stand(at: [5, 4, 1.2], rounds: 30)
    #expect(engine.fusion.counts.rejected == 0)
    let report = try #require(engine.fusion.report(of: 0)?.position)
    #expect(abs(report.position.x - 5) < 0.1 && abs(report.position.y - 4) < 0.1)
    let topics = Set(output.messages.map(\.topic))
    for topic in [
      "nearby/museum/tag7/position", "nearby/museum/tag7/room", "nearby/museum/tag7/presence",
      "nearby/museum/fence/case/occupancy", "owntracks/museum/tag7", "owntracks/museum/tag7/event",
    ] {
      #expect(topics.contains(topic), "\(topic)")
    }
    #expect(topics.contains { $0.hasPrefix("espresense/devices/tag7/") })
    #expect(output.events.map(\.kind) == [.enter, .dwell])
    #expect(output.lines.first?.hasPrefix(#"{"kind":"appeared""#) == true)
  }

  @Test("After a lost connection everything is stated again")
  mutating func again() {
    _ = stand(at: [5, 4, 1.2], rounds: 30)
    let messages = engine.connected()
    #expect(messages.first?.payload == "online")
    #expect(messages.contains { $0.topic == "nearby/museum/tag7/presence" && $0.payload == "ON" })
    #expect(messages.contains { $0.topic == "nearby/museum/tag7/room" && $0.payload == "Great hall" })
    #expect(messages.filter { $0.topic.hasPrefix("homeassistant/device/") }.count == 3)
    #expect(engine.farewell().first == engine.will)
  }

  @Test("A birth of Home Assistant is answered within five seconds, once")
  mutating func birth() {
    var output = SiteEngine.Output()
    engine.received(topic: "homeassistant/status", payload: Array("offline".utf8), now: now, &output)
    engine.advance(now: now + 6, &output)
    #expect(output.messages.isEmpty)
    engine.received(topic: "homeassistant/status", payload: Array("online".utf8), now: now, &output)
    #expect(output.messages.isEmpty)
    engine.advance(now: now + 5, &output)
    #expect(output.messages.filter { $0.topic.hasSuffix("/config") }.count == 3)
    let count = output.messages.count
    engine.advance(now: now + 60, &output)
    #expect(output.messages.count == count)
  }

  @Test("A reading counts once, whichever way its devices are named, and aliases are tags")
  mutating func once() {
    var output = SiteEngine.Output()
    let payload = range("a1", "tag7", 5, number: 9, at: now)
    for _ in 0..<3 { engine.received(topic: "nearby/museum/a1/range", payload: payload, now: now, &output) }
    #expect(engine.fusion.counts.used == 1 && engine.fusion.counts.rejected(for: .duplicate) == 2)
    engine.received(
      topic: "nearby/museum/tag7/range", payload: range("tag7", "a2", 5, number: 1, at: now + 0.1), now: now,
      &output)
    engine.received(
      topic: "espresense/devices/iBeacon:1-2-3/a3", payload: Array(#"{"rssi":-70}"#.utf8), now: now + 0.2,
      &output)
    #expect(engine.fusion.counts.used == 3)
  }

  @Test(
    "What strangers send is counted by its reason and changes nothing",
    arguments: [
      ("nearby/museum/a1/range", "{", SiteRejection.brokenPayload),
      ("nearby/museum/a1/range", #"{"t":1700000000,"peer":"who","d":1}"#, .unknownTag),
      ("nearby/museum/who/range", #"{"t":1700000000,"peer":"tag7","d":1}"#, .unknownReceiver),
      ("nearby/museum/tag7/difference", #"{"t":1700000000,"peer":"a1","from":"b","d":1}"#, .unknownReceiver),
      ("nearby/museum/a1/range", #"{"t":1700000000,"peer":"tag7","d":1e9}"#, .impossible),
      ("nearby/museum/a1/range", #"{"t":1700000099,"peer":"tag7","d":1}"#, .ahead),
      ("nearby/museum/a1/range", #"{"t":1600000000,"peer":"tag7","d":1}"#, .late),
      ("nearby/museum/a1/advertisement", #"{"t":1700000000,"peer":"tag7","rssi":0}"#, .impossible),
      ("espresense/devices/who/a1", #"{"rssi":-70}"#, .unknownTag),
      ("espresense/devices/tag7/who", #"{"rssi":-70}"#, .unknownReceiver),
      ("espresense/devices/tag7/a1", "[]", .brokenPayload), ("elsewhere", "1", .unknownTopic),
    ])
  mutating func strangers(topic: String, payload: String, reason: SiteRejection) {
    var output = SiteEngine.Output()
    engine.received(topic: topic, payload: Array(payload.utf8), now: now, &output)
    #expect(engine.fusion.counts.rejected(for: reason) == 1)
    #expect(output == SiteEngine.Output())
    #expect(engine.fusion.presentCount == 0)
  }
}

@Suite("A site as an omlox hub")
struct OmloxTextTests {
  private let plan: SitePlan
  private var report: SiteReport {
    SiteReport(
      tag: 0, time: 1_700_000_000.25,
      position: SitePosition(
        position: [5, 4, 1.2], velocity: nil, covariance: (0.04, 0.04, 0.09, 0, 0, 0), floor: 0,
        source: .ultraWideband, time: 1_700_000_000), nearest: nil, room: 0, isRoomNew: true)
  }

  init() throws { plan = try SitePlan(parsing: exampleSite, file: "site.json") }

  @Test("A location has the required members, on the globe if there is an origin")
  func location() throws {
    let text = try #require(OmloxText(plan).location(report))
    #expect(
      text.hasPrefix(
        #"{"position":{"type":"Point","coordinates":[11.57506718,48.13703597,1.2]},"source":"museum","#
          + #""provider_type":"uwb","provider_id":"tag7","timestamp_generated":"2023-11-14T22:13:20.250Z","#
          + #""crs":"EPSG:4326","accuracy":0.30,"floor":0,"trackables":[""#), "\(text)")
    var local = plan
    local.origin = nil
    let other = try #require(OmloxText(local).location(report))
    #expect(other.contains(#""coordinates":[5.0,4.0,1.2]"#) && other.contains(#""crs":"local""#))
  }

  @Test("Paths of the hub's interface are answered, others are not")
  func paths() throws {
    let text = OmloxText(plan)
    func answer(_ path: String) -> String? { text.answer(path, reports: [report], occupants: [[0]]) }
    let location = try #require(text.location(report))
    #expect(answer("/v2/providers/tag7/location") == location)
    #expect(answer("/v2/providers/locations") == "[\(location)]")
    #expect(answer("/v2/providers/tag8/location") == nil)
    #expect(answer("/v2/providers")?.hasPrefix(#"[{"id":"tag7","type":"ibeacon","name":"Tag 7"},"#) == true)
    let trackables = try #require(answer("/v2/trackables"))
    let id = try #require(trackables.split(separator: "\"").dropFirst(3).first)
    #expect(id.count == 36 && answer("/v2/trackables/\(id)/location") == location)
    #expect(
      answer("/v2/fences")?.contains(#""foreign_id":"case","name":"Show case","region":{"type":"Polygon""#)
        == true)
    #expect(answer("/v2/fences/case/providers") == #"["tag7"]"#)
    #expect(answer("/v2/zones")?.contains(#""foreign_id":"museum""#) == true)
    #expect(answer("/v2/providers/tag7") == #"{"id":"tag7","type":"ibeacon","name":"Tag 7"}"#)
    #expect(answer("/v2/providers/summary") == answer("/v2/providers"))
    #expect(answer("/v2/providers/tag7/fences")?.contains(#""foreign_id":"case""#) == true)
    #expect(answer("/v2/trackables/\(id)")?.contains(#""location_providers":["tag7"]"#) == true)
    #expect(answer("/v2/trackables/\(id)/locations") == "[\(location)]")
    #expect(answer("/v2/trackables/\(id)/motion")?.contains(#""name":"Tag 7""#) == true)
    #expect(answer("/v2/trackables/\(id)/providers")?.contains(#""id":"tag7""#) == true)
    #expect(answer("/v2/fences/case")?.contains(#""name":"Show case""#) == true)
    #expect(answer("/v2/fences/case/trackables") == #"["\#(id)"]"#)
    #expect(answer("/v2/fences/case/locations") == "[\(location)]")
    #expect(answer("/v2/zones/museum")?.contains(#""foreign_id":"museum""#) == true)
    for path in [
      "/v2", "/v2/rpc", "/v1/providers", "/", "/v2/providers/x", "/v2/providers/x/location",
      "/v2/fences/x/trackables", "/v2/zones/x", "/v2/trackables/x/motion", "/v2/fences/case/x",
    ] {
      #expect(answer(path) == nil, "\(path)")
    }
  }
}
