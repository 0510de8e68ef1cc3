import NearbyScenarios
import NearbyTextForms

/// The subscriptions of one program on the WebSocket of the omlox hub's interface.
///
/// A pure machine: what the program says goes in, answers and messages come out. Source: omlox hub API 2.0.0, "WebSocket
/// API".
package struct OmloxSubscriptions: Sendable {
  package enum Topic: String, CaseIterable, Sendable {
    case locations = "location_updates"
    case locationsGeoJSON = "location_updates:geojson"
    case fences = "fence_events"
    case fencesGeoJSON = "fence_events:geojson"
    case motions = "trackable_motions"
  }

  /// The specification's error codes.
  package enum ErrorCode: Int, Sendable {
    case unknownEvent = 10_000
    case unknownTopic = 10_001
    case subscriptionFailed = 10_002
    case unsubscriptionFailed = 10_003
    case notAuthorized = 10_004
    case invalidPayload = 10_005
  }

  /// What a subscription is limited to; `nil` for everything.
  private struct Filter: Equatable, Sendable {
    var provider: String?
    var providerType: String?
    var trackable: String?
    var fence: String?
    var source: String?
  }

  private struct Subscription: Sendable {
    var id: Int
    var topic: Topic
    var filter: Filter
  }

  /// Subscriptions of one program, and octets of a message from it.
  package static let most = 64
  package static let longest = 16_384

  private let text: OmloxText
  private var subscriptions: [Subscription] = []
  private var lastID = 0

  package init(_ text: OmloxText) { self.text = text }

  // MARK: What the program says

  /// - Returns: The answer.
  package mutating func received(_ message: String) -> String {
    guard message.utf8.count <= Self.longest, let json = try? LocatedJSON(parsing: message),
      case .object(let members) = json.value
    else { return Self.error(.invalidPayload, "expected a JSON object") }
    func string(_ key: String) -> String? {
      if case .string(let text)? = members.first(where: { $0.key == key })?.value.value { text } else { nil }
    }
    switch string("event") {
    case "subscribe": return subscribe(string("topic"), members.first { $0.key == "params" }?.value)
    case "unsubscribe":
      return unsubscribe(members.first { $0.key == "subscription_id" }?.value.value)
    case "message": return Self.error(.notAuthorized, "this hub takes its locations from the site's gateways")
    case let event?:
      return Self.error(.unknownEvent, "'\(event.prefix(40))': expected subscribe or unsubscribe")
    case nil: return Self.error(.unknownEvent, "expected an event: subscribe or unsubscribe")
    }
  }

  private mutating func subscribe(_ name: String?, _ params: LocatedJSON?) -> String {
    guard let topic = name.flatMap(Topic.init) else {
      let names = Topic.allCases.map(\.rawValue).joined(separator: ", ")
      return Self.error(.unknownTopic, "'\((name ?? "").prefix(60))': expected one of \(names)")
    }
    guard subscriptions.count < Self.most else {
      return Self.error(.subscriptionFailed, "at most \(Self.most) subscriptions")
    }
    var filter = Filter()
    switch params?.value {
    case nil, .null: break
    case .object(let members):
      for member in members {
        guard case .string(let text) = member.value.value, let key = Self.filters[member.key] else {
          return Self.error(
            .subscriptionFailed,
            "params: '\(member.key.prefix(40))': expected \(Self.filters.keys.sorted().joined(separator: ", "))"
          )
        }
        filter[keyPath: key] = text
      }
    case _: return Self.error(.subscriptionFailed, "params: expected an object")
    }
    lastID += 1
    subscriptions.append(Subscription(id: lastID, topic: topic, filter: filter))
    return Self.confirmation("subscribed", topic, lastID)
  }

  private static var filters: [String: WritableKeyPath<Filter, String?>] {
    [
      "provider_id": \.provider, "provider_type": \.providerType, "trackable_id": \.trackable,
      "fence_id": \.fence, "source": \.source,
    ]
  }

  private mutating func unsubscribe(_ id: LocatedJSON.Value?) -> String {
    guard case .number(let number)? = id,
      let index = subscriptions.firstIndex(where: { Double($0.id) == number })
    else { return Self.error(.unsubscriptionFailed, "subscription_id: expected one of this connection's") }
    let gone = subscriptions.remove(at: index)
    return Self.confirmation("unsubscribed", gone.topic, gone.id)
  }

  private static func confirmation(_ event: String, _ topic: Topic, _ id: Int) -> String {
    var line = JSONLine()
    line.add("event", text: event)
    line.add("topic", text: topic.rawValue)
    line.add("subscription_id", id)
    return line.closed()
  }

  private static func error(_ code: ErrorCode, _ description: String) -> String {
    var line = JSONLine()
    line.add("event", text: "error")
    line.add("code", code.rawValue)
    line.add("description", text: description)
    return line.closed()
  }

  // MARK: What the program hears

  package var isEmpty: Bool { subscriptions.isEmpty }

  /// The messages about reports and fence events, one a subscription that has something to hear.
  package func messages(_ reports: [SiteReport], _ events: [SiteFenceEvent]) -> [String] {
    subscriptions.compactMap { subscription in
      let items: [String] =
        switch subscription.topic {
        case .locations:
          reports.filter { accepts($0, subscription.filter) }.compactMap { text.location($0) }
        case .locationsGeoJSON:
          reports.filter { accepts($0, subscription.filter) }.compactMap { text.locationFeature($0) }
        case .motions: reports.filter { accepts($0, subscription.filter) }.compactMap { text.motion($0) }
        case .fences: events.filter { accepts($0, subscription.filter) }.compactMap { text.fenceEvent($0) }
        case .fencesGeoJSON:
          events.filter { accepts($0, subscription.filter) }.compactMap { text.fenceFeature($0) }
        }
      guard !items.isEmpty else { return nil }
      var line = JSONLine()
      line.add("event", text: "message")
      line.add("topic", text: subscription.topic.rawValue)
      line.add("subscription_id", subscription.id)
      let list = items.joined(separator: ",")
      let isGeoJSON = subscription.topic.rawValue.hasSuffix(":geojson")
      line.add(
        "payload",
        json: isGeoJSON ? #"[{"type":"FeatureCollection","features":[\#(list)]}]"# : "[\(list)]")
      return line.closed()
    }
  }

  private func accepts(_ report: SiteReport, _ filter: Filter) -> Bool {
    guard let position = report.position, filter.fence == nil else { return false }
    return accepts(tag: report.tag, filter)
      && (filter.providerType.map { $0 == position.source.rawValue } ?? true)
  }

  private func accepts(_ event: SiteFenceEvent, _ filter: Filter) -> Bool {
    accepts(tag: event.tag, filter)
      && (filter.fence.map { text.fence(named: $0) == event.fence } ?? true)
      && (filter.providerType.map { $0 == event.position?.source.rawValue } ?? true)
  }

  private func accepts(tag: Int, _ filter: Filter) -> Bool {
    (filter.provider.map { $0 == text.provider(tag) } ?? true)
      && (filter.trackable.map { text.tag(ofTrackable: $0) == tag } ?? true)
      && (filter.source.map { $0 == text.source } ?? true)
  }
}
