import DragonRadar
import NearbyCommandLine
import NearbyPlots
import NearbyTextForms

/// The treasure radar on a terminal: a ring, a sweeping ray, and a glow that is closer to the centre for a closer
/// treasure.
enum RadarPicture {
  private static let cellAspect = 2.0
  private static let glow: [Character] = ["·", "∘", "○", "◎", "●"]
  /// Angle behind the ray within which the glow fades, radians.
  private static let trail = 2.0

  /// - Parameters:
  ///   - angle: Of the ray, radians clockwise from up.
  static func canvas(
    _ state: RadarState, angle: Double, time: Duration, columns: Int, rows: Int, footer: String
  ) -> TextCanvas {
    var canvas = TextCanvas(columns: columns, rows: rows)
    let clock = NumberFormat.fixed(time / .seconds(1), 0) + " s"
    canvas.put(state.line, column: 1, row: 0, state.brightness > 0.7 ? .near : .strong)
    canvas.put(clock, column: columns - clock.count - 1, row: 0, .faint)
    for (index, treasure) in state.found.enumerated() {
      canvas.put("★ \(treasure.name)", column: 1, row: 2 + index, .near)
    }
    let radius = Double(max(2, min((rows - 3) / 2, columns / 4 - 1)))
    let centre = (column: columns / 2, row: 1 + (rows - 2) / 2)
    func put(_ character: Character, _ azimuth: Double, _ reach: Double, _ style: CellStyle) {
      let across = Trigonometry.sine(azimuth) * reach * cellAspect
      let ahead = Trigonometry.cosine(azimuth) * reach
      canvas.put(
        character, column: centre.column + Int(across.rounded()), row: centre.row - Int(ahead.rounded()),
        style)
    }
    let steps = max(32, Int(radius * 16))
    for step in 0..<steps {
      let azimuth = 2 * .pi * Double(step) / Double(steps)
      put("·", azimuth, radius, .faint)
      guard state.brightness > 0 else { continue }
      // The radar knows the distance but not the direction, so the glow follows the ray.
      let behind = (angle - azimuth) / (2 * .pi)
      let age = (behind - behind.rounded(.down)) * 2 * .pi
      guard age < trail else { continue }
      let light = state.brightness * (1 - age / trail)
      let mark = glow[min(glow.count - 1, Int(light * Double(glow.count)))]
      put(mark, azimuth, (1 - state.brightness) * radius, light > 0.5 ? .near : .far)
    }
    for step in 1...Int(radius) { put("•", angle, Double(step), .far) }
    canvas.put("▲", column: centre.column, row: centre.row, .strong)
    canvas.put(footer, column: 1, row: rows - 1, .faint)
    return canvas
  }
}
