extension LocatePlot {
  package static func opening(height: Double, title: String) -> String {
    let size = "width=\"\(SVGText.number(width))\" height=\"\(SVGText.number(height))\""
    let box = "viewBox=\"0 0 \(SVGText.number(width)) \(SVGText.number(height))\""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" \(size) \(box) role="img">
      <title>\(SVGText.escaped(title))</title>
      <style>
      .paper{fill:#ffffff}text{font-family:system-ui,sans-serif;font-size:12px;fill:#57606a}
      .ink{fill:#24292f}.title{fill:#24292f;font-size:16px;font-weight:600}.name{font-weight:600}
      .grid{stroke:#d0d7de;stroke-width:1}.edge{stroke:#8c959f;stroke-width:1;fill:none}
      .way{stroke:#8c959f;stroke-width:1.4;fill:none;stroke-linejoin:round}
      .start{fill:#ffffff;stroke:#57606a;stroke-width:2}.end{fill:#57606a}
      .truth{stroke:#24292f;stroke-width:2.4;fill:none}.said{stroke:#57606a;stroke-dasharray:4 3;fill:none}
      ellipse{fill-opacity:.16;stroke-width:1.4}.band{fill-opacity:.2;stroke:none}
      .error{stroke-width:1.6;fill:none;stroke-linejoin:round}
      \(paint(light))
      @media (prefers-color-scheme:dark){
      .paper{fill:#0d1117}text{fill:#8b949e}.ink,.title{fill:#e6edf3}.grid{stroke:#30363d}
      .edge{stroke:#6e7681}.way{stroke:#6e7681}.start{fill:#0d1117;stroke:#8b949e}.end{fill:#8b949e}
      .truth{stroke:#e6edf3}.said{stroke:#8b949e}
      \(paint(dark))}
      </style>
      <rect class="paper" width="100%" height="100%"/>

      """
  }

  /// Eight colours that can be told apart, on white and on black.
  private static let light = [
    "#0969da", "#cf222e", "#1a7f37", "#8250df", "#bc4c00", "#0a7e8c", "#bf3989", "#7d6608",
  ]
  private static let dark = [
    "#58a6ff", "#ff7b72", "#3fb950", "#d2a8ff", "#ffa657", "#39c5cf", "#ff9bce", "#d4b106",
  ]

  private static func paint(_ colours: [String]) -> String {
    colours.enumerated().map { index, colour in
      ".c\(index) ellipse{stroke:\(colour);fill:\(colour)}.c\(index) .band{fill:\(colour)}"
        + ".c\(index) .error{stroke:\(colour)}text.name.c\(index){fill:\(colour)}"
    }.joined(separator: "\n")
  }

  package func legend() -> String {
    let hasTruth = series.contains { $0.truth != nil }
    var entries = [("way", "path of the device"), ("start", "its start"), ("end", "its end")]
    entries.append(("place", "where an object may be (1 and 2 sigma)"))
    if hasTruth { entries.append(("truth", "where it is")) }
    entries.append(("said", "converged"))
    var out = ""
    var x = 64.0
    for (style, name) in entries {
      let left = SVGText.number(x)
      switch style {
      case "start", "end":
        out += "<circle class=\"\(style)\" cx=\"\(SVGText.number(x + 8))\" cy=\"43\" r=\"4.5\"/>"
      case "place":
        out += "<g class=\"c0\" transform=\"translate(\(SVGText.number(x + 11)) 43)\">"
        out += "<ellipse rx=\"11\" ry=\"7\"/><ellipse rx=\"5.5\" ry=\"3.5\"/></g>"
      case "truth": out += "<path class=\"truth\" d=\"M\(SVGText.number(x + 4)) 38l10 10m0 -10l-10 10\"/>"
      case "said": out += "<path class=\"said\" d=\"M\(SVGText.number(x + 10)) 36v14\"/>"
      default: out += "<path class=\"\(style)\" d=\"M\(left) 43h22\"/>"
      }
      out += "<text x=\"\(SVGText.number(x + 28))\" y=\"47\">\(name)</text>\n"
      x += 50 + 6.2 * Double(name.count)
    }
    return out
  }
}
