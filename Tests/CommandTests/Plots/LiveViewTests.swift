import NearbyCommandLine
import NearbyTextForms
import Testing

@testable import NearbyPlots
@testable import nearby

/// A phone that has come closer for two seconds and sees its peer to the right and up.
private func approaching() -> LiveState {
  var state = LiveState(observer: "Alice", peer: "Bob")
  state.footer = "seed 1"
  state.happened("ranging", at: .zero)
  for step in 0...10 {
    state.updated(
      at: .milliseconds(step * 200), distance: 4 - Double(step) * 0.2, direction: SIMD3(0.5, 0.1, -0.86))
  }
  return state
}

@Suite("Live picture")
struct LiveViewTests {
  @Test("Shows distance, direction, trend and history beside the radar")
  func wide() {
    let lines = LiveView.canvas(approaching(), columns: 80, rows: 24).lines
    #expect(lines.count == 24)
    #expect(lines[0].hasPrefix(" Alice → Bob"))
    #expect(lines[0].hasSuffix("2.0 s"))
    let text = lines.joined(separator: "\n")
    #expect(text.contains("↗  30° right, 6° up"))
    #expect(text.contains("▼  coming closer, 1.0 m/s"))
    #expect(text.contains("● Bob"))
    #expect(text.contains("█▇▆▅▄▃▂▁") || text.contains("█"))
    #expect(text.contains("ranging"))
    #expect(lines[23] == " seed 1")
    #expect(lines.allSatisfy { $0.count <= 80 })
    // 2.00 m in large figures.
    #expect(lines[2].contains("╺━┓   ┏━┓ ┏━┓"))
  }

  @Test(
    "The peer is drawn in its direction",
    arguments: [
      (SIMD3<Double>(0, 0, -1), 0, 1), (SIMD3(1, 0, 0), 1, 0), (SIMD3(-1, 0, 0), -1, 0),
      (SIMD3(0, 0, 1), 0, -1),
    ])
  func peerPlace(direction: SIMD3<Double>, right: Int, ahead: Int) throws {
    var state = LiveState(observer: "A", peer: "B")
    state.updated(at: .zero, distance: 3, direction: direction)
    let lines = LiveView.canvas(state, columns: 80, rows: 24).lines.map(Array.init)
    let row = try #require(lines.firstIndex { $0.contains("●") })
    let column = try #require(lines[row].firstIndex(of: "●"))
    #expect((column - 23).signum() == right)
    #expect((12 - row).signum() == ahead)
  }

  @Test("Without a direction a circle is drawn, and without a distance neither circle nor peer")
  func unknowns() {
    var state = LiveState(observer: "A", peer: "B")
    state.updated(at: .zero, distance: 3, direction: nil)
    let circle = LiveView.canvas(state, columns: 80, rows: 24).lines.joined()
    #expect(circle.contains("∘"))
    #expect(!circle.contains("●"))
    #expect(circle.contains("direction unknown"))
    state.updated(at: .seconds(1), distance: nil, direction: nil)
    let nowhere = LiveView.canvas(state, columns: 80, rows: 24).lines.joined()
    #expect(!nowhere.contains("∘"))
    #expect(nowhere.contains("╺━╸"))
  }

  @Test(
    "The picture fits every size of terminal",
    arguments: [(1, 1), (10, 3), (24, 8), (40, 24), (64, 13), (80, 24), (200, 60)])
  func everySize(columns: Int, rows: Int) {
    let canvas = LiveView.canvas(approaching(), columns: columns, rows: rows)
    #expect(canvas.lines.count == rows)
    #expect(canvas.lines.allSatisfy { $0.count <= columns })
    #expect(canvas.colouredLines.count == rows)
  }

  @Test("In a narrow, high terminal the events are readable beside the radar")
  func narrow() {
    var state = approaching()
    state.happened("0.0 s  Looking for someone nearby …", at: .zero)
    state.happened("1.0 s  connected with Bob, who is not far", at: .zero)
    let lines = LiveView.canvas(state, columns: 54, rows: 35).lines
    #expect(lines.contains { $0.hasPrefix("  0.0 s  Looking for someone nearby …") })
    #expect(lines.contains { $0.hasPrefix("  1.0 s  connected with Bob, who is not far") })
    #expect(lines.joined().contains("● Bob"))
  }

  @Test("A small terminal shows only the figures")
  func small() {
    let text = LiveView.canvas(approaching(), columns: 30, rows: 8).lines.joined(separator: "\n")
    #expect(text.contains("2.00 m"))
    #expect(text.contains("coming closer"))
    #expect(!text.contains("●"))
  }

  @Test("Without colour there are no colour sequences, and with colour the text is the same")
  func colour() {
    let canvas = LiveView.canvas(approaching(), columns: 80, rows: 24)
    #expect(canvas.terminalText(hasColour: false).matches(of: /\u{1B}\[[0-9;]*m/).isEmpty)
    let coloured = canvas.terminalText(hasColour: true)
    #expect(!coloured.matches(of: /\u{1B}\[[0-9;]*m/).isEmpty)
    let stripped = canvas.colouredLines.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
    #expect(stripped == canvas.lines)
  }

  @Test("The same state gives the same picture")
  func pure() {
    let first = LiveView.canvas(approaching(), columns: 90, rows: 30)
    #expect(first == LiveView.canvas(approaching(), columns: 90, rows: 30))
  }

  @Test(
    "Arrows match the azimuth",
    arguments: [
      (0.0, "↑"), (45, "↗"), (90, "→"), (135, "↘"), (180, "↓"), (-180, "↓"), (-135, "↙"), (-90, "←"),
      (-45, "↖"),
      (22, "↑"), (23, "↗"), (-22, "↑"), (-23, "↖"),
    ])
  func arrows(degrees: Double, arrow: Character) {
    #expect(LiveView.arrow(azimuth: degrees * .pi / 180) == arrow)
  }

  @Test("The trend needs half a second of data, and distinguishes rest from motion")
  func trend() {
    var state = LiveState(observer: "A", peer: "B")
    state.updated(at: .zero, distance: 1, direction: nil)
    state.updated(at: .milliseconds(200), distance: 1.2, direction: nil)
    #expect(state.rate == nil)
    state.updated(at: .milliseconds(800), distance: 1.8, direction: nil)
    #expect(abs((state.rate ?? 0) - 1) < 1e-9)
    #expect(LiveView.trendText(state.rate) == "▲  moving apart, 1.0 m/s")
    #expect(LiveView.trendText(0.05) == "=  keeping distance")
    #expect(LiveView.trendText(nil) == "·  trend unknown")
  }

  @Test(
    "The radar's scale is a round number of metres",
    arguments: [(nil, 2.0), (1.5, 2), (3.0, 4), (7, 8), (30, 40)])
  func scale(distance: Double?, metres: Double) {
    #expect(RadarPlot.scale(for: distance) == metres)
  }
}
