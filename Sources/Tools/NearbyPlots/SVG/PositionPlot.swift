import NearbyTextForms

/// Draws a tag's positions among anchors as SVG: the plan with the anchors, the estimated and the true track,
/// and below it the error with its stated standard deviation over time.
package struct PositionPlot: Sendable {
  package var title: String
  /// Places of the anchors with their names, metres in the plan.
  package var anchors: [(name: String, place: SIMD2<Double>)] = []
  /// Estimated track; `nil` where there was no position.
  package var track: [SIMD2<Double>?] = []
  /// True track; empty without truth.
  package var truth: [SIMD2<Double>] = []
  /// Errors in space and stated standard deviations, metres, over time in seconds.
  package var errors: [PlotSeries.Point] = []
  package var sigmas: [PlotSeries.Point] = []

  private static let panelGap = 88.0
  private static let footer = 48.0
  /// Upper end of the panel, metres.
  private static let largestError = 3.0
  /// Points closer than this on the page are omitted, pixels.
  private static let closest = 0.7

  package init(title: String) { self.title = title }

  /// The complete SVG file.
  package func svg() -> String {
    let bounds = anchors.map(\.place) + truth + (truth.isEmpty ? track.compactMap { $0 } : [])
    let plan = LocatePlot(title: title, path: bounds).planFrame()
    let panel = panelFrame(below: plan)
    var out = LocatePlot.opening(height: panel.bottom + Self.footer, title: title)
    out +=
      "<text x=\"\(SVGText.number(plan.left))\" y=\"26\" class=\"title\">\(SVGText.escaped(title))</text>\n"
    out += legend() + drawn(plan)
    let caption =
      errors.isEmpty
      ? "stated standard deviation, metres; no true track recorded"
      : "error (line) and stated standard deviation (area), metres"
    out += "<text x=\"\(SVGText.number(plan.left))\" y=\"\(SVGText.number(panel.top - 12))\" class=\"ink\">"
    return out + "\(caption)</text>\n" + drawnErrors(panel) + "</svg>\n"
  }

  private func panelFrame(below plan: PlotFrame) -> PlotFrame {
    let times = (errors + sigmas).map(\.time)
    let (first, last) = (times.min() ?? 0, times.max() ?? 1)
    let values = (errors + sigmas).map(\.value).filter(\.isFinite).sorted()
    // Early errors must not flatten the rest.
    let usual = values.isEmpty ? 1 : values[values.count * 97 / 100]
    let top = plan.bottom + Self.panelGap
    return PlotFrame(
      left: plan.left, top: top, right: plan.right, bottom: top + LocatePlot.panelHeight,
      times: first...max(last, first + 0.001), values: 0...min(Self.largestError, max(0.4, 1.15 * usual)))
  }

  private func drawn(_ plan: PlotFrame) -> String {
    var out =
      "<clipPath id=\"plan\"><rect x=\"\(SVGText.number(plan.left))\" y=\"\(SVGText.number(plan.top))\" "
    out += "width=\"\(SVGText.number(plan.right - plan.left))\" "
    out += "height=\"\(SVGText.number(plan.bottom - plan.top))\"/></clipPath>\n"
    out += plan.grid(labelsTime: true, isPlan: true) + "<g clip-path=\"url(#plan)\">\n"
    out += "<path class=\"way\" d=\"\(Self.path(truth.map { $0 }, plan))\"/>\n"
    out += "<g class=\"c0\"><path class=\"error\" d=\"\(Self.path(track, plan))\"/></g>\n"
    for anchor in anchors {
      let (x, y) = (plan.x(anchor.place.x), plan.y(anchor.place.y))
      out += "<path class=\"truth\" d=\"M\(SVGText.number(x)) \(SVGText.number(y - 6))l6 10h-12z\"/>"
      out += "<text x=\"\(SVGText.number(x + 9))\" y=\"\(SVGText.number(y + 4))\" class=\"ink\">"
      out += "\(SVGText.escaped(anchor.name))</text>\n"
    }
    return out + "</g>\n"
  }

  /// A line through points in the plan, broken where there is none.
  private static func path(_ points: [SIMD2<Double>?], _ plan: PlotFrame) -> String {
    var out = ""
    var before: SIMD2<Double>?
    for point in points {
      guard let point else {
        before = nil
        continue
      }
      let place = SIMD2(plan.x(point.x), plan.y(point.y))
      if let before, ((place - before) * (place - before)).sum() < closest * closest { continue }
      out += "\(before == nil ? "M" : "L")\(SVGText.number(place.x)) \(SVGText.number(place.y))"
      before = place
    }
    return out
  }

  private func drawnErrors(_ panel: PlotFrame) -> String {
    func clamped(_ points: [PlotSeries.Point]) -> [PlotSeries.Point] {
      points.map { .init(time: $0.time, value: min($0.value, panel.values.upperBound)) }
    }
    let areas = clamped(sigmas).map {
      PlotSeries.Estimate(time: $0.time, value: $0.value / 2, sigma: $0.value / 2)
    }
    let middle = SVGText.number((panel.left + panel.right) / 2)
    return "<g class=\"c0\">\n" + panel.grid(labelsTime: true) + panel.band(areas)
      + panel.line(clamped(errors), style: "error")
      + "<text x=\"\(middle)\" y=\"\(SVGText.number(panel.bottom + 36))\" text-anchor=\"middle\">time, s</text>\n</g>\n"
  }

  private func legend() -> String {
    var out =
      "<g class=\"c0\"><path class=\"error\" d=\"M64 43h22\"/></g><text x=\"92\" y=\"47\">position</text>\n"
    if !truth.isEmpty {
      out += "<path class=\"way\" d=\"M160 43h22\"/><text x=\"188\" y=\"47\">true track</text>\n"
    }
    return out
      + "<path class=\"truth\" d=\"M276 38l6 10h-12z\"/><text x=\"288\" y=\"47\">anchor</text>\n"
  }
}
