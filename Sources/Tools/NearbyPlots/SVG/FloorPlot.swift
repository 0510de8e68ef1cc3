import NearbyTextForms

/// Draws the error of positions over a floor as SVG: the bound on the left, the simulated error on the right.
package struct FloorPlot: Sendable {
  package var title: String
  /// South-west corner of the first cell, and the side of a cell, metres.
  package var low = SIMD2<Double>.zero
  package var step = 1.0
  /// Cells from west to east; the rows go from south to north.
  package var columns = 1
  /// Errors of the cells, metres; `nil` where there is no position.
  package var bounds: [Double?] = []
  package var errors: [Double?] = []
  /// Places of the anchors with their names, metres.
  package var anchors: [(name: String, place: SIMD2<Double>)] = []
  /// Ends of the walls, metres.
  package var walls: [(from: SIMD2<Double>, to: SIMD2<Double>)] = []
  /// Where one more anchor helps most, metres.
  package var proposal: SIMD2<Double>?

  /// Upper ends of the classes, metres, and their colours, which are read on white and on black.
  private static let classes: [(limit: Double, colour: String)] = [
    (0.1, "#1a9850"), (0.15, "#66bd63"), (0.2, "#a6d96a"), (0.3, "#fee08b"), (0.5, "#fdae61"), (1, "#f46d43"),
    (.infinity, "#d73027"),
  ]
  private static let left = 64.0
  private static let top = 96.0
  private static let gap = 64.0
  private static let largestHeight = 640.0

  package init(title: String) { self.title = title }

  /// The complete SVG file.
  package func svg() -> String {
    let rows = max(1, bounds.count / max(columns, 1))
    let size = SIMD2(Double(columns) * step, Double(rows) * step)
    let room = 0.5 * (LocatePlot.width - Self.left - Self.gap - 20)
    let scale = min(room / size.x, Self.largestHeight / size.y)
    let high = low + size
    func frame(_ number: Double) -> PlotFrame {
      let left = Self.left + number * (room + Self.gap)
      return PlotFrame(
        left: left, top: Self.top, right: left + scale * size.x, bottom: Self.top + scale * size.y,
        times: low.x...high.x, values: low.y...high.y)
    }
    var out = LocatePlot.opening(height: Self.top + scale * size.y + 48, title: title)
    out += "<text x=\"\(SVGText.number(Self.left))\" y=\"26\" class=\"title\">"
    out += "\(SVGText.escaped(title))</text>\n"
    out += legend()
    out += panel(frame(0), bounds, caption: "smallest possible error in the plan (Cramér-Rao)")
    out += panel(frame(1), errors, caption: "simulated error in the plan")
    return out + "</svg>\n"
  }

  private func panel(_ frame: PlotFrame, _ values: [Double?], caption: String) -> String {
    var out = "<text class=\"ink\" x=\"\(SVGText.number(frame.left))\" "
    out += "y=\"\(SVGText.number(frame.top - 10))\">\(caption)</text>\n"
    // One path for each colour keeps files of thousands of cells small.
    for (index, part) in Self.classes.enumerated() {
      let lower = index > 0 ? Self.classes[index - 1].limit : -1
      let side = SVGText.number(frame.x(low.x + step) - frame.x(low.x) + 0.3)
      let cells = values.indices.filter { (values[$0].map { $0 > lower && $0 <= part.limit }) ?? false }
      guard !cells.isEmpty else { continue }
      let squares = cells.map { cell in
        let x = frame.x(low.x + Double(cell % columns) * step)
        let y = frame.y(low.y + Double(cell / columns + 1) * step)
        return "M\(SVGText.number(x)) \(SVGText.number(y))h\(side)v\(side)h-\(side)z"
      }
      out += "<path fill=\"\(part.colour)\" d=\"\(squares.joined())\"/>\n"
    }
    out += frame.grid(labelsTime: true, isPlan: true)
    for wall in walls {
      out += "<path class=\"truth\" d=\"M\(Self.pair(wall.from, frame))L\(Self.pair(wall.to, frame))\"/>\n"
    }
    for anchor in anchors {
      out += "<path class=\"truth\" d=\"M\(Self.pair(anchor.place, frame))m0 -6l6 10h-12z\"/>"
      out += "<text class=\"ink\" x=\"\(SVGText.number(frame.x(anchor.place.x) + 9))\" "
      out += "y=\"\(SVGText.number(frame.y(anchor.place.y) + 4))\">\(SVGText.escaped(anchor.name))</text>\n"
    }
    if let proposal {
      out += "<circle class=\"start\" cx=\"\(SVGText.number(frame.x(proposal.x)))\" "
      out += "cy=\"\(SVGText.number(frame.y(proposal.y)))\" r=\"6\"/>\n"
    }
    return out
  }

  private static func pair(_ place: SIMD2<Double>, _ frame: PlotFrame) -> String {
    "\(SVGText.number(frame.x(place.x))) \(SVGText.number(frame.y(place.y)))"
  }

  private func legend() -> String {
    var out = ""
    var x = Self.left
    for (index, part) in Self.classes.enumerated() {
      let name =
        part.limit.isFinite
        ? "to \(NumberFormat.fixed(part.limit, 2)) m"
        : "over \(NumberFormat.fixed(Self.classes[max(0, index - 1)].limit, 0)) m"
      out += "<rect x=\"\(SVGText.number(x))\" y=\"40\" width=\"14\" height=\"14\" fill=\"\(part.colour)\"/>"
      out += "<text x=\"\(SVGText.number(x + 19))\" y=\"52\">\(name)</text>\n"
      x += 88
    }
    out += "<path class=\"truth\" d=\"M\(SVGText.number(x + 6)) 41l6 10h-12z\"/>"
    out += "<text x=\"\(SVGText.number(x + 17))\" y=\"52\">anchor</text>\n"
    guard proposal != nil else { return out }
    out += "<circle class=\"start\" cx=\"\(SVGText.number(x + 76))\" cy=\"47\" r=\"6\"/>"
    return out + "<text x=\"\(SVGText.number(x + 87))\" y=\"52\">best place for one more</text>\n"
  }
}
