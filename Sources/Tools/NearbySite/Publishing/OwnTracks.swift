import NearbyBeacons
import NearbySchedule
import NearbyTextForms

/// Path loss in free space.
enum PathLoss {
  static func decibels(at metres: Double) -> Double { PathLossModel().loss(at: metres) }
}

/// Publishes tags as OwnTracks devices: locations, and transitions of fences.
///
/// Source: OwnTracks Booklet, "JSON", `_type` `location` and `transition`.
package struct OwnTracks: Sendable {
  private let plan: SitePlan
  private let user: String
  private let origin: SitePlan.Origin

  /// - Returns: `nil` if the plan has no origin: OwnTracks knows only places on the globe.
  package init?(_ plan: SitePlan, user: String) {
    guard let origin = plan.origin else { return nil }
    self.plan = plan
    self.user = user
    self.origin = origin
  }

  private func topic(_ tag: Int) -> String { "owntracks/\(user)/\(SiteTopics.plainID(plan.tags[tag].id))" }

  /// Two characters that stand for a tag on OwnTracks' map.
  private func letters(_ tag: Int) -> String {
    let plain = plan.tags[tag].id.filter { $0.isLetter || $0.isNumber }
    return plain.count >= 2 ? String(plain.suffix(2)) : String(("0" + plain + "0").prefix(2))
  }

  private func add(_ position: SitePosition, to line: inout JSONLine) {
    let globe = origin.globe(position.position)
    line.add("lat", exactly: (globe.latitude * 1e7).rounded() / 1e7)
    line.add("lon", exactly: (globe.longitude * 1e7).rounded() / 1e7)
    line.add("acc", max(position.accuracy, 1), decimals: 0)
  }

  /// The retained location; `nil` without a position.
  package func location(_ report: SiteReport) -> SiteMessage? {
    guard let position = report.position else { return nil }
    var line = JSONLine()
    line.add("_type", text: "location")
    add(position, to: &line)
    line.add("tst", report.time.rounded(.down), decimals: 0)
    line.add("tid", text: letters(report.tag))
    line.add("t", text: "b")
    if let room = report.room { line.add("inregions", json: JSONArray.of([plan.rooms[room].name])) }
    return SiteMessage(topic: topic(report.tag), payload: line.closed(), isRetained: true, quality: 1)
  }

  /// The transition; `nil` for a dwell, which OwnTracks does not know.
  package func transition(_ event: SiteFenceEvent) -> SiteMessage? {
    let name: String
    switch event.kind {
    case .enter: name = "enter"
    case .exit: name = "leave"
    case .dwell: return nil
    }
    var line = JSONLine()
    line.add("_type", text: "transition")
    line.add("event", text: name)
    line.add("desc", text: plan.fences[event.fence].name)
    line.add("rid", text: SiteTopics.plainID(plan.fences[event.fence].id))
    line.add("t", text: "b")
    if let position = event.position { add(position, to: &line) }
    line.add("tst", event.time.rounded(.down), decimals: 0)
    line.add("wtst", (event.time - event.seconds).rounded(.down), decimals: 0)
    line.add("tid", text: letters(event.tag))
    return SiteMessage(topic: topic(event.tag) + "/event", payload: line.closed(), quality: 1)
  }
}
