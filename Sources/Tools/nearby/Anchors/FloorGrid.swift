import NearbyCommandLine
import NearbyTextForms

/// Square cells over a floor, all at one height.
struct FloorGrid: Equatable {
  /// South-west and north-east corners, metres.
  let low: SIMD2<Double>
  let high: SIMD2<Double>
  /// Side of a cell, metres.
  let step: Double
  /// Height of the tag, metres.
  let height: Double
  let columns: Int
  let rows: Int

  /// Cells if no step is given.
  private static let usualCells = 300.0
  /// Steps that are tried, metres.
  private static let steps = [0.1, 0.2, 0.25, 0.5, 1, 2, 2.5, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 5000]

  /// - Parameters:
  ///   - step: Side of a cell, metres; `nil` for one that gives some hundreds of cells.
  ///   - limit: Cells at most.
  init(
    _ low: SIMD2<Double>, _ high: SIMD2<Double>, step: Double?, height: Double, limit: Int
  ) throws(CommandError) {
    let size = high - low
    func cells(_ step: Double) -> Double {
      (size.x / step).rounded(.up) * (size.y / step).rounded(.up)
    }
    let wanted = min(Self.usualCells, Double(limit))
    let chosen = step ?? Self.steps.first { cells($0) <= wanted } ?? max(size.x, size.y)
    guard cells(chosen) <= Double(limit) else {
      throw .badData(
        "\(NumberFormat.fixed(cells(chosen), 0)) cells; at most \(limit) are computed here, use a larger --step"
      )
    }
    self.low = low
    self.high = high
    self.step = chosen
    self.height = height
    // Bounded: at least 1 and at most `limit` by the check above.
    columns = max(1, Int((size.x / chosen).rounded(.up)))
    rows = max(1, Int((size.y / chosen).rounded(.up)))
  }

  var count: Int { columns * rows }

  /// The middle of a cell, row by row from the south-west.
  func place(_ cell: Int) -> SIMD3<Double> {
    SIMD3(
      low.x + (Double(cell % columns) + 0.5) * step, low.y + (Double(cell / columns) + 0.5) * step, height)
  }
}
