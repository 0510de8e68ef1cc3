import NearbySite
import Testing

@Suite("What a site publishes")
struct SitePublishingTests {
  private let plan: SitePlan

  init() throws { plan = try SitePlan(parsing: exampleSite, file: "site.json") }

  private var position: SitePosition {
    SitePosition(
      position: [5, 4, 1.2], velocity: nil, covariance: (0.04, 0.04, 0.09, 0, 0, 0), floor: 0,
      source: .ultraWideband, time: 1_700_000_000)
  }

  private var report: SiteReport {
    SiteReport(
      tag: 0, time: 1_700_000_000.25, position: position,
      nearest: SiteNearness(receiver: 1, metres: 6.48, sigma: 0.1, time: 1_700_000_000), room: 0,
      isRoomNew: true)
  }

  private func event(_ kind: SiteFenceEvent.Kind, tag: Int = 0, seconds: Double = 0) -> SiteFenceEvent {
    SiteFenceEvent(
      kind: kind, tag: tag, fence: 0, time: 1_700_000_007.5, seconds: seconds, position: position)
  }

  @Test("Home Assistant discovers a tag as one device with three entities")
  func discovery() throws {
    let messages = HomeAssistant(plan, prefix: "homeassistant", version: "1.0").discovery()
    #expect(messages.count == 3)
    #expect(messages.allSatisfy { $0.isRetained && $0.quality == 1 })
    #expect(messages[0].topic == "homeassistant/device/nearby_museum_tag7/config")
    #expect(
      messages[0].payload == #"{"~":"nearby/museum/tag7","dev":{"ids":["nearby_museum_tag7"],"name":"Tag 7","#
        + #""mf":"swift-nearby","mdl":"Tag"},"o":{"name":"swift-nearby","sw":"1.0"},"#
        + #""avty_t":"nearby/museum/status","cmps":{"distance":{"p":"sensor","#
        + #""uniq_id":"nearby_museum_tag7_distance","name":"Distance","dev_cla":"distance","#
        + #""unit_of_meas":"m","stat_cla":"measurement","stat_t":"~/state","#
        + #""val_tpl":"{{ value_json.distance }}","json_attr_t":"~/state","exp_aft":10},"#
        + #""room":{"p":"device_tracker","uniq_id":"nearby_museum_tag7_room","name":"Room","#
        + #""stat_t":"~/room","json_attr_t":"~/state","src_type":"bluetooth_le"},"#
        + #""presence":{"p":"binary_sensor","uniq_id":"nearby_museum_tag7_presence","#
        + #""name":"Presence","dev_cla":"presence","stat_t":"~/presence"}}}"#)
    #expect(messages[2].topic == "homeassistant/device/nearby_museum_fence_case/config")
    #expect(
      messages[2].payload == #"{"~":"nearby/museum/fence/case","dev":{"ids":["nearby_museum_fence_case"],"#
        + #""name":"Show case","mf":"swift-nearby","mdl":"Fence"},"o":{"name":"swift-nearby","sw":"1.0"},"#
        + #""avty_t":"nearby/museum/status","cmps":{"occupancy":{"p":"binary_sensor","#
        + #""uniq_id":"nearby_museum_fence_case_occupancy","name":"Occupancy","dev_cla":"occupancy","#
        + #""stat_t":"~/occupancy","json_attr_t":"~/tags"}}}"#)
  }

