import NearbyTextForms

/// Draws distributions: for each value, the share of runs whose score is at most that.
enum DistributionPlot {
  struct Curve {
    let title: String
    let sorted: [Double]
  }

  private static let size = (width: 720.0, height: 260.0)
  private static let frame = (left: 50.0, top: 12.0, right: 700.0, bottom: 220.0)
  /// Points of a curve; more could not be told apart.
  private static let mostPoints = 400
  /// Okabe and Ito, "Color Universal Design", 2008: told apart with any colour vision.
  private static let colours = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933",
  ]

  static func svg(_ all: [Curve]) -> String {
    let curves = all.filter { !$0.sorted.isEmpty }
    guard let low = curves.compactMap(\.sorted.first).min(), let high = curves.compactMap(\.sorted.last).max()
    else { return "<p>no run has a value</p>" }
    let margin = max((high - low) * 0.03, abs(high) * 1e-3, 1e-6)
    let scale = low - margin...high + margin
    let legend = Double(curves.count) * 18
    var out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\" "
    out += "viewBox=\"0 0 \(number(size.width)) \(number(size.height + legend))\">\n"
    out += axes(scale)
    for (index, curve) in curves.enumerated() {
      let colour = colours[index % colours.count]
      out +=
        "<path fill=\"none\" stroke=\"\(colour)\" stroke-width=\"1.6\" d=\"\(path(curve.sorted, scale))\"/>\n"
      let y = size.height + Double(index) * 18
      out +=
        "<rect x=\"\(number(frame.left))\" y=\"\(number(y - 9))\" width=\"12\" height=\"10\" fill=\"\(colour)\"/>"
      out +=
        "<text x=\"\(number(frame.left + 18))\" y=\"\(number(y))\">\(Markup.escaped(curve.title))</text>\n"
    }
    return out + "</svg>\n"
  }

  private static func axes(_ scale: ClosedRange<Double>) -> String {
    var out = ""
    for share in [0, 0.25, 0.5, 0.75, 0.9, 1] {
      let height = number(y(share))
      out += "<path stroke=\"#ddd\" d=\"M\(number(frame.left)) \(height)H\(number(frame.right))\"/>"
      out += "<text x=\"\(number(frame.left - 6))\" y=\"\(height)\" dy=\"4\" text-anchor=\"end\">"
      out += "\(NumberFormat.fixed(share * 100, 0)) %</text>\n"
    }
    let step = NumberFormat.niceStep(atLeast: (scale.upperBound - scale.lowerBound) / 8)
    var value = (scale.lowerBound / step).rounded(.up) * step
    // At most nine ticks by the step's choice; the bound guards against rounding.
    for _ in 0..<20 where value <= scale.upperBound {
      let place = number(x(value, scale))
      out += "<path stroke=\"#eee\" d=\"M\(place) \(number(frame.top))V\(number(frame.bottom))\"/>"
      out += "<text x=\"\(place)\" y=\"\(number(frame.bottom + 16))\" text-anchor=\"middle\">"
      out += "\(NumberFormat.fixed(value, step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 4))</text>\n"
      value += step
    }
    return out
  }

  /// A staircase through the sample's quantiles.
  private static func path(_ sorted: [Double], _ scale: ClosedRange<Double>) -> String {
    let count = sorted.count
    var out = "M\(number(frame.left)) \(number(y(0)))"
    let points = min(count, mostPoints)
    for point in 1...points {
      // Bounded: at most the count, which is at least 1.
      let rank = point * count / points
      out += "H\(number(x(sorted[rank - 1], scale)))V\(number(y(Double(rank) / Double(count))))"
    }
    return out + "H\(number(frame.right))"
  }

  private static func x(_ value: Double, _ scale: ClosedRange<Double>) -> Double {
    frame.left + (value - scale.lowerBound) / (scale.upperBound - scale.lowerBound)
      * (frame.right - frame.left)
  }

  private static func y(_ share: Double) -> Double { frame.bottom - share * (frame.bottom - frame.top) }

  private static func number(_ value: Double) -> String { NumberFormat.fixed(value, 1) }
}
