import NearbyTextForms

/// Emphasis of a cell in the picture. The picture must remain readable without colour.
package enum CellStyle: Equatable, Sendable {
  case plain, faint, strong, near, far

  /// Escape sequence that uses the terminal's own palette, so that light and dark themes both stay readable.
  package var sequence: String {
    switch self {
    case .plain: "\u{1B}[0m"
    case .faint: "\u{1B}[0;2m"
    case .strong: "\u{1B}[0;1;36m"
    case .near: "\u{1B}[0;1;32m"
    case .far: "\u{1B}[0;33m"
    }
  }
}

/// A rectangle of characters to draw on. Drawing outside it has no effect.
package struct TextCanvas: Equatable, Sendable {
  private struct Cell: Equatable, Sendable {
    var character: Character = " "
    var style = CellStyle.plain
  }
  package let columns: Int
  package let rows: Int
  private var cells: [Cell]

  package init(columns: Int, rows: Int) {
    self.columns = max(columns, 1)
    self.rows = max(rows, 1)
    cells = Array(repeating: Cell(), count: self.columns * self.rows)
  }

  /// - Parameter character: Must be one of the picture's own; untrusted text goes through the overload for
  ///   text.
  package mutating func put(_ character: Character, column: Int, row: Int, _ style: CellStyle = .plain) {
    guard (0..<columns).contains(column), (0..<rows).contains(row) else { return }
    cells[row * columns + column] = Cell(character: character, style: style)
  }

  package mutating func put(_ text: String, column: Int, row: Int, _ style: CellStyle = .plain) {
    guard column < columns else { return }
    // Reads no further than the picture's right edge, however long the text is.
    for (index, character) in PrintableText.characters(text, limit: columns - column).shown.enumerated() {
      put(character, column: column + index, row: row, style)
    }
  }

  /// Draws another canvas on this one.
  package mutating func put(_ other: TextCanvas, column: Int, row: Int) {
    for (index, cell) in other.cells.enumerated() {
      put(
        cell.character, column: column + index % other.columns, row: row + index / other.columns, cell.style)
    }
  }

  /// The rows without trailing spaces and without colour.
  package var lines: [String] {
    (0..<rows).map { row in
      var text = String(cells[row * columns..<(row + 1) * columns].map(\.character))
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  /// The same rows with escape sequences for their styles.
  package var colouredLines: [String] {
    lines.enumerated().map { row, line in
      var text = ""
      var style = CellStyle.plain
      for (cell, character) in zip(cells[(row * columns)...], line) {
        if cell.style != style, character != " " {
          text += cell.style.sequence
          style = cell.style
        }
        text.append(character)
      }
      return style == .plain ? text : text + CellStyle.plain.sequence
    }
  }

  /// The complete output that shows this picture on a terminal.
  ///
  /// To avoid flicker, it moves the cursor home and clears the rest of each line instead of the screen. A
  /// full line must not be cleared, because that would erase its last character.
  package func terminalText(hasColour: Bool) -> String {
    let plain = lines
    let shown = hasColour ? colouredLines : plain
    let rows = zip(shown, plain).map { $0 + ($1.count < columns ? "\u{1B}[K" : "") }
    return "\u{1B}[H" + rows.joined(separator: "\r\n") + (plain.last?.count == columns ? "" : "\u{1B}[J")
  }
}
