/// Where one more anchor would lower the bound most.
struct AnchorProposal: Equatable {
  var place: SIMD3<Double>
  /// Mean bound over the floor without and with it, metres.
  var before: Double
  var after: Double

  /// A cell without a position counts as this, metres; larger bounds do too.
  private static let worst = 3.0
  /// Cells and candidates that are compared at most.
  private static let mostCells = 150
  private static let mostCandidates = 200
  /// Least distance from another anchor, metres.
  private static let closest = 0.5

  /// Tries places over the whole floor at the heights of the lowest and of the highest anchor.
  ///
  /// - Parameters:
  ///   - work: Pairs of cell and candidate at most.
  ///   - isCancelled: Asked once per candidate; `nil` is returned if it says so.
  static func best(
    _ layout: AnchorLayout, _ grid: FloorGrid, _ bound: inout FloorBound, work: Int,
    isCancelled: () -> Bool
  ) -> AnchorProposal? {
    let cells = thinned(grid.count, to: mostCells).map { grid.place($0) }
    let heights = layout.anchors.map(\.position.z)
    guard let low = heights.min(), let high = heights.max() else { return nil }
    let levels = high - low < closest ? [high] : [low, high]
    let perLevel = max(4, min(mostCandidates, work / max(cells.count, 1)) / levels.count)
    let usesHeight = bound.heightSigma == nil
    func mean(with spare: SIMD3<Double>?, _ bound: inout FloorBound) -> Double {
      cells.reduce(0) { sum, place in
        guard let sigma = bound.cell(at: place, with: spare).sigma else { return sum + worst }
        let variance = sigma.x * sigma.x + sigma.y * sigma.y + (usesHeight ? sigma.z * sigma.z : 0)
        return sum + min(worst, variance.squareRoot())
      } / Double(max(cells.count, 1))
    }
    var best = AnchorProposal(place: .zero, before: mean(with: nil, &bound), after: .infinity)
    for level in levels {
      for place in candidates(grid, height: level, count: perLevel) {
        if isCancelled() { return nil }
        let isTaken = layout.anchors.contains { anchor in
          let across = anchor.position - place
          return (across * across).sum() < closest * closest
        }
        guard !isTaken else { continue }
        let after = mean(with: place, &bound)
        if after < best.after { (best.place, best.after) = (place, after) }
      }
    }
    return best.after < best.before ? best : nil
  }

  /// A lattice over the floor that includes its edges.
  private static func candidates(_ grid: FloorGrid, height: Double, count: Int) -> [SIMD3<Double>] {
    let size = grid.high - grid.low
    let ratio = min(8, max(0.125, size.x / size.y))
    // Bounded: `count` is at most `mostCandidates`, `ratio` at most 8.
    let columns = max(2, Int((Double(count) * ratio).squareRoot()))
    let rows = max(2, count / columns)
    return (0..<(columns * rows)).map { index in
      let part = SIMD2(
        Double(index % columns) / Double(columns - 1), Double(index / columns) / Double(rows - 1))
      let place = grid.low + part * size
      return SIMD3(place.x, place.y, height)
    }
  }

  private static func thinned(_ count: Int, to limit: Int) -> [Int] {
    let step = max(1, (count + limit - 1) / limit)
    return Array(stride(from: 0, to: count, by: step))
  }
}
