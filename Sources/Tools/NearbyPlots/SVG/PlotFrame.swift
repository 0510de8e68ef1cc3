import NearbyTextForms

/// One panel: its rectangle on the page and its two scales.
package struct PlotFrame: Sendable {
  package var left: Double
  package var top: Double
  package var right: Double
  package var bottom: Double
  /// Seconds.
  package var times: ClosedRange<Double>
  /// Metres.
  package var values: ClosedRange<Double>

  /// Gaps longer than this, seconds, and than four typical intervals break a line.
  private static let longestBridge = 2.0
  /// Points of a line closer than this on the page are omitted, pixels.
  private static let closest = 0.4

  package func x(_ time: Double) -> Double {
    left + (time - times.lowerBound) / (times.upperBound - times.lowerBound) * (right - left)
  }

  package func y(_ value: Double) -> Double {
    bottom - (value - values.lowerBound) / (values.upperBound - values.lowerBound) * (bottom - top)
  }

  // MARK: Axes

  /// Round values within the bounds, about `count` of them.
  package static func ticks(_ bounds: ClosedRange<Double>, about count: Int) -> [Double] {
    let step = NumberFormat.niceStep(atLeast: (bounds.upperBound - bounds.lowerBound) / Double(max(count, 1)))
    let first = (bounds.lowerBound / step).rounded(.up)
    let last = (bounds.upperBound / step).rounded(.down)
    guard first.isFinite, last.isFinite, last >= first, last - first < 1000 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  /// The grid lines and their labels. A plan is labelled in metres on both axes.
  package func grid(labelsTime: Bool, isPlan: Bool = false) -> String {
    var out = ""
    let valueTicks = Self.ticks(values, about: 5)
    let valueDecimals = Self.decimals(valueTicks)
    for value in valueTicks {
      let place = SVGText.number(y(value))
      out += "<path class=\"grid\" d=\"M\(SVGText.number(left)) \(place)H\(SVGText.number(right))\"/>"
      out += "<text x=\"\(SVGText.number(left - 8))\" y=\"\(SVGText.number(y(value) + 4))\" "
      out += "text-anchor=\"end\">\(NumberFormat.fixed(value, valueDecimals)) m</text>\n"
    }
    let timeTicks = Self.ticks(times, about: 10)
    let timeDecimals = Self.decimals(timeTicks)
    for time in timeTicks {
      let place = SVGText.number(x(time))
      out += "<path class=\"grid\" d=\"M\(place) \(SVGText.number(top))V\(SVGText.number(bottom))\"/>"
      guard labelsTime else { continue }
      out += "<text x=\"\(place)\" y=\"\(SVGText.number(bottom + 18))\" text-anchor=\"middle\">"
      out += "\(NumberFormat.fixed(time, timeDecimals))\(isPlan ? " m" : "")</text>\n"
    }
    let size = "width=\"\(SVGText.number(right - left))\" height=\"\(SVGText.number(bottom - top))\""
    out += "<rect class=\"edge\" x=\"\(SVGText.number(left))\" y=\"\(SVGText.number(top))\" \(size)/>\n"
    return out
  }

  private static func decimals(_ ticks: [Double]) -> Int {
    guard ticks.count > 1 else { return 2 }
    let step = ticks[1] - ticks[0]
    return step >= 0.999 ? 0 : step >= 0.0999 ? 1 : step >= 0.00999 ? 2 : 3
  }

  // MARK: Data

  /// Draws points as zero-length strokes with round caps, all in one element.
  package func dots(_ points: [PlotSeries.Point]) -> String {
    var inside = ""
    var outside = ""
    var last = ""
    for point in points {
      if values.contains(point.value) {
        let place = "M\(SVGText.number(x(point.time))) \(SVGText.number(y(point.value)))h0"
        if place != last { inside += place }
        last = place
      } else {
        let isAbove = point.value > values.upperBound
        let edge = isAbove ? top + 1 : bottom - 1
        let tail = isAbove ? "l-3 6h6z" : "l-3 -6h6z"
        outside += "M\(SVGText.number(x(point.time))) \(SVGText.number(edge))\(tail)"
      }
    }
    var out = inside.isEmpty ? "" : "<path class=\"raw\" d=\"\(inside)\"/>\n"
    if !outside.isEmpty { out += "<path class=\"far\" d=\"\(outside)\"/>\n" }
    return out
  }

  package func line(_ points: [PlotSeries.Point], style: String) -> String {
    guard !points.isEmpty else { return "" }
    let path = runs(points).map { run in
      "M" + run.map { "\(SVGText.number(x($0.time))) \(SVGText.number(y($0.value)))" }.joined(separator: "L")
    }
    return "<path class=\"\(style)\" d=\"\(path.joined())\"/>\n"
  }

  /// Draws the one-sigma band around estimates, with gaps where the line has gaps.
  package func band(_ estimates: [PlotSeries.Estimate]) -> String {
    let upper = runs(estimates.map { PlotSeries.Point(time: $0.time, value: $0.value + $0.sigma) })
    let lower = runs(estimates.map { PlotSeries.Point(time: $0.time, value: $0.value - $0.sigma) })
    var path = ""
    for (above, below) in zip(upper, lower) {
      let around = above + below.reversed()
      let corners = around.map { "\(SVGText.number(x($0.time))) \(SVGText.number(y($0.value)))" }
      path += "M" + corners.joined(separator: "L") + "Z"
    }
    return path.isEmpty ? "" : "<path class=\"band\" d=\"\(path)\"/>\n"
  }

  /// Splits a line at its gaps and drops points the page cannot resolve; the result depends only on the
  /// times.
  private func runs(_ points: [PlotSeries.Point]) -> [[PlotSeries.Point]] {
    var result: [[PlotSeries.Point]] = []
    var run: [PlotSeries.Point] = []
    var previous: Double?
    let intervals = zip(points.dropFirst(), points).map { $0.time - $1.time }.sorted()
    let usual = intervals.isEmpty ? 0 : intervals[intervals.count / 2]
    let longest = max(Self.longestBridge, 4 * usual)
    for point in points {
      if let previous, point.time - previous > longest {
        result.append(run)
        run = []
      }
      previous = point.time
      if let last = run.last, x(point.time) - x(last.time) < Self.closest { continue }
      run.append(point)
    }
    if !run.isEmpty { result.append(run) }
    return result
  }
}

/// Text and numbers in the form that SVG requires.
package enum SVGText {
  /// A title or a name. XML cannot represent most control characters; a plot that contains one would not open.
  package static func escaped(_ text: String) -> String { Markup.escaped(PrintableText.name(text)) }

  /// Rounds to a tenth of a pixel, without a trailing zero.
  package static func number(_ value: Double) -> String {
    let text = NumberFormat.fixed(value, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
