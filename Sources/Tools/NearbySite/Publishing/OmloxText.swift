import NearbySchedule
import NearbyTextForms

/// A site as the omlox hub's interface shows it: locations, providers, trackables and fences.
///
/// Each tag is a provider of locations and a trackable. Places are in the site's own frame (`crs` `local`) in a zone
/// named like the site, or on the globe if the plan has an origin. Source: omlox hub API 2.0.0, schemas `Location`,
/// `LocationProvider`, `Trackable` and `Fence`.
package struct OmloxText: Sendable {
  private let plan: SitePlan

  package init(_ plan: SitePlan) { self.plan = plan }

  /// A UUID that is always the same for one id of a site.
  private func identifier(_ kind: String, _ id: String) -> String {
    let (high, low) = (
      StableHash.of("\(plan.name)/\(kind)/\(id)"), StableHash.of("\(id)/\(plan.name)/\(kind)")
    )
    func hex(_ value: UInt64, _ digits: Int) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }
    // Version 8 of RFC 9562: the bits are the maker's own.
    return "\(hex(high >> 32, 8))-\(hex(high >> 16 & 0xFFFF, 4))-8\(hex(high & 0xFFF, 3))-"
      + "\(hex(0x8000 | low >> 48 & 0x3FFF, 4))-\(hex(low & 0xFFFF_FFFF_FFFF, 12))"
  }

  /// `YYYY-MM-DDThh:mm:ss.sssZ`.
  static func time(_ seconds: Double) -> String {
    let milliseconds = Int64(max(0, min(seconds, 253_402_300_799)) * 1000)
    let (days, rest) = (milliseconds / 86_400_000, milliseconds % 86_400_000)
    // Civil date from days since 1970, with years that begin in March, so that a leap day is the last one.
    let z = days + 719_468
    let era = z / 146_097
    let day = z - era * 146_097
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let ofYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    let date = ofYear - (153 * month + 2) / 5 + 1
    let civilMonth = month < 10 ? month + 3 : month - 9
    let civilYear = year + era * 400 + (civilMonth <= 2 ? 1 : 0)
    func two(_ value: Int64, _ digits: Int = 2) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }
    return "\(two(civilYear, 4))-\(two(civilMonth))-\(two(date))T\(two(rest / 3_600_000)):"
      + "\(two(rest / 60_000 % 60)):\(two(rest / 1000 % 60)).\(two(rest % 1000, 3))Z"
  }

  private func point(_ position: SitePosition) -> String {
    var point = JSONLine()
    point.add("type", text: "Point")
    var coordinates = [position.position.x, position.position.y, position.position.z]
    if let origin = plan.origin {
      let globe = origin.globe(position.position)
      coordinates = [globe.longitude, globe.latitude, position.position.z - plan.level(of: position.floor)]
    }
    // To a millimetre, also in degrees.
    let scale = plan.origin == nil ? 1e3 : 1e8
    let texts = coordinates.map { "\(($0 * scale).rounded() / scale)" }
    point.add("coordinates", json: "[" + texts.joined(separator: ",") + "]")
    return point.closed()
  }

  /// A `Location`; `nil` without a position.
  package func location(_ report: SiteReport) -> String? {
    guard let position = report.position else { return nil }
    var line = JSONLine()
    line.add("position", json: point(position))
    line.add("source", text: plan.name)
    line.add("provider_type", text: position.source.rawValue)
    line.add("provider_id", text: plan.tags[report.tag].id)
    line.add("timestamp_generated", text: Self.time(report.time))
    line.add("crs", text: plan.origin == nil ? "local" : "EPSG:4326")
    line.add("accuracy", position.accuracy, decimals: 2)
    line.add("floor", position.floor)
    if let velocity = position.velocity {
      line.add("speed", (velocity * velocity).sum().squareRoot(), decimals: 2)
    }
    line.add("trackables", json: JSONArray.of([identifier("trackable", plan.tags[report.tag].id)]))
    return line.closed()
  }

  package func locations(_ reports: [SiteReport]) -> String {
    "[" + reports.compactMap { location($0) }.joined(separator: ",") + "]"
  }

  /// The tags as `LocationProvider`s.
  package var providers: String { "[" + plan.tags.map { provider($0) }.joined(separator: ",") + "]" }

  private func provider(_ tag: SitePlan.Tag) -> String {
    var line = JSONLine()
    line.add("id", text: tag.id)
    line.add("type", text: tag.aliases.contains { $0.hasPrefix("iBeacon:") } ? "ibeacon" : "uwb")
    line.add("name", text: tag.name)
    return line.closed()
  }

  /// The tags as `Trackable`s.
  package var trackables: String { "[" + plan.tags.map { trackable($0) }.joined(separator: ",") + "]" }

  private func trackable(_ tag: SitePlan.Tag) -> String {
    var line = JSONLine()
    line.add("id", text: identifier("trackable", tag.id))
    line.add("type", text: "omlox")
    line.add("name", text: tag.name)
    line.add("location_providers", json: JSONArray.of([tag.id]))
    return line.closed()
  }

  /// The tag of a trackable's id.
  func tag(ofTrackable id: String) -> Int? {
    plan.tags.firstIndex { identifier("trackable", $0.id) == id }
  }

  /// The fences as `Fence`s, in the site's frame.
  package var fences: String { "[" + plan.fences.map { fence($0) }.joined(separator: ",") + "]" }

  private func fence(_ fence: SitePlan.Fence) -> String {
    var line = JSONLine()
    line.add("id", text: identifier("fence", fence.id))
    line.add("foreign_id", text: fence.id)
    line.add("name", text: fence.name)
    line.add("region", json: region(fence))
    line.add("crs", text: "local")
    line.add("floor", fence.floor)
    line.add("exit_delay", exactly: fence.exitDelay * 1000)
    return line.closed()
  }

  // MARK: For subscriptions

  /// The source of all locations: the site.
  var source: String { plan.name }

  func provider(_ tag: Int) -> String { plan.tags[tag].id }

  /// The fence with an id, also that of the configuration.
  func fence(named id: String) -> Int? {
    plan.fences.firstIndex { identifier("fence", $0.id) == id || $0.id == id }
  }

  /// A `Location` as a feature of GeoJSON (RFC 7946); `nil` without a position.
  func locationFeature(_ report: SiteReport) -> String? {
    guard let position = report.position, let location = location(report) else { return nil }
    return Self.feature(point(position), location)
  }

  /// A `TrackableMotion`; `nil` without a position.
  func motion(_ report: SiteReport) -> String? {
    guard let location = location(report) else { return nil }
    var line = JSONLine()
    line.add("id", text: identifier("trackable", plan.tags[report.tag].id))
    line.add("name", text: plan.tags[report.tag].name)
    line.add("location", json: location)
    return line.closed()
  }

  /// A `FenceEvent`; `nil` for a dwell, which omlox does not have.
  func fenceEvent(_ event: SiteFenceEvent) -> String? {
    guard event.kind != .dwell else { return nil }
    let fence = plan.fences[event.fence]
    var line = JSONLine()
    line.add(
      "id", text: identifier("event", "\(event.tag) \(event.fence) \(event.kind.rawValue) \(event.time)"))
    line.add("fence_id", text: identifier("fence", fence.id))
    line.add("foreign_id", text: fence.id)
    line.add("fence_name", text: fence.name)
    line.add("provider_id", text: plan.tags[event.tag].id)
    line.add("trackables", json: JSONArray.of([identifier("trackable", plan.tags[event.tag].id)]))
    line.add("event_type", text: event.kind == .enter ? "region_entry" : "region_exit")
    line.add("entry_time", text: Self.time(event.time - event.seconds))
    if event.kind == .exit { line.add("exit_time", text: Self.time(event.time)) }
    return line.closed()
  }

  /// A `FenceEvent` as a feature of GeoJSON, with the fence's region.
  func fenceFeature(_ event: SiteFenceEvent) -> String? {
    fenceEvent(event).map { Self.feature(region(plan.fences[event.fence]), $0) }
  }

  private static func feature(_ geometry: String, _ properties: String) -> String {
    var line = JSONLine()
    line.add("type", text: "Feature")
    line.add("geometry", json: geometry)
    line.add("properties", json: properties)
    return line.closed()
  }

  private func region(_ fence: SitePlan.Fence) -> String {
    var region = JSONLine()
    region.add("type", text: "Polygon")
    let corners = fence.outline.corners + fence.outline.corners.prefix(1)
    let places = corners.map { "[\(NumberFormat.fixed($0.x, 3)),\(NumberFormat.fixed($0.y, 3))]" }
    region.add("coordinates", json: "[[" + places.joined(separator: ",") + "]]")
    return region.closed()
  }

  /// The site as a `Zone`, the only one.
  package var zones: String { "[\(zone)]" }

  private var zone: String {
    var line = JSONLine()
    line.add("id", text: identifier("zone", plan.name))
    line.add("type", text: "uwb")
    line.add("foreign_id", text: plan.name)
    line.add("name", text: plan.name)
    return line.closed()
  }

  /// The answer to GET of a path below `/v2`; `nil` if there is no such thing.
  ///
  /// - Parameters:
  ///   - reports: The present reports of the tags that are heard.
  ///   - occupants: The tags in each fence.
  package func answer(_ path: String, reports: [SiteReport], occupants: [[Int]]) -> String? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 3, parts[1] == "v2" else { return nil }
    func report(ofTag tag: Int?) -> String? {
      guard let tag else { return nil }
      return reports.first { $0.tag == tag }.flatMap { location($0) }
    }
    let id = parts.count > 3 ? parts[3] : ""
    switch (parts[2], parts.count, parts.last) {
    case ("zones", 3, _), ("zones", 4, "summary"): return zones
    case ("zones", 4, _): return id == plan.name || id == identifier("zone", plan.name) ? zone : nil
    case ("providers", 3, _), ("providers", 4, "summary"): return providers
    case ("providers", 4, "locations"): return locations(reports)
    case ("providers", 4, _): return plan.tags.first { $0.id == id }.map { provider($0) }
    case ("providers", 5, "location"): return report(ofTag: plan.tags.firstIndex { $0.id == id })
    case ("providers", 5, "fences"): return fences(around: plan.tags.firstIndex { $0.id == id }, occupants)
    case ("trackables", 3, _), ("trackables", 4, "summary"): return trackables
    case ("trackables", 4, "motions"):
      return "[" + reports.compactMap { motion($0) }.joined(separator: ",") + "]"
    case ("trackables", 4, _): return tag(ofTrackable: id).map { trackable(plan.tags[$0]) }
    case ("trackables", 5, "location"): return report(ofTag: tag(ofTrackable: id))
    case ("trackables", 5, "locations"): return report(ofTag: tag(ofTrackable: id)).map { "[\($0)]" }
    case ("trackables", 5, "motion"):
      return reports.first { $0.tag == tag(ofTrackable: id) }.flatMap { motion($0) }
    case ("trackables", 5, "providers"): return tag(ofTrackable: id).map { "[\(provider(plan.tags[$0]))]" }
    case ("trackables", 5, "fences"): return fences(around: tag(ofTrackable: id), occupants)
    case ("fences", 3, _), ("fences", 4, "summary"): return fences
    case ("fences", 4, _): return fence(named: id).map { fence(plan.fences[$0]) }
    case ("fences", 5, "providers"):
      return fence(named: id).map { JSONArray.of(occupants[$0].map { plan.tags[$0].id }) }
    case ("fences", 5, "trackables"):
      return fence(named: id).map {
        JSONArray.of(occupants[$0].map { identifier("trackable", plan.tags[$0].id) })
      }
    case ("fences", 5, "locations"):
      return fence(named: id).map { index in locations(reports.filter { occupants[index].contains($0.tag) }) }
    default: return nil
    }
  }

  /// The fences that a tag is in.
  private func fences(around tag: Int?, _ occupants: [[Int]]) -> String? {
    guard let tag else { return nil }
    let around = plan.fences.indices.filter { occupants[$0].contains(tag) }
    return "[" + around.map { fence(plan.fences[$0]) }.joined(separator: ",") + "]"
  }
}
