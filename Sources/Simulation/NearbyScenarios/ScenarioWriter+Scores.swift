import NearbyTextForms

extension ScenarioWriter {
  func text(_ score: Scenario.Score) -> String {
    var line = JSONLine()
    line.add("name", text: score.name)
    switch score.measure {
    case .error(let quantile):
      line.add("of", text: "error")
      line.add("quantile", exactly: quantile)
    case .directionError(let quantile):
      line.add("of", text: "directionError")
      line.add("quantile", exactly: quantile)
    case .bias: line.add("of", text: "bias")
    case .coverage: line.add("of", text: "coverage")
    case .directionCoverage: line.add("of", text: "directionCoverage")
    case .heard: line.add("of", text: "heard")
    case .firstDistance: line.add("of", text: "firstDistance")
    case .longestGap: line.add("of", text: "longestGap")
    case .event(let event):
      line.add("of", text: "event")
      line.add("event", text: event.rawValue)
    case .events(let event):
      line.add("of", text: "events")
      line.add("event", text: event.rawValue)
    }
    if let device = score.device { line.add("device", text: scenario.devices[device].name) }
    if let peer = score.peer { line.add("peer", text: scenario.devices[peer].name) }
    if let path = score.path { line.add("path", text: path.rawValue) }
    line.add("from", exactly: score.from / .seconds(1))
    if let to = score.to { line.add("to", exactly: to / .seconds(1)) }
    if let bound = score.atLeast { line.add("atLeast", exactly: bound) }
    if let bound = score.atMost { line.add("atMost", exactly: bound) }
    return line.closed()
  }
}
