import Cerca
import Foundation
import NearbyTextForms
import simd

/// What one Cerca process shows at a time, as a line for people or programs.
struct CercaReport: Equatable, Sendable {
  /// Since its start.
  var time: Duration
  /// The process's own name.
  var name: String
  var state: CercaState

  /// For people.
  var line: String {
    let seconds = NumberFormat.padded(NumberFormat.fixed(time / .seconds(1), 2), 7)
    return "\(seconds) s  \(name)  \(words)"
  }

  var words: String {
    switch state {
    case .near(let sighting): "→ " + NearView(sighting: sighting).lines.joined(separator: "  ")
    case .meeting(let peer): "connected with \(peer)"
    case .unsupported, .searching, .lost, .suspended, .refused, .noNetwork, .failed:
      CercaView.lines(state).first ?? ""
    }
  }

  // MARK: JSON

  var json: String {
    var line = JSONLine()
    line.add("t", time / .seconds(1), decimals: 3)
    line.add("name", text: name)
    switch state {
    case .unsupported: line.add("state", text: "unsupported")
    case .searching: line.add("state", text: "searching")
    case .meeting(let peer): Self.add("meeting", peer, to: &line)
    case .near(let sighting):
      Self.add("near", sighting.peer, to: &line)
      line.add("distance", sighting.distance.map(Double.init), decimals: 4)
      line.add("direction", json: sighting.direction.map(Self.vector) ?? "null")
    case .lost(let peer): Self.add("lost", peer, to: &line)
    case .suspended: line.add("state", text: "suspended")
    case .refused: line.add("state", text: "refused")
    case .noNetwork: line.add("state", text: "noNetwork")
    case .failed(let reason):
      line.add("state", text: "failed")
      line.add("reason", text: reason)
    }
    return line.closed()
  }

  private static func add(_ state: String, _ peer: String, to line: inout JSONLine) {
    line.add("state", text: state)
    line.add("peer", text: peer)
  }

  private static func vector(_ direction: SIMD3<Float>) -> String {
    let parts = [direction.x, direction.y, direction.z].map { NumberFormat.fixed(Double($0), 4) }
    return "[" + parts.joined(separator: ",") + "]"
  }

  init(time: Duration, name: String, state: CercaState) {
    self.time = time
    self.name = name
    self.state = state
  }

  private struct Fields: Decodable {
    var t: Double
    var name: String
    var state: String
    var peer: String?
    var distance: Float?
    var direction: [Float]?
    var reason: String?
  }

  /// Parses the output of `json`; `nil` for other text.
  init?(json: String) {
    guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(json.utf8)) else { return nil }
    time = .milliseconds(Int64((min(max(fields.t, 0), 1e9) * 1000).rounded()))
    name = fields.name
    let peer = fields.peer ?? ""
    switch fields.state {
    case "unsupported": state = .unsupported
    case "searching": state = .searching
    case "meeting": state = .meeting(peer: peer)
    case "near":
      let direction = fields.direction.flatMap { $0.count == 3 ? SIMD3<Float>($0) : nil }
      state = .near(Sighting(peer: peer, distance: fields.distance, direction: direction))
    case "lost": state = .lost(peer: peer)
    case "suspended": state = .suspended
    case "refused": state = .refused
    case "noNetwork": state = .noNetwork
    case "failed": state = .failed(reason: fields.reason ?? "")
    default: return nil
    }
  }
}
