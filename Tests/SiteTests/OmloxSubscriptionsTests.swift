import Foundation
import NearbySite
import Testing

@Suite("Subscriptions as at an omlox hub")
struct OmloxSubscriptionsTests {
  private let plan: SitePlan
  private var subscriptions: OmloxSubscriptions

  init() throws {
    plan = try SitePlan(parsing: exampleSite, file: "site.json")
    subscriptions = OmloxSubscriptions(OmloxText(plan))
  }

  private func report(_ tag: Int) -> SiteReport {
    let position = SitePosition(
      position: SIMD3(1, 2, 1), velocity: nil, covariance: (0.01, 0.01, 0.1, 0, 0, 0), floor: 0,
      source: .ultraWideband, time: 100)
    return SiteReport(tag: tag, time: 100, position: position, nearest: nil, room: nil, isRoomNew: false)
  }

  private func event(_ kind: SiteFenceEvent.Kind, seconds: Double = 0) -> SiteFenceEvent {
    SiteFenceEvent(kind: kind, tag: 0, fence: 0, time: 100, seconds: seconds, position: report(0).position)
  }

  private static func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("A subscription is confirmed with a number, and its messages carry it")
  mutating func locations() throws {
    let answer = subscriptions.received(#"{"event":"subscribe","topic":"location_updates","params":{}}"#)
    #expect(answer == #"{"event":"subscribed","topic":"location_updates","subscription_id":1}"#)
    let messages = subscriptions.messages([report(0)], [event(.enter)])
    let message = try Self.object(try #require(messages.first))
    #expect(messages.count == 1 && message["event"] as? String == "message")
    #expect(message["subscription_id"] as? Int == 1)
    let payload = try #require(message["payload"] as? [[String: Any]])
    #expect(payload.first?["provider_id"] as? String == plan.tags[0].id)
  }

  @Test("Filters let through one provider, one trackable, one type, one fence")
  mutating func filters() {
    let id = plan.tags[0].id
    _ = subscriptions.received(
      #"{"event":"subscribe","topic":"location_updates","params":{"provider_id":"\#(id)"}}"#)
    #expect(subscriptions.messages([report(0)], []).count == 1)
    #expect(subscriptions.messages([report(1)], []).isEmpty)
    _ = subscriptions.received(
      #"{"event":"subscribe","topic":"location_updates","params":{"provider_type":"ibeacon"}}"#)
    #expect(subscriptions.messages([report(0)], []).count == 1)
    _ = subscriptions.received(
      #"{"event":"subscribe","topic":"fence_events","params":{"fence_id":"\#(plan.fences[0].id)"}}"#)
    _ = subscriptions.received(#"{"event":"subscribe","topic":"fence_events","params":{"fence_id":"none"}}"#)
    #expect(subscriptions.messages([], [event(.enter)]).count == 1)
  }

  @Test("Fence events have omlox's names and times; a dwell is none of them")
  mutating func fences() throws {
    _ = subscriptions.received(#"{"event":"subscribe","topic":"fence_events"}"#)
    #expect(subscriptions.messages([], [event(.dwell, seconds: 5)]).isEmpty)
    let messages = subscriptions.messages([], [event(.enter), event(.exit, seconds: 30)])
    let message = try Self.object(try #require(messages.first))
    let payload = try #require(message["payload"] as? [[String: Any]])
    #expect(payload.map { $0["event_type"] as? String } == ["region_entry", "region_exit"])
    #expect(payload[1]["entry_time"] as? String == "1970-01-01T00:01:10.000Z")
    #expect(payload[1]["exit_time"] as? String == "1970-01-01T00:01:40.000Z")
  }

  @Test("GeoJSON comes as a collection of features", arguments: ["location_updates", "fence_events"])
  mutating func geoJSON(_ topic: String) throws {
    _ = subscriptions.received(#"{"event":"subscribe","topic":"\#(topic):geojson"}"#)
    let messages = subscriptions.messages([report(0)], [event(.enter)])
    let message = try Self.object(try #require(messages.first))
    let collection = try #require((message["payload"] as? [[String: Any]])?.first)
    let feature = try #require((collection["features"] as? [[String: Any]])?.first)
    let geometry = try #require(feature["geometry"] as? [String: Any])
    #expect(geometry["type"] as? String == (topic == "fence_events" ? "Polygon" : "Point"))
    #expect(feature["properties"] != nil && collection["type"] as? String == "FeatureCollection")
  }

  @Test(
    "What is wrong is told with the specification's code",
    arguments: [
      ("no JSON", 10_005), ("[]", 10_005), ("{}", 10_000), (#"{"event":"dance"}"#, 10_000),
      (#"{"event":"subscribe"}"#, 10_001), (#"{"event":"subscribe","topic":"collision_events"}"#, 10_001),
      (#"{"event":"subscribe","topic":"fence_events","params":7}"#, 10_002),
      (#"{"event":"subscribe","topic":"fence_events","params":{"colour":"red"}}"#, 10_002),
      (#"{"event":"unsubscribe","subscription_id":9}"#, 10_003),
      (#"{"event":"unsubscribe","subscription_id":"1"}"#, 10_003),
      (#"{"event":"message","topic":"location_updates","payload":[]}"#, 10_004),
    ])
  mutating func errors(_ text: String, _ code: Int) throws {
    let answer = try Self.object(subscriptions.received(text))
    #expect(answer["event"] as? String == "error" && answer["code"] as? Int == code)
    #expect(!(answer["description"] as? String ?? "").isEmpty && subscriptions.isEmpty)
  }

  @Test("A subscription ends, and a program has at most 64")
  mutating func bounds() throws {
    for _ in 0..<64 { _ = subscriptions.received(#"{"event":"subscribe","topic":"trackable_motions"}"#) }
    let full = try Self.object(subscriptions.received(#"{"event":"subscribe","topic":"fence_events"}"#))
    #expect(full["code"] as? Int == 10_002)
    #expect(subscriptions.messages([report(0)], []).count == 64)
    let gone = subscriptions.received(#"{"event":"unsubscribe","subscription_id":7}"#)
    #expect(gone == #"{"event":"unsubscribed","topic":"trackable_motions","subscription_id":7}"#)
    #expect(subscriptions.messages([report(0)], []).count == 63)
    let long = try Self.object(subscriptions.received(String(repeating: " ", count: 20_000)))
    #expect(long["code"] as? Int == 10_005)
  }
}
