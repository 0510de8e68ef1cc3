import NearbyMaths
import NearbyPlots
import NearbyScenarios
import NearbySimulator
import NearbyTextForms

/// The results of `nearby anchors`: as text, JSON and a picture.
struct AnchorsReport {
  let layout: AnchorLayout
  let grid: FloorGrid
  let setting: FloorSetting
  var cells: [(bound: FloorBound.Cell, trial: FloorTrial.Cell)] = []
  var proposal: AnchorProposal?

  static func metres(_ value: Double) -> String { NumberFormat.fixed(value, 2) }

  /// The bound in the plan, metres.
  private static func horizontal(_ cell: FloorBound.Cell) -> Double? {
    cell.sigma.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }
  }

  private static func total(_ cell: FloorBound.Cell) -> Double? {
    cell.sigma.map { ($0 * $0).sum().squareRoot() }
  }

  // MARK: JSON

  func json(_ index: Int) -> String {
    let (bound, trial) = cells[index]
    var line = JSONLine()
    line.add("cell", json: Self.list(grid.place(index)))
    line.add("anchors", bound.heard)
    line.add("blocked", bound.blocked)
    line.add("boundHorizontal", Self.horizontal(bound), decimals: 4)
    line.add("bound", Self.total(bound), decimals: 4)
    line.add("simulatedHorizontal", trial.horizontal, decimals: 4)
    line.add("simulated", trial.total, decimals: 4)
    line.add("answered", trial.answered, decimals: 3)
    return line.closed()
  }

  var summaryJSON: String {
    var line = JSONLine()
    line.add("cells", cells.count)
    line.add("step", grid.step, decimals: 3)
    line.add("heightKnown", setting.heightSigma != nil)
    line.add("proposal", json: proposal.map { Self.list($0.place) } ?? "null")
    line.add("meanBound", proposal?.before, decimals: 4)
    line.add("meanBoundWithProposal", proposal?.after, decimals: 4)
    return line.closed()
  }

  private static func list(_ place: SIMD3<Double>) -> String {
    "[" + (0..<3).map { NumberFormat.fixed(place[$0], 3) }.joined(separator: ",") + "]"
  }

  // MARK: Text

  /// Columns of the table, characters.
  private static let width = 12

  var text: String {
    let blocked = cells.reduce(0) { $0 + $1.bound.blocked }
    let heard = cells.reduce(0) { $0 + $1.bound.heard }
    var out = "\(layout.anchors.count) anchors, \(grid.columns) by \(grid.rows) cells of "
    out += "\(Self.metres(grid.step)) m at a height of \(Self.metres(grid.height)) m\n"
    if blocked > 0 {
      out += "\(NumberFormat.fixed(100 * Double(blocked) / Double(max(heard, 1)), 0)) % of the paths are "
      out += "blocked\n"
    }
    if layout.isLevel { out += "all anchors are at one height; the tag's height counts as known to 0.3 m\n" }
    let heads = ["bound", "simulated"].map { NumberFormat.padded($0, Self.width) }
    out += "\n" + Self.label("error, m") + heads.joined() + "\n"
    out += row("in the plan", { Self.horizontal($0) }, \.horizontal)
    out += row("in space", { Self.total($0) }, \.total)
    let answered = cells.reduce(0) { $0 + $1.trial.answered } / Double(max(cells.count, 1))
    let possible = Double(cells.filter { $0.bound.sigma != nil }.count) / Double(max(cells.count, 1))
    out += Self.label("with a position") + [possible, answered].map(Self.percent).joined() + "\n"
    out += "\n" + map() + "\n" + proposed
    return out
  }

  private static func label(_ text: String) -> String {
    text + String(repeating: " ", count: max(1, 20 - text.count))
  }

  private static func percent(_ share: Double) -> String {
    NumberFormat.padded(NumberFormat.fixed(100 * share, 0) + " %", width)
  }

  /// Median and 95 % of both errors.
  private func row(
    _ name: String, _ bound: (FloorBound.Cell) -> Double?, _ trial: (FloorTrial.Cell) -> Double?
  ) -> String {
    let values = [cells.compactMap { bound($0.bound) }, cells.compactMap { trial($0.trial) }]
    var out = ""
    for (label, share) in [("median", 0.5), ("95 %", 0.95)] {
      let texts = values.map { NumberFormat.padded(Self.quantile($0, share), Self.width) }
      out += Self.label("\(name), \(label)") + texts.joined() + "\n"
    }
    return out
  }

  private static func quantile(_ values: [Double], _ share: Double) -> String {
    Quantile.of(values, share).map(metres) ?? "-"
  }

  /// The simulated error in the plan as a digit per cell, decimetres, north at the top.
  private func map() -> String {
    let step = max(1, (grid.columns + 59) / 60)
    var out = "simulated error in the plan, decimetres, north at the top (+: 1 m or more, space: none)\n"
    for row in stride(from: grid.rows - 1, through: 0, by: -step) {
      out += "  "
      for column in stride(from: 0, to: grid.columns, by: step) {
        let error = cells[row * grid.columns + column].trial.horizontal
        // Bounded: below 10 by the comparison.
        out += error.map { $0 < 0.95 ? "\(Int(($0 * 10).rounded()))" : "+" } ?? " "
      }
      out += "\n"
    }
    return out
  }

  private var proposed: String {
    guard let proposal else { return "no place found where one more anchor helps\n" }
    let place = proposal.place
    return
      "one more anchor helps most at \(Self.metres(place.x)), \(Self.metres(place.y)), "
      + "\(Self.metres(place.z)): mean bound \(Self.metres(proposal.before)) m -> \(Self.metres(proposal.after)) m\n"
  }

  // MARK: Picture

  func picture(title: String) -> FloorPlot {
    var plot = FloorPlot(title: title)
    plot.low = grid.low
    plot.step = grid.step
    plot.columns = grid.columns
    plot.bounds = cells.map { Self.horizontal($0.bound) }
    plot.errors = cells.map(\.trial.horizontal)
    plot.anchors = layout.anchors.map { ($0.name, SIMD2($0.position.x, $0.position.y)) }
    plot.walls = layout.surroundings.walls.map { ($0.from, $0.to) }
    plot.proposal = proposal.map { SIMD2($0.place.x, $0.place.y) }
    return plot
  }
}
