import NearbyTextForms

/// The site's own topics: positions, states and fence events as JSON; the same lines make up the history.
package struct SiteText: Sendable {
  private let plan: SitePlan
  private let topics: SiteTopics

  package init(_ plan: SitePlan) {
    self.plan = plan
    topics = SiteTopics(site: plan.name)
  }

  /// The message about a position; `nil` without one.
  package func position(_ report: SiteReport) -> SiteMessage? {
    guard let position = report.position else { return nil }
    var line = JSONLine()
    line.add("t", report.time, decimals: 3)
    add(position, to: &line)
    return SiteMessage(topic: topics.position(plan.tags[report.tag].id), payload: line.closed())
  }

  private func add(_ position: SitePosition, to line: inout JSONLine) {
    line.add("x", position.position.x, decimals: 3)
    line.add("y", position.position.y, decimals: 3)
    line.add("z", position.position.z, decimals: 3)
    let c = position.covariance
    var sigma = JSONArray()
    for value in [c.xx, c.yy, c.zz] { sigma.add(value.squareRoot()) }
    line.add("s", json: sigma.closed())
    line.add("floor", position.floor)
    line.add("crs", text: "local")
  }

  /// A line of the history: one report.
  package func line(_ report: SiteReport) -> String {
    var line = JSONLine()
    line.add("kind", text: "position")
    line.add("t", report.time, decimals: 3)
    line.add("tag", text: plan.tags[report.tag].id)
    if let position = report.position {
      add(position, to: &line)
      line.add("source", text: position.source.rawValue)
    }
    line.add("room", text: report.room.map { plan.rooms[$0].id })
    if let nearest = report.nearest {
      line.add("receiver", text: plan.receivers[nearest.receiver].id)
      line.add("distance", nearest.metres, decimals: 2)
    }
    return line.closed()
  }

  /// A line of the history: one fence event.
  package func line(_ event: SiteFenceEvent) -> String {
    var line = JSONLine()
    line.add("kind", text: event.kind.rawValue)
    line.add("t", event.time, decimals: 3)
    line.add("tag", text: plan.tags[event.tag].id)
    line.add("fence", text: plan.fences[event.fence].id)
    if event.kind != .enter { line.add("seconds", event.seconds, decimals: 1) }
    return line.closed()
  }

  /// A line of the history for each output.
  package func line(_ output: SiteOutput) -> String {
    switch output {
    case .report(let report): return line(report)
    case .fence(let event): return line(event)
    case .appeared(let tag, let time): return presence("appeared", tag, time)
    case .vanished(let tag, let time): return presence("vanished", tag, time)
    }
  }

  private func presence(_ kind: String, _ tag: Int, _ time: Double) -> String {
    var line = JSONLine()
    line.add("kind", text: kind)
    line.add("t", time, decimals: 3)
    line.add("tag", text: plan.tags[tag].id)
    return line.closed()
  }
}
