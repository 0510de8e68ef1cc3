/// One token of Swift source, as far as names and their surroundings matter.
package struct SwiftToken: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// An identifier or a keyword.
    case word
    /// An identifier in backticks; never a keyword. The text is without them.
    case quotedWord
    /// `$0`, or `$name` for what a property wrapper projects.
    case dollarWord
    case number
    /// A piece of a string; what is interpolated stands between two pieces as tokens of its own.
    case text
    /// A regular expression between slashes.
    case pattern
    /// `#if`, `#selector` and their like, with the number sign.
    case pound
    case symbol
  }

  package var kind: Kind
  package var text: String
  /// Octets from the beginning of the file.
  package var offset: Int
  package var isFirstOnLine: Bool

  func isSymbol(_ other: String) -> Bool { kind == .symbol && text == other }
  func isWord(_ other: String) -> Bool { kind == .word && text == other }
  /// Whether it names something, or could.
  var isName: Bool { kind == .quotedWord || kind == .word && !SwiftWords.reserved.contains(text) }
}

/// Where lines begin, to tell line and column of an offset.
package struct LineTable: Equatable, Sendable {
  private let starts: [Int]

  package init(_ octets: [UInt8]) {
    var starts = [0]
    for (offset, octet) in octets.enumerated() where octet == 0x0A { starts.append(offset + 1) }
    self.starts = starts
  }

  /// Both from 1; columns in octets of UTF-8, as the compiler counts.
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
