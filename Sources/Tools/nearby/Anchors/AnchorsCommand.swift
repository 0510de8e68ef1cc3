import Foundation
import NearbyCommandLine
import NearbyPlots
import NearbyPosition
import NearbyScenarios
import NearbySchedule
import NearbySimulator

/// `nearby anchors LAYOUT`.
struct AnchorsCommand {
  private let path: String
  private let height: Double
  private let knowsHeight: Bool
  private let step: Double?
  private let margin: Double
  private let usesRanges: Bool
  private let round: Duration
  private let runs: Int
  private let seed: UInt64
  private let isJSON: Bool
  private let plot: String?

  /// Frames and obstacles that are tested at most, so that no input takes more than some seconds.
  private static let work = 4e8
  /// Cells that any floor has at most.
  private static let mostCells = 10_000
  /// Shortest and longest side of a floor, metres.
  private static let sides = 0.5...100_000.0

  init(_ arguments: CommandArguments) throws(UsageError) {
    path = try arguments[Options.layout]
    height = try arguments[Options.height]
    knowsHeight = try arguments[Options.knownHeight]
    step = try arguments[Options.step]
    margin = try arguments[Options.margin]
    usesRanges = try arguments[Options.ranges]
    round = try arguments[Options.round]
    runs = try arguments[Options.runs]
    seed = try arguments[Options.seed]
    isJSON = try arguments[Options.json]
    plot = try arguments[Options.plot]
    guard round >= .milliseconds(10), round <= .seconds(2) else {
      throw .invalidValue(
        option: "\(Options.round)", found: arguments.text(of: Options.round) ?? "",
        expected: "a time from 10ms to 2s")
    }
  }

  func run(in context: CommandContext) throws(CommandError) {
    let layout = try AnchorLayout.read(path, context)
    let isHeightKnown = knowsHeight || layout.isLevel
    let setting = FloorSetting(
      kind: usesRanges ? .ranges : .differences,
      heightSigma: isHeightKnown ? FloorSetting.knownHeightSigma : nil, round: round, seed: seed, runs: runs)
    let grid = try grid(layout)
    var report = AnchorsReport(layout: layout, grid: grid, setting: setting)
    var bound = FloorBound(layout, setting)
    var trial = try trial(layout, setting)
    for cell in 0..<grid.count {
      if context.interrupt.isRaised { throw .interrupted }
      if context.isOutputClosed() { return }
      let place = grid.place(cell)
      report.cells.append((bound.cell(at: place), trial.cell(at: place)))
      if isJSON { context.output.line(report.json(cell)) }
    }
    // Bounded: `work` is a constant.
    let pairs = Int(Self.work / 2000 / Double((layout.obstacles + 1) * (layout.anchors.count + 1)))
    report.proposal = AnchorProposal.best(layout, grid, &bound, work: max(pairs, 64)) {
      context.interrupt.isRaised
    }
    if context.interrupt.isRaised { throw .interrupted }
    if let plot { try PlotFile.write(report.picture(title: title).svg(), to: plot) }
    if isJSON {
      context.output.line(report.summaryJSON)
    } else {
      context.output.write(report.text)
    }
  }

  private var title: String { URL(fileURLWithPath: path).lastPathComponent }

  private func trial(_ layout: AnchorLayout, _ setting: FloorSetting) throws(CommandError) -> FloorTrial {
    do throws(PositionError) {
      return try FloorTrial(layout, setting, height: height)
    } catch {
      throw .badData("\(path): \(error)")
    }
  }

  /// The box around the anchors and walls, with as many cells as the work allows.
  private func grid(_ layout: AnchorLayout) throws(CommandError) -> FloorGrid {
    var (low, high) = layout.box
    low -= SIMD2(repeating: margin)
    high += SIMD2(repeating: margin)
    let size = high - low
    guard Self.sides.contains(size.min()), Self.sides.contains(size.max()) else {
      throw .badData(
        "\(path): the anchors and walls span \(AnchorsReport.metres(size.x)) by \(AnchorsReport.metres(size.y)) m; "
          + "expected sides of 0.5 m to 100 km")
    }
    let frames = Double(layout.anchors.count) * (Double(runs) * FloorTrial.stay / round.inSeconds + 1)
    let limit = min(Double(Self.mostCells), Self.work / 50 / frames / Double(layout.obstacles + 4) * 4)
    guard limit >= 4 else {
      throw .badData(
        "\(path): \(layout.anchors.count) anchors and \(layout.obstacles) walls and floors are too many for "
          + "\(runs) runs; use fewer --runs or a longer --round")
    }
    return try FloorGrid(low, high, step: step, height: height, limit: Int(limit))
  }
}

extension AnchorLayout {
  /// Walls and floors.
  var obstacles: Int { surroundings.walls.count + surroundings.floors.count }

  /// South-west and north-east corners of the box around the anchors and walls, metres.
  var box: (low: SIMD2<Double>, high: SIMD2<Double>) {
    var low = SIMD2(repeating: Double.infinity)
    var high = SIMD2(repeating: -Double.infinity)
    let places = anchors.map { SIMD2($0.position.x, $0.position.y) }
    for place in places + surroundings.walls.flatMap({ [$0.from, $0.to] }) {
      low = pointwiseMin(low, place)
      high = pointwiseMax(high, place)
    }
    return (low, high)
  }
}
