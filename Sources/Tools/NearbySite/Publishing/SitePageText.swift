import NearbyTextForms

/// What the site's page receives: the plan once, then the state of all tags.
package enum SitePageText {
  /// `site`, and lists of `rooms`, `fences`, `receivers` and `tags`; metres in the site's frame.
  package static func plan(_ plan: SitePlan) -> String {
    var line = JSONLine()
    line.add("kind", text: "plan")
    line.add("site", text: plan.name)
    line.add("rooms", json: list(plan.rooms.map { area($0.name, $0.floor, $0.outline) }))
    line.add("fences", json: list(plan.fences.map { area($0.name, $0.floor, $0.outline) }))
    line.add(
      "receivers",
      json: list(
        plan.receivers.map { receiver in
          var one = JSONLine()
          one.add("name", text: receiver.id)
          one.add("floor", receiver.floor)
          one.add("at", json: place(receiver.position.x, receiver.position.y))
          return one.closed()
        }))
    line.add("tags", json: JSONArray.of(plan.tags.map(\.name)))
    return line.closed()
  }

  /// The tags that are heard, and how many are in each fence.
  package static func state(_ plan: SitePlan, _ reports: [SiteReport], _ occupants: [[Int]]) -> String {
    var line = JSONLine()
    line.add("kind", text: "state")
    line.add("tags", json: list(reports.map { tag($0, plan) }))
    line.add("fences", json: list(occupants.map { String($0.count) }))
    return line.closed()
  }

  private static func tag(_ report: SiteReport, _ plan: SitePlan) -> String {
    var line = JSONLine()
    line.add("tag", report.tag)
    line.add("room", text: report.room.map { plan.rooms[$0].name })
    if let position = report.position {
      line.add("at", json: place(position.position.x, position.position.y))
      line.add("z", position.position.z, decimals: 2)
      line.add("floor", position.floor)
      line.add("accuracy", position.accuracy, decimals: 2)
      line.add("source", text: position.source.rawValue)
    }
    if let nearest = report.nearest {
      line.add("receiver", text: plan.receivers[nearest.receiver].id)
      line.add("distance", nearest.metres, decimals: 2)
    }
    return line.closed()
  }

  private static func area(_ name: String, _ floor: Int, _ outline: SiteOutline) -> String {
    var line = JSONLine()
    line.add("name", text: name)
    line.add("floor", floor)
    line.add("outline", json: list(outline.corners.map { place($0.x, $0.y) }))
    return line.closed()
  }

  private static func place(_ x: Double, _ y: Double) -> String {
    "[\(NumberFormat.fixed(x, 2)),\(NumberFormat.fixed(y, 2))]"
  }

  private static func list(_ parts: [String]) -> String { "[" + parts.joined(separator: ",") + "]" }
}
