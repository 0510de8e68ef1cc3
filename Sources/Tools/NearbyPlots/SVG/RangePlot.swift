/// Ranges and estimates of one pair over time.
package struct PlotSeries: Equatable, Sendable {
  package struct Point: Equatable, Sendable {
    /// Seconds.
    package var time: Double
    /// Metres.
    package var value: Double
    package init(time: Double, value: Double) {
      self.time = time
      self.value = value
    }
  }
  package struct Estimate: Equatable, Sendable {
    package var time: Double
    package var value: Double
    package var sigma: Double
  }
  package var name: String
  package var raw: [Point] = []
  package var estimates: [Estimate] = []
  package var truth: [Point] = []
}

/// Draws ranges over time as SVG: one panel per pair, stacked, with a common time axis.
///
/// A panel shows raw points, the estimate's line within its one-sigma band, and the truth if known. Outliers
/// are drawn as triangles at the panel's edge, so that a single one does not flatten the rest. The colours
/// follow the reader's light or dark setting.
package struct RangePlot: Sendable {
  package var title: String
  package var series: [PlotSeries]

  package static let width = 960.0
  package static let panelHeight = 220.0
  private static let left = 64.0
  private static let right = 20.0
  private static let header = 64.0
  private static let panelGap = 34.0
  private static let footer = 48.0

  /// The complete SVG file.
  package func svg() -> String {
    let count = max(series.count, 1)
    let height =
      Self.header + Double(count) * (Self.panelHeight + Self.panelGap) + Self.footer - Self.panelGap
    var out = Self.opening(height: height, title: title)
    out += "<text x=\"\(Self.left)\" y=\"26\" class=\"title\">\(SVGText.escaped(title))</text>\n"
    out += legend()
    let times = timeBounds()
    for (index, one) in series.enumerated() {
      let top = Self.header + Double(index) * (Self.panelHeight + Self.panelGap)
      let frame = PlotFrame(
        left: Self.left, top: top, right: Self.width - Self.right, bottom: top + Self.panelHeight,
        times: times, values: Self.valueBounds(of: one))
      out += panel(one, frame, isLast: index == series.count - 1)
    }
    return out + "</svg>\n"
  }

  // MARK: Bounds

  private func timeBounds() -> ClosedRange<Double> {
    let all = series.flatMap { $0.raw.map(\.time) }
    guard let low = all.min(), let high = all.max() else { return 0...1 }
    return low...max(high, low + 0.001)
  }

  /// Bounds that contain all estimates, all truth, and the raw points except for 1 % at each end.
  package static func valueBounds(of series: PlotSeries) -> ClosedRange<Double> {
    let raw = series.raw.map(\.value).sorted()
    var all = series.estimates.flatMap { [$0.value - $0.sigma, $0.value + $0.sigma] }
    all += series.truth.map(\.value)
    if !raw.isEmpty {
      all.append(raw[raw.count / 100])
      all.append(raw[raw.count - 1 - raw.count / 100])
    }
    guard let low = all.min(), let high = all.max() else { return 0...1 }
    let margin = max((high - low) * 0.06, 0.05)
    return (low - margin)...(high + margin)
  }

  // MARK: Parts

  private static func opening(height: Double, title: String) -> String {
    let size = "width=\"\(SVGText.number(width))\" height=\"\(SVGText.number(height))\""
    let box = "viewBox=\"0 0 \(SVGText.number(width)) \(SVGText.number(height))\""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" \(size) \(box) role="img">
      <title>\(SVGText.escaped(title))</title>
      <style>
      .paper{fill:#ffffff}.ink{fill:#24292f}.title{fill:#24292f;font-size:16px;font-weight:600}
      text{font-family:system-ui,sans-serif;font-size:12px;fill:#57606a}
      .grid{stroke:#d0d7de;stroke-width:1}.edge{stroke:#8c959f;stroke-width:1;fill:none}
      .raw{stroke:#8250df;stroke-width:2.6;stroke-linecap:round;stroke-opacity:.45;fill:none}
      .far{fill:#cf222e}.band{fill:#0969da;fill-opacity:.18}
      .estimate{stroke:#0969da;stroke-width:1.6;fill:none;stroke-linejoin:round}
      .truth{stroke:#1a7f37;stroke-width:1.4;stroke-dasharray:5 3;fill:none}
      @media (prefers-color-scheme:dark){
      .paper{fill:#0d1117}.title{fill:#e6edf3}text{fill:#8b949e}.grid{stroke:#30363d}.edge{stroke:#6e7681}
      .raw{stroke:#d2a8ff}.far{fill:#ff7b72}.band{fill:#58a6ff;fill-opacity:.25}.estimate{stroke:#58a6ff}
      .truth{stroke:#3fb950}}
      </style>
      <rect class="paper" width="100%" height="100%"/>

      """
  }

  private func legend() -> String {
    let hasTruth = series.contains { !$0.truth.isEmpty }
    var entries = [("raw", "range"), ("estimate", "estimate"), ("band", "± 1 sigma")]
    if hasTruth { entries.append(("truth", "truth")) }
    var out = ""
    var x = Self.left
    for (style, name) in entries {
      switch style {
      case "band":
        out += "<rect class=\"band\" x=\"\(SVGText.number(x))\" y=\"38\" width=\"22\" height=\"10\"/>"
      case "raw": out += "<path class=\"raw\" d=\"M\(SVGText.number(x + 3)) 43h0m8 -3h0m8 4h0\"/>"
      default: out += "<path class=\"\(style)\" d=\"M\(SVGText.number(x)) 43h22\"/>"
      }
      out += "<text x=\"\(SVGText.number(x + 28))\" y=\"47\">\(name)</text>\n"
      x += 110
    }
    return out
  }

  private func panel(_ one: PlotSeries, _ frame: PlotFrame, isLast: Bool) -> String {
    var out = "<g>\n" + frame.grid(labelsTime: isLast)
    out += "<text x=\"\(SVGText.number(frame.left + 8))\" y=\"\(SVGText.number(frame.top + 16))\">"
    out += SVGText.escaped(one.name) + "</text>\n"
    if isLast {
      let middle = SVGText.number((frame.left + frame.right) / 2)
      out += "<text x=\"\(middle)\" y=\"\(SVGText.number(frame.bottom + 36))\" text-anchor=\"middle\">"
      out += "time, s</text>\n"
    }
    out += frame.band(one.estimates)
    out += frame.dots(one.raw)
    out += frame.line(one.truth, style: "truth")
    out += frame.line(one.estimates.map { .init(time: $0.time, value: $0.value) }, style: "estimate")
    return out + "</g>\n"
  }
}
