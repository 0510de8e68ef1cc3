/// Digits three rows high.
package enum BigDigits {
  private static let shapes: [Character: [String]] = [
    "0": ["┏━┓", "┃ ┃", "┗━┛"], "1": [" ╻ ", " ┃ ", " ╹ "], "2": ["╺━┓", "┏━┛", "┗━╸"],
    "3": ["╺━┓", " ━┫", "╺━┛"], "4": ["╻ ╻", "┗━┫", "  ╹"], "5": ["┏━╸", "┗━┓", "╺━┛"],
    "6": ["┏━╸", "┣━┓", "┗━┛"], "7": ["╺━┓", "  ┃", "  ╹"], "8": ["┏━┓", "┣━┫", "┗━┛"],
    "9": ["┏━┓", "┗━┫", "╺━┛"], ".": [" ", " ", "▪"], "-": ["   ", "╺━╸", "   "],
  ]

  /// Draws a number and appends " m" to the last row. Characters without a shape are omitted.
  package static func rows(_ text: String) -> [String] {
    (0..<3).map { row in
      let drawn = text.compactMap { shapes[$0]?[row] }.joined(separator: " ")
      return row == 2 ? drawn + " m" : drawn
    }
  }
}
