/// What `nearby demo` prints.
enum DemoText {
  static func line(_ report: DemoReport) -> String {
    let time = NumberFormat.padded(NumberFormat.fixed(report.time / .seconds(1), 2), 7)
    return "\(time) s  \(report.observer) → \(report.peer)  \(words(report))"
  }

  /// Without time and names.
  static func words(_ report: DemoReport) -> String {
    switch report.event {
    case .running: return "runs"
    case .removed(let timeout): return timeout ? "is gone: nothing heard" : "is gone: ended by the peer"
    case .suspended: return "suspended"
    case .suspensionEnded: return "suspension ended"
    case .invalidated(let code): return "invalidated with code \(code)"
    case .update(let distance, let direction):
      let metres = NumberFormat.padded(LiveView.distanceText(distance.map(Double.init)), 6)
      guard let direction else { return "\(metres) m  ·  direction unknown" }
      var state = LiveState(observer: report.observer, peer: report.peer)
      state.updated(at: report.time, distance: nil, direction: SIMD3<Double>(direction))
      return "\(metres) m  \(LiveView.directionText(state))"
    }
  }

  static func json(_ report: DemoReport) -> String {
    var line = JSONLine()
    line.add("t", report.time / .seconds(1), decimals: 6)
    line.add("observer", text: report.observer)
    line.add("peer", text: report.peer)
    switch report.event {
    case .running: line.add("event", text: "running")
    case .removed(let timeout):
      line.add("event", text: "removed")
      line.add("reason", text: timeout ? "timeout" : "peerEnded")
    case .suspended: line.add("event", text: "suspended")
    case .suspensionEnded: line.add("event", text: "suspensionEnded")
    case .invalidated(let code):
      line.add("event", text: "invalidated")
      line.add("code", code)
    case .update(let distance, let direction):
      line.add("event", text: "update")
      line.add("distance", distance.map(Double.init), decimals: 4)
      line.add("direction", json: direction.map(vector) ?? "null")
    }
    return line.closed()
  }

  private static func vector(_ direction: SIMD3<Float>) -> String {
    let parts = [direction.x, direction.y, direction.z].map { NumberFormat.fixed(Double($0), 4) }
    return "[" + parts.joined(separator: ",") + "]"
  }
}
