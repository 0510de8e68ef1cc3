import NearbyCommandLine
import NearbyTextForms

/// Draws the live picture: state in, text out.
///
/// Wide terminals show the radar next to the figures, narrow ones show it below them, and the smallest show
/// only the figures.
package enum LiveView {
  private static let figuresWidth = 34
  private static let figuresHeight = 10
  /// Size of the smallest readable radar: columns, and rows next to and below the figures.
  private static let smallestRadar = (columns: 30, rows: 11, rowsBelow: 10)
  /// Minimum width of a line of figures, columns.
  private static let narrowest = 24

  /// Draws the picture for a terminal of this size.
  package static func canvas(_ state: LiveState, columns: Int, rows: Int) -> TextCanvas {
    var canvas = TextCanvas(columns: columns, rows: rows)
    let header = "\(state.observer) → \(state.peer)"
    canvas.put(header, column: 1, row: 0, .strong)
    let clock = NumberFormat.fixed(state.time / .seconds(1), 1) + " s"
    canvas.put(clock, column: columns - clock.count - 1, row: 0, .faint)
    let body = rows - 2
    if columns >= figuresWidth + smallestRadar.columns, body >= smallestRadar.rows {
      let radar = RadarPlot(left: 0, top: 1, columns: columns - figuresWidth, rows: body)
      radar.draw(state, on: &canvas)
      drawFigures(state, on: &canvas, column: columns - figuresWidth + 2, row: 2, rows: body - 1)
    } else if body >= figuresHeight + smallestRadar.rowsBelow, columns >= narrowest {
      drawFigures(state, on: &canvas, column: 2, row: 2, rows: figuresHeight)
      RadarPlot(left: 0, top: 2 + figuresHeight, columns: columns, rows: body - figuresHeight - 1)
        .draw(state, on: &canvas)
    } else {
      drawFigures(state, on: &canvas, column: 1, row: 1, rows: body)
    }
    if !state.headline.isEmpty { canvas.put(" \(state.headline) ", column: 0, row: 1, .near) }
    canvas.put(state.footer, column: 1, row: rows - 1, .faint)
    return canvas
  }

  // MARK: Figures

  private static func drawFigures(
    _ state: LiveState, on canvas: inout TextCanvas, column: Int, row: Int, rows: Int
  ) {
    let bottom = row + rows
    func line(_ text: String, _ offset: Int, _ style: CellStyle, on canvas: inout TextCanvas) {
      if row + offset < bottom { canvas.put(text, column: column, row: row + offset, style) }
    }
    let style: CellStyle = (state.distance ?? .infinity) < 1 ? .near : .strong
    let isLarge = rows >= 9
    if isLarge {
      for (index, text) in BigDigits.rows(distanceText(state.distance)).enumerated() {
        line(text, index, style, on: &canvas)
      }
    } else {
      line(distanceText(state.distance) + " m", 0, style, on: &canvas)
    }
    let next = isLarge ? 4 : 1
    line(directionText(state), next, .plain, on: &canvas)
    line(trendText(state.rate), next + 1, .plain, on: &canvas)
    let width = min(canvas.columns - column - 1, figuresWidth - 4)
    line(sparkline(state, width: width), next + 2, .far, on: &canvas)
    let room = max(0, bottom - (row + next + 4))
    for (index, event) in state.events.suffix(room).enumerated() {
      line(event, next + 4 + index, .faint, on: &canvas)
    }
  }

  package static func distanceText(_ distance: Double?) -> String {
    distance.map { NumberFormat.fixed($0, 2) } ?? "--.--"
  }

  package static func directionText(_ state: LiveState) -> String {
    guard let azimuth = state.azimuth, let elevation = state.elevation else { return "·  direction unknown" }
    let side = Trigonometry.degrees(azimuth)
    let height = Trigonometry.degrees(elevation)
    let across = "\(NumberFormat.fixed(abs(side), 0))° \(side < 0 ? "left" : "right")"
    let upward = "\(NumberFormat.fixed(abs(height), 0))° \(height < 0 ? "down" : "up")"
    return "\(arrow(azimuth: azimuth))  \(across), \(upward)"
  }

  /// The one of eight arrows that points along an azimuth; up is straight ahead.
  package static func arrow(azimuth: Double) -> Character {
    let arrows: [Character] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"]
    let turns = azimuth / (2 * .pi)
    guard turns.isFinite else { return "·" }
    let eighth = Int(((turns - turns.rounded(.down)) * 8).rounded()) % 8
    return arrows[eighth]
  }

  package static func trendText(_ rate: Double?) -> String {
    guard let rate else { return "·  trend unknown" }
    if abs(rate) < 0.1 { return "=  keeping distance" }
    let speed = NumberFormat.fixed(abs(rate), 1)
    return rate < 0 ? "▼  coming closer, \(speed) m/s" : "▲  moving apart, \(speed) m/s"
  }

  /// The recent distances, one column per time step; gaps where the distance was unknown.
  package static func sparkline(_ state: LiveState, width: Int) -> String {
    let marks = Array("▁▂▃▄▅▆▇█")
    guard width > 0 else { return "" }
    let known = state.samples.compactMap(\.distance)
    guard let low = known.min(), let high = known.max() else { return "" }
    // Chosen: 0.2 m of height at least, so that the noise of a person at rest does not fill it.
    let span = max(high - low, 0.2)
    let step = LiveState.memory / width
    var columns = [Double?](repeating: nil, count: width)
    for sample in state.samples {
      let age = (state.time - sample.time) / step
      let index = width - 1 - Int(min(max(age, 0), Double(width)))
      if columns.indices.contains(index), let distance = sample.distance { columns[index] = distance }
    }
    return String(
      columns.map { distance in
        distance.map { marks[min(7, Int(($0 - low) / span * 8))] } ?? " "
      })
  }
}