  @Test("Home Assistant receives state, room, presence and a fence's occupancy")
  func states() {
    var assistant = HomeAssistant(plan, prefix: "homeassistant", version: "1.0")
    #expect(assistant.birthTopic == "homeassistant/status")
    #expect(
      assistant.messages(for: .report(report)) == [
        SiteMessage(
          topic: "nearby/museum/tag7/room", payload: "Great hall", isRetained: true, quality: 1),
        SiteMessage(
          topic: "nearby/museum/tag7/state",
          payload: #"{"distance":6.48,"receiver":"a2","room":"Great hall","x":5.00,"y":4.00,"z":1.20,"#
            + #""floor":0,"accuracy":0.30,"latitude":48.137036,"longitude":11.5750672,"gps_accuracy":0.30}"#),
      ])
    #expect(assistant.messages(for: .appeared(tag: 0, time: 0)).map(\.payload) == ["ON"])
    #expect(assistant.messages(for: .vanished(tag: 0, time: 0)).map(\.payload) == ["OFF", "not_home"])
    #expect(
      assistant.messages(for: .fence(event(.enter))).map(\.payload) == [
        "ON", #"{"count":1,"tags":["tag7"]}"#,
      ])
    #expect(assistant.messages(for: .fence(event(.enter, tag: 1))).map(\.payload).first == "ON")
    #expect(assistant.messages(for: .fence(event(.dwell))).isEmpty)
    // The other tag is still inside.
    #expect(
      assistant.messages(for: .fence(event(.exit))).map(\.payload) == [
        "ON", #"{"count":1,"tags":["tag8"]}"#,
      ])
    #expect(assistant.messages(for: .fence(event(.exit, tag: 1))).map(\.payload).first == "OFF")
    let present = assistant.states([report, nil])
    #expect(
      present.map(\.payload) == ["ON", "Great hall", "OFF", "not_home", "OFF", #"{"count":0,"tags":[]}"#])
    #expect(present.allSatisfy { $0.isRetained })
  }

  @Test("The last will marks the site as offline")
  func will() {
    let topics = SiteTopics(site: "museum")
    #expect(
      topics.will
        == SiteMessage(topic: "nearby/museum/status", payload: "offline", isRetained: true, quality: 1))
    #expect(topics.birth.topic == topics.will.topic && topics.birth.payload == "online")
  }

  @Test("Ids that Home Assistant does not allow are replaced without two becoming one")
  func plainIDs() {
    #expect(SiteTopics.plainID("tag_7-A") == "tag_7-A")
    let (a, b) = (SiteTopics.plainID("tag 7"), SiteTopics.plainID("tag.7"))
    #expect(a != b && a.hasPrefix("tag_7_") && b.hasPrefix("tag_7_"))
    #expect(SiteTopics.plainID("Schlüssel").utf8.allSatisfy { $0 < 0x80 })
  }

  @Test("ESPresense's messages are read")
  func readsESPresense() throws {
    // The example of ESPresense's documentation.
    let payload =
      #"{"mac":"dd8800003777","id":"iBeacon:426c7565-4368-6172-6d42-6561636f6e73-3838-4949","#
      + #""rssi@1m":-59,"rssi":-81.1,"rxAdj":0,"rssiVar":7.42,"distance":6.58,"var":4.0,"int":2028}"#
    let topic = "espresense/devices/iBeacon:426c7565-4368-6172-6d42-6561636f6e73-3838-4949/kitchen"
    let report = try #require(
      try ESPresenseReport(topic: topic, payload: Array(payload.utf8), prefix: "espresense"))
    #expect(
      report
        == ESPresenseReport(
          id: "iBeacon:426c7565-4368-6172-6d42-6561636f6e73-3838-4949", room: "kitchen", rssi: -81.1,
          power: -59, distance: 6.58, variance: 4, interval: 2028))
    let telemetry = try ESPresenseReport(
      topic: "espresense/rooms/kitchen/telemetry", payload: [], prefix: "espresense")
    #expect(telemetry == nil)
  }

  @Test(
    "Broken messages of ESPresense are refused with a reason",
    arguments: [
      ("", SiteRejection.brokenPayload), ("{}", .brokenPayload), ("[1]", .brokenPayload),
      (#"{"rssi":"loud"}"#, .brokenPayload), (#"{"rssi":-60"#, .brokenPayload),
      (#"{"rssi":-60,"rssi@1m":true}"#, .brokenPayload),
      (String(repeating: " ", count: 5000), .tooLarge),
    ])
  func brokenESPresense(payload: String, reason: SiteRejection) {
    #expect(throws: reason) {
      try ESPresenseReport(topic: "e/devices/a/b", payload: Array(payload.utf8), prefix: "e")
    }
  }

  @Test("A site's tags look like ESPresense, and are read back")
  func writesESPresense() throws {
    let message = try #require(ESPresense(plan, prefix: "espresense").message(for: report))
    #expect(message.topic == "espresense/devices/tag7/a2")
    #expect(
      message.payload
        == #"{"id":"tag7","rssi@1m":-59,"rssi":-75.2,"distance":6.48,"var":0.01,"int":500}"#)
    let back = try #require(
      try ESPresenseReport(topic: message.topic, payload: Array(message.payload.utf8), prefix: "espresense"))
    #expect(back.distance == 6.48 && back.room == "a2")
  }

  @Test("OwnTracks receives locations and transitions")
  func ownTracks() throws {
    let tracks = try #require(OwnTracks(plan, user: "museum"))
    let location = try #require(tracks.location(report))
    #expect(location.topic == "owntracks/museum/tag7")
    #expect(
      location.payload
        == #"{"_type":"location","lat":48.137036,"lon":11.5750672,"acc":1,"tst":1700000000,"tid":"g7","#
        + #""t":"b","inregions":["Great hall"]}"#)
    let transition = try #require(tracks.transition(event(.exit, seconds: 7.5)))
    #expect(transition.topic == "owntracks/museum/tag7/event")
    #expect(
      transition.payload
        == #"{"_type":"transition","event":"leave","desc":"Show case","rid":"case","t":"b","#
        + #""lat":48.137036,"lon":11.5750672,"acc":1,"tst":1700000007,"wtst":1700000000,"tid":"g7"}"#)
    #expect(tracks.transition(event(.dwell)) == nil)
    var nowhere = plan
    nowhere.origin = nil
    #expect(OwnTracks(nowhere, user: "x") == nil)
  }

  @Test("The site's own topics and its history are JSON lines")
  func lines() throws {
    let text = SiteText(plan)
    let message = try #require(text.position(report))
    #expect(message.topic == "nearby/museum/tag7/position")
    #expect(
      message.payload
        == #"{"t":1700000000.250,"x":5.000,"y":4.000,"z":1.200,"s":[0.200,0.200,0.300],"floor":0,"#
        + #""crs":"local"}"#)
    #expect(
      text.line(.fence(event(.dwell, seconds: 5)))
        == #"{"kind":"dwell","t":1700000007.500,"tag":"tag7","fence":"case","seconds":5.0}"#)
    #expect(text.line(.report(report)).hasSuffix(#""room":"hall","receiver":"a2","distance":6.48}"#))
    #expect(
      text.line(.vanished(tag: 1, time: 3)) == #"{"kind":"vanished","t":3.000,"tag":"tag8"}"#)
  }

  @Test("Prometheus reads counters with reasons")
  func prometheus() throws {
    var fusion = try SiteFusion(plan)
    var outputs: [SiteOutput] = []
    fusion.add(
      SiteReading(tag: 0, receiver: 0, value: .range(metres: 2, sigma: nil), time: 10), now: 10, &outputs)
    fusion.counts.add(.duplicate)
    let text = PrometheusText.of(fusion)
    #expect(text.contains("# TYPE nearby_readings_used_total counter\nnearby_readings_used_total 1\n"))
    #expect(text.contains("nearby_readings_dropped_total{reason=\"duplicate\"} 1\n"))
    #expect(text.contains("nearby_tag_present{tag=\"tag7\"} 1\n"))
    #expect(text.contains("nearby_tag_present{tag=\"tag8\"} 0\n"))
    #expect(text.contains("nearby_room_tags{room=\"hall\"} 1\n"))
    #expect(text.hasSuffix("\n"))
  }
}
