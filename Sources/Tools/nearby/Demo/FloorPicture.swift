import Museum
import NearbyCommandLine
import NearbyTesting
import NearbyTextForms

/// The museum's floor on a terminal: walls, anchors, the visitor, and where the app believes the visitor is.
enum FloorPicture {
  private static let cellAspect = 2.0

  static func canvas(_ floor: MuseumFloor, columns: Int, rows: Int, footer: String) -> TextCanvas {
    var canvas = TextCanvas(columns: columns, rows: rows)
    let report = FloorReport(floor, floor.app.place)
    canvas.put(report.line, column: 1, row: 0, .strong)
    let map = Map(columns: columns, rows: rows - 3)
    drawWalls(map, &canvas)
    for anchor in floor.anchors { map.put("▲", anchor.position.x, anchor.position.y, .faint, &canvas) }
    for room in MuseumFloor.rooms {
      let middle = (room.low + room.high) / 2
      let (column, row) = map.cell(middle.x, middle.y)
      canvas.put(
        room.name, column: column - room.name.count / 2, row: row, room.name == report.room ? .near : .faint)
    }
    let truth = floor.phone.position
    map.put("○", truth.x, truth.y, .plain, &canvas)
    if case .here(_, let position, _) = floor.app.place {
      map.put("●", position.x, position.y, .near, &canvas)
    }
    canvas.put(
      "● the app's position · ○ the visitor · ▲ anchors · \(footer)", column: 1, row: rows - 1, .faint)
    return canvas
  }

  private static func drawWalls(_ map: Map, _ canvas: inout TextCanvas) {
    let (low, high) = (Map.low, Map.high)
    let outer: [(from: SIMD2<Double>, to: SIMD2<Double>)] = [
      (low, [high.x, low.y]), ([high.x, low.y], high), (high, [low.x, high.y]), ([low.x, high.y], low),
    ]
    for (from, to) in outer + MuseumFloor.walls {
      for step in 0...100 {
        let share = Double(step) / 100
        let point = from + (to - from) * share
        map.put(from.x == to.x ? "│" : "─", point.x, point.y, .faint, &canvas)
      }
    }
  }

  /// Where metres of the floor are on the terminal.
  private struct Map {
    static let low = SIMD2(0.0, 0)
    static let high = SIMD2(16.0, 12)
    /// Rows for a metre.
    let scale: Double
    let top: Int
    let left: Int

    init(columns: Int, rows: Int) {
      let size = Self.high - Self.low
      scale = max(0.1, min(Double(rows - 1) / size.y, Double(columns - 2) / (size.x * cellAspect)))
      top = 2
      left = max(1, (columns - Int(size.x * cellAspect * scale)) / 2)
    }

    func cell(_ east: Double, _ north: Double) -> (column: Int, row: Int) {
      func bounded(_ value: Double) -> Int { Int(min(max(value, -1000), 1000).rounded()) }
      return (
        left + bounded((east - Self.low.x) * scale * cellAspect), top + bounded((Self.high.y - north) * scale)
      )
    }

    func put(
      _ mark: Character, _ east: Double, _ north: Double, _ style: CellStyle, _ canvas: inout TextCanvas
    ) {
      let (column, row) = cell(east, north)
      canvas.put(mark, column: column, row: row, style)
    }
  }
}
