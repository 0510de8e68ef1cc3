import NearbyPlots
import NearbyTextForms

/// The output of `nearby demo`.
enum DemoText {
  static func line(_ report: DemoReport) -> String {
    let time = NumberFormat.padded(NumberFormat.fixed(report.time / .seconds(1), 2), 7)
    return "\(time) s  \(report.observer) → \(report.peer)  \(words(report))"
  }

  /// Without time and names.
  static func words(_ report: DemoReport) -> String {
    switch report.event {
    case .running: return "session running"
    case .removed(let timeout): return timeout ? "removed: timed out" : "removed: the peer ended its session"
    case .suspended: return "session suspended"
    case .suspensionEnded: return "session suspension ended"
    case .invalidated(let code): return "session invalidated with code \(code)"
    case .guidance(let guidance): return words(guidance)
    case .update(let distance, let direction):
      let metres = NumberFormat.padded(LiveView.distanceText(distance.map(Double.init)), 6)
      guard let direction else { return "\(metres) m  ·  direction unknown" }
      var state = LiveState(observer: report.observer, peer: report.peer)
      state.updated(at: report.time, distance: nil, direction: SIMD3<Double>(direction))
      return "\(metres) m  \(LiveView.directionText(state))"
    }
  }

  private static func words(_ guidance: DemoReport.Guidance) -> String {
    let metres = NumberFormat.padded(LiveView.distanceText(guidance.distance.map(Double.init)), 6) + " m"
    let side = guidance.angle.map { angle in
      let degrees = NumberFormat.fixed(abs(Trigonometry.degrees(Double(angle))), 0)
      return "\(LiveView.arrow(azimuth: Double(angle)))  \(degrees)° \(angle < 0 ? "left" : "right")"
    }
    return "\(metres)  \(side ?? "·")  \(instruction(guidance))"
  }

  /// The app's instruction to the visitor.
  static func instruction(_ guidance: DemoReport.Guidance) -> String {
    switch guidance.phase {
    case "moveSideToSide": return "move the phone from side to side"
    case "followArrow": return "follow the arrow"
    case "moveUpAndDown": return "move the phone up and down"
    case "placed":
      let error = guidance.sphereError.map { ", \(NumberFormat.fixed($0, 2)) m off" }
      return "here it is: sphere placed\(error ?? "")"
    case "connecting": return "waiting for the exhibit"
    default: return guidance.phase
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
    case .guidance(let guidance):
      line.add("event", text: "guidance")
      line.add("phase", text: guidance.phase)
      line.add("distance", guidance.distance.map(Double.init), decimals: 4)
      line.add("horizontalAngle", guidance.angle.map(Double.init), decimals: 4)
      line.add("missing", json: "[" + guidance.missing.map { "\"\($0)\"" }.joined(separator: ",") + "]")
      line.add("sphereError", guidance.sphereError, decimals: 4)
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
