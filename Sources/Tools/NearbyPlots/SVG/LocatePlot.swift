/// The data shown about one object as seen from one antenna.
package struct LocatePlotSeries: Equatable, Sendable {
  /// A possible position at the end of the search, metres in the plan.
  package struct Hypothesis: Equatable, Sendable {
    package var place: SIMD2<Double>
    /// Covariance: xx, xy, yy, m².
    package var covariance: SIMD3<Double>
    /// 0 to 1.
    package var weight: Double

    /// Half axes of the one-sigma ellipse, metres, and the angle of the long one from x towards y, degrees.
    package var ellipse: (long: Double, short: Double, degrees: Double) {
      let c = covariance
      guard c.x.isFinite, c.y.isFinite, c.z.isFinite else { return (0, 0, 0) }
      let middle = 0.5 * (c.x + c.z)
      let half = (0.25 * (c.x - c.z) * (c.x - c.z) + c.y * c.y).squareRoot()
      let long = min(max(0, middle + half).squareRoot(), 1e3)
      let short = min(max(0, middle - half).squareRoot(), 1e3)
      return (long, short, 0.5 * Trigonometry.degrees(Trigonometry.arcTangent(2 * c.y, c.x - c.z)))
    }
  }
  package var name: String
  package var hypotheses: [Hypothesis] = []
  /// True position of the object at the end, in the track's frame.
  package var truth: SIMD2<Double>?
  /// Horizontal error, and stated standard deviation in `sigmas`, metres, over time in seconds.
  package var errors: [PlotSeries.Point] = []
  package var sigmas: [PlotSeries.Point] = []
  /// Time at which the estimate first converged, seconds.
  package var convergedAt: Double?
  /// Why the panel lacks a position or an error; empty if it lacks nothing.
  package var remark = ""
}

