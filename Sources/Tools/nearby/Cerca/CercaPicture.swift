import Cerca
import NearbyCommandLine
import NearbyPlots
import NearbyTextForms
import simd

/// The screen of one Cerca process, drawn into a part of a terminal.
struct CercaPicture: Equatable, Sendable {
  private let name: String
  private var live: LiveState
  private(set) var state = CercaState.searching

  init(name: String) {
    self.name = name
    live = LiveState(observer: name, peer: "…")
  }

  mutating func update(_ report: CercaReport) {
    state = report.state
    live.time = report.time
    guard case .near(let sighting) = report.state else {
      let seconds = NumberFormat.fixed(report.time / .seconds(1), 1)
      return live.happened("\(seconds) s  \(report.words)", at: report.time)
    }
    live.peer = sighting.peer
    live.updated(
      at: report.time, distance: sighting.distance.map(Double.init),
      direction: sighting.direction.map(SIMD3<Double>.init))
  }

  /// The radar while a peer is in range; otherwise the state, and what to do about it.
  func canvas(columns: Int, rows: Int, footer: String) -> TextCanvas {
    if case .near = state {
      var live = live
      live.footer = footer
      return LiveView.canvas(live, columns: columns, rows: rows)
    }
    var canvas = TextCanvas(columns: columns, rows: rows)
    canvas.put(name, column: 1, row: 0, .strong)
    for (index, line) in CercaView.lines(state).enumerated() {
      canvas.put(line, column: 3, row: rows / 2 - 1 + index, index == 0 ? .strong : .plain)
    }
    canvas.put(footer, column: 1, row: rows - 1, .faint)
    return canvas
  }
}
