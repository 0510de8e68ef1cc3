import NearbyCommandLine
import NearbyTextForms

/// The plan view of the live picture: the observer in the centre facing up, with rings of distance around.
package struct RadarPlot: Equatable, Sendable {
  package var left: Int
  package var top: Int
  package var columns: Int
  package var rows: Int

  /// Height of a terminal cell relative to its width.
  private static let cellAspect = 2.0
  /// Half of the angle that a phone's antennas cover, radians; drawn as a guide.
  private static let viewHalfAngle = Double.pi / 3
  private static let ringCount = 4

  private var centreColumn: Int { left + columns / 2 }
  private var centreRow: Int { top + rows / 2 }
  /// Rows from the centre to the outermost ring.
  private var radius: Double {
    Double(max(1, min((rows - 1) / 2, Int(Double(columns - 2) / 2 / Self.cellAspect))))
  }

  /// Distance of the outermost ring, metres. Rings have a round spacing, so that the scale rarely changes.
  package static func scale(for distance: Double?) -> Double {
    let ring = NumberFormat.niceStep(atLeast: max(0.5, (distance ?? 0) / Double(ringCount)))
    return ring * Double(ringCount)
  }

  package func draw(_ state: LiveState, on canvas: inout TextCanvas) {
    let recent = state.samples.compactMap(\.distance).max()
    let scale = Self.scale(for: [state.distance, recent].compactMap(\.self).max())
    for ring in 1...Self.ringCount {
      let share = Double(ring) / Double(Self.ringCount)
      drawRing(share * radius, "·", .faint, on: &canvas)
      let label = Self.label(scale * share)
      put(label, at: (0, share * radius), on: &canvas)
    }
    for side in [-Self.viewHalfAngle, Self.viewHalfAngle] {
      drawRay(side, "·", .faint, on: &canvas)
    }
    drawPeer(state, scale: scale, on: &canvas)
    canvas.put("▲", column: centreColumn, row: centreRow, .strong)
  }

  /// Draws the peer as a point, or as a ring if its direction is unknown.
  private func drawPeer(_ state: LiveState, scale: Double, on canvas: inout TextCanvas) {
    guard let distance = state.distance else { return }
    let reach = min(distance / scale, 1) * radius
    guard let azimuth = state.azimuth, let elevation = state.elevation else {
      // The direction is unknown, so the peer is somewhere on this circle.
      drawRing(reach, "∘", .far, on: &canvas)
      return
    }
    let flat = reach * Trigonometry.cosine(elevation)
    let (column, row) = cell(azimuth: azimuth, reach: flat)
    drawLine(azimuth: azimuth, reach: flat, on: &canvas)
    canvas.put("●", column: column, row: row, distance < 1 ? .near : .strong)
    canvas.put(" \(state.peer) ", column: column + 1, row: row, .strong)
  }

  private func drawLine(azimuth: Double, reach: Double, on canvas: inout TextCanvas) {
    let steps = Int(reach * 2)
    guard steps > 2 else { return }
    for step in 2..<steps {
      let (column, row) = cell(azimuth: azimuth, reach: reach * Double(step) / Double(steps))
      canvas.put("•", column: column, row: row, .far)
    }
  }

  private func drawRay(_ azimuth: Double, _ mark: Character, _ style: CellStyle, on canvas: inout TextCanvas)
  {
    for step in 1...max(1, Int(radius)) {
      let (column, row) = cell(azimuth: azimuth, reach: Double(step))
      canvas.put(mark, column: column, row: row, style)
    }
  }

  private func drawRing(
    _ reach: Double, _ mark: Character, _ style: CellStyle, on canvas: inout TextCanvas
  ) {
    // A ring with a radius of one row has a circumference of 12 cells, so this many points leave no gaps.
    let steps = max(16, Int(reach * 16))
    for step in 0..<steps {
      let (column, row) = cell(azimuth: 2 * .pi * Double(step) / Double(steps), reach: reach)
      canvas.put(mark, column: column, row: row, style)
    }
  }

  /// Puts a label on the ray straight behind, where no peer with a known direction can be.
  private func put(_ label: String, at place: (azimuth: Double, reach: Double), on canvas: inout TextCanvas) {
    let (column, row) = cell(azimuth: .pi, reach: place.reach)
    canvas.put(label, column: column - label.count / 2, row: row, .faint)
  }

  private func cell(azimuth: Double, reach: Double) -> (column: Int, row: Int) {
    let across = Trigonometry.sine(azimuth) * reach * Self.cellAspect
    let ahead = Trigonometry.cosine(azimuth) * reach
    return (centreColumn + Int(across.rounded()), centreRow - Int(ahead.rounded()))
  }

  private static func label(_ metres: Double) -> String {
    let text = NumberFormat.fixed(metres, metres < 10 && metres != metres.rounded() ? 1 : 0)
    return text + "m"
  }
}