/// Draws a search as SVG. The plan shows the device's path, the possible positions of the objects and their
/// true positions. Below it, one panel per pair shows the horizontal error and the stated standard deviation
/// over time.
///
/// Both axes of the plan have the same scale. The colours follow the reader's light or dark setting.
package struct LocatePlot: Sendable {
  package var title: String
  /// Path of the device in the plan, metres.
  package var path: [SIMD2<Double>] = []
  package var series: [LocatePlotSeries] = []

  package static let width = 960.0
  package static let panelHeight = 110.0
  private static let left = 64.0
  private static let right = 20.0
  private static let header = 64.0
  private static let panelGap = 30.0
  private static let footer = 48.0
  /// Limits for the height of the plan, pixels.
  private static let planHeights = 240.0...640.0
  /// Upper end of the panels, metres, however large early errors were.
  private static let largestError = 3.0
  package static let colours = 8

  /// The complete SVG file.
  package func svg() -> String {
    let plan = planFrame()
    let panelsTop = plan.bottom + 88
    let step = Self.panelHeight + Self.panelGap
    let height = panelsTop + Double(max(series.count, 1)) * step - Self.panelGap + Self.footer
    var out = Self.opening(height: height, title: title)
    out += "<text x=\"\(Self.left)\" y=\"26\" class=\"title\">\(SVGText.escaped(title))</text>\n"
    out += legend()
    out += drawn(plan)
    let times = timeBounds()
    let values = 0...errorBound()
    let caption = "horizontal error (line) and stated standard deviation (area), metres"
    out +=
      "<text x=\"\(Self.left)\" y=\"\(SVGText.number(panelsTop - 12))\" class=\"ink\">\(caption)</text>\n"
    for (index, one) in series.enumerated() {
      let top = panelsTop + Double(index) * step
      let frame = PlotFrame(
        left: Self.left, top: top, right: Self.width - Self.right, bottom: top + Self.panelHeight,
        times: times, values: values)
      out += panel(one, frame, colour: index % Self.colours, isLast: index == series.count - 1)
    }
    return out + "</svg>\n"
  }

  // MARK: Bounds

  /// The plan's frame: contains the whole path, the truth and the likely positions, with equal scales on both
  /// axes.
  package func planFrame() -> PlotFrame {
    var points = path
    for one in series {
      if let truth = one.truth { points.append(truth) }
      for place in one.hypotheses where place.weight > 0.2 { points.append(place.place) }
    }
    points = points.filter { $0.x.magnitude < 1e6 && $0.y.magnitude < 1e6 }
    var (low, high) = (points.first ?? .zero, points.first ?? .zero)
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let margin = max(0.06 * (high - low).max(), 0.5)
    low -= SIMD2(repeating: margin)
    high += SIMD2(repeating: margin)
    let room = Self.width - Self.left - Self.right
    let wanted = room * (high.y - low.y) / (high.x - low.x)
    let height = min(max(wanted, Self.planHeights.lowerBound), Self.planHeights.upperBound)
    let metresAPixel = max((high.x - low.x) / room, (high.y - low.y) / height)
    let spare = 0.5 * (metresAPixel * SIMD2(room, height) - (high - low))
    low -= spare
    high += spare
    return PlotFrame(
      left: Self.left, top: Self.header, right: Self.width - Self.right, bottom: Self.header + height,
      times: low.x...high.x, values: low.y...high.y)
  }

  private func timeBounds() -> ClosedRange<Double> {
    let all = series.flatMap { ($0.errors + $0.sigmas).map(\.time) }
    guard let low = all.min(), let high = all.max() else { return 0...1 }
    return low...max(high, low + 0.001)
  }

  /// A bound that 97 % of the errors and sigmas do not exceed.
  private func errorBound() -> Double {
    let all = series.flatMap { ($0.errors + $0.sigmas).map(\.value) }.filter(\.isFinite).sorted()
    guard !all.isEmpty else { return 1 }
    return min(Self.largestError, max(0.4, 1.15 * all[all.count * 97 / 100]))
  }

  // MARK: Plan

  private func drawn(_ plan: PlotFrame) -> String {
    let clip = "<clipPath id=\"plan\"><rect x=\"\(SVGText.number(plan.left))\" "
    var out =
      clip + "y=\"\(SVGText.number(plan.top))\" width=\"\(SVGText.number(plan.right - plan.left))\" "
      + "height=\"\(SVGText.number(plan.bottom - plan.top))\"/></clipPath>\n<g>\n"
    out += plan.grid(labelsTime: true, isPlan: true)
    out += "<g clip-path=\"url(#plan)\">\n" + pathLine(plan)
    for (index, one) in series.enumerated() {
      out += places(one, plan, colour: index % Self.colours)
    }
    out += labels(plan)
    return out + "</g>\n</g>\n"
  }

  private func pathLine(_ plan: PlotFrame) -> String {
    guard let first = path.first, let last = path.last else { return "" }
    var line = ""
    var before: SIMD2<Double>?
    for point in path {
      let place = SIMD2(plan.x(point.x), plan.y(point.y))
      if let before, ((place - before) * (place - before)).sum() < 2 { continue }
      before = place
      line += (line.isEmpty ? "M" : "L") + Self.pair(place)
    }
    var out = "<path class=\"way\" d=\"\(line)\"/>\n"
    out += "<circle class=\"start\" \(Self.centre(first, plan)) r=\"4.5\"/>"
    return out + "<circle class=\"end\" \(Self.centre(last, plan)) r=\"4.5\"/>\n"
  }

  /// Ellipses of one and two standard deviations, fainter for less likely positions, and a cross for the
  /// truth.
  private func places(_ one: LocatePlotSeries, _ plan: PlotFrame, colour: Int) -> String {
    var out = ""
    let scale = (plan.right - plan.left) / (plan.times.upperBound - plan.times.lowerBound)
    for place in one.hypotheses where place.weight > 0.02 {
      let axes = place.ellipse
      let centre = SIMD2(plan.x(place.place.x), plan.y(place.place.y))
      let opacity = SVGText.number(max(0.2, place.weight))
      out += "<g class=\"c\(colour)\" opacity=\"\(opacity)\" "
      out += "transform=\"translate(\(Self.pair(centre))) rotate(\(SVGText.number(-axes.degrees)))\">"
      for times in [2.0, 1.0] {
        let radii = SIMD2(axes.long, axes.short) * times * scale
        out +=
          "<ellipse rx=\"\(SVGText.number(max(radii.x, 2)))\" ry=\"\(SVGText.number(max(radii.y, 2)))\"/>"
      }
      out += "</g>\n"
    }
    if let truth = one.truth {
      let centre = Self.pair(SIMD2(plan.x(truth.x), plan.y(truth.y)))
      out += "<path class=\"truth\" d=\"M\(centre)m-6 -6l12 12m0 -12l-12 12\"/>\n"
    }
    return out
  }

  /// Names next to the most likely positions, placed so that they do not overlap.
  private func labels(_ plan: PlotFrame) -> String {
    var out = ""
    var taken: [(left: Double, right: Double, y: Double)] = []
    for (index, one) in series.enumerated() {
      guard let place = one.hypotheses.first?.place ?? one.truth else { continue }
      let anchor = SIMD2(plan.x(place.x), plan.y(place.y))
      guard anchor.x > plan.left, anchor.x < plan.right else { continue }
      let width = 7 * Double(one.name.count)
      let isFarRight = anchor.x + width + 14 > plan.right
      let left = isFarRight ? anchor.x - 12 - width : anchor.x + 12
      func isFree(_ y: Double) -> Bool {
        y > plan.top + 12 && y < plan.bottom - 4
          && !taken.contains { $0.left < left + width && left < $0.right && abs($0.y - y) < 14 }
      }
      let steps = [-9.0, 5, 19, -23, 33, -37, 47, -51, 61, -65]
      let y = anchor.y + (steps.first { isFree(anchor.y + $0) } ?? -9)
      taken.append((left, left + width, y))
      out += "<text class=\"name c\(index % Self.colours)\" "
      out += "x=\"\(SVGText.number(isFarRight ? left + width : left))\" y=\"\(SVGText.number(y))\" "
      out += "text-anchor=\"\(isFarRight ? "end" : "start")\">\(SVGText.escaped(one.name))</text>\n"
    }
    return out
  }

  private static func pair(_ point: SIMD2<Double>) -> String {
    "\(SVGText.number(point.x)) \(SVGText.number(point.y))"
  }

  private static func centre(_ point: SIMD2<Double>, _ plan: PlotFrame) -> String {
    "cx=\"\(SVGText.number(plan.x(point.x)))\" cy=\"\(SVGText.number(plan.y(point.y)))\""
  }

  // MARK: Panels

  private func panel(_ one: LocatePlotSeries, _ frame: PlotFrame, colour: Int, isLast: Bool) -> String {
    func clamped(_ points: [PlotSeries.Point]) -> [PlotSeries.Point] {
      points.map { .init(time: $0.time, value: min($0.value, frame.values.upperBound)) }
    }
    var out = "<g class=\"c\(colour)\">\n" + frame.grid(labelsTime: isLast)
    let areas = clamped(one.sigmas).map {
      PlotSeries.Estimate(time: $0.time, value: $0.value / 2, sigma: $0.value / 2)
    }
    out += frame.band(areas) + frame.line(clamped(one.errors), style: "error")
    if let time = one.convergedAt {
      let x = SVGText.number(frame.x(time))
      out +=
        "<path class=\"said\" d=\"M\(x) \(SVGText.number(frame.top))V\(SVGText.number(frame.bottom))\"/>\n"
    }
    if !one.remark.isEmpty {
      out += "<text class=\"ink\" x=\"\(SVGText.number((frame.left + frame.right) / 2))\" "
      out += "y=\"\(SVGText.number((frame.top + frame.bottom) / 2))\" text-anchor=\"middle\">"
      out += "\(SVGText.escaped(one.remark))</text>\n"
    }
    out += "<text class=\"name c\(colour)\" x=\"\(SVGText.number(frame.right - 8))\" "
    out += "y=\"\(SVGText.number(frame.top + 16))\" text-anchor=\"end\">\(SVGText.escaped(one.name))</text>\n"
    if isLast {
      let middle = SVGText.number((frame.left + frame.right) / 2)
      out += "<text x=\"\(middle)\" y=\"\(SVGText.number(frame.bottom + 36))\" text-anchor=\"middle\">"
      out += "time, s</text>\n"
    }
    return out + "</g>\n"
  }
}
