import NearbyTextForms
import NearbyWorldProtocol

/// A device's events as shown on the page's timeline.
enum WorldEventText {
  static func line(_ entry: WorldJournal.Entry) -> String {
    let (session, kind, text) = words(entry.event)
    var line = JSONLine()
    line.add("t", entry.time / .seconds(1), decimals: 3)
    line.add("device", entry.device)
    line.add("session", session)
    line.add("kind", text: kind)
    line.add("text", text: text)
    return line.closed()
  }

  private static func words(_ event: WorldEvent) -> (
    session: Int?, kind: String, text: String
  ) {
    switch event {
    case .joined(let program): return (nil, "joined", program)
    case .left: return (nil, "left", "")
    case .asked(let question): return (nil, "asked", "\(question)")
    case .askedToPick: return (nil, "asked", "accessory")
    case .reported(let report):
      let (kind, text) = words(report.event)
      return (Int(report.session), kind, text)
    }
  }

  private static func words(_ event: SessionReport.Event) -> (kind: String, text: String) {
    switch event {
    case .made: ("made", "")
    case .run: ("run", "")
    case .paused: ("pause", "")
    case .ended: ("invalidate", "by the app")
    case .updated(let sighting): ("didUpdate", words(sighting))
    case .convergence(let reasons, let ofPeer):
      (
        "didUpdateAlgorithmConvergence",
        (reasons == 0 ? "converged" : "not converged") + (ofPeer ? "" : ", the session")
      )
    case .removed(let didTimeOut): ("didRemove", didTimeOut ? "timeout" : "peerEnded")
    case .suspended: ("sessionWasSuspended", "")
    case .suspensionEnded: ("sessionSuspensionEnded", "")
    case .startedRunning: ("sessionDidStartRunning", "")
    case .invalidated(let error): ("didInvalidate", error)
    }
  }

  private static func words(_ sighting: Sighting) -> String {
    guard let distance = sighting.distance else { return "no distance" }
    return "\(NumberFormat.fixed(distance.metres, 2)) m" + (sighting.direction == nil ? "" : ", direction")
  }
}
