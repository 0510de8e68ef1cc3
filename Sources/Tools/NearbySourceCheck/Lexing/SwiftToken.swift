/// One token of Swift source, with the detail that name lookup needs.
package struct SwiftToken: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// An identifier or a keyword.
    case word
    /// An identifier in backticks, which is never a keyword. The text excludes the backticks.
    case quotedWord
    /// `$0`, or `$name` for the projected value of a property wrapper.
    case dollarWord
    case number
    /// A piece of a string. Interpolations appear as tokens of their own between two pieces.
    case text
    /// A regular expression between slashes.
    case pattern
    /// `#if`, `#selector` and similar, including the number sign.
    case pound
    case symbol
  }

  package var kind: Kind
  package var text: String
  /// Octets from the start of the file.
  package var offset: Int
  package var isFirstOnLine: Bool

  func isSymbol(_ other: String) -> Bool { kind == .symbol && text == other }
  func isWord(_ other: String) -> Bool { kind == .word && text == other }
  /// Whether the token is, or could be, a name.
  var isName: Bool { kind == .quotedWord || kind == .word && !SwiftWords.reserved.contains(text) }
}

/// The start of each line, for converting offsets to lines and columns.
package struct LineTable: Equatable, Sendable {
  private let starts: [Int]

  package init(_ octets: [UInt8]) {
    var starts = [0]
    for (offset, octet) in octets.enumerated() where octet == 0x0A { starts.append(offset + 1) }
    self.starts = starts
  }

  /// Line and column of an offset, both from 1. Columns are octets of UTF-8, as in compiler messages.
  package func place(of offset: Int) -> SourcePlace {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return SourcePlace(line: low + 1, column: offset - starts[low] + 1)
  }
}

/// A place in a file: line and column, both from 1.
package struct SourcePlace: Equatable, Comparable, Hashable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (left: SourcePlace, right: SourcePlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
