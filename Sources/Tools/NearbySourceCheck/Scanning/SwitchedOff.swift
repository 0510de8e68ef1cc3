/// Code of a file that iOS compiles and Linux does not.
package struct SwitchedOff: Equatable, Sendable {
  /// Line of the `#if`.
  package var line: Int
  /// Number of lines with code.
  package var lineCount: Int
  /// The frameworks' protocols and types that the code is about, at most three.
  package var subjects: [String]
}

extension SwitchedOff {
  /// Describes the branches of a file that Linux leaves out.
  ///
  /// - Parameter isFramework: Whether a name is a type of a framework that Linux has.
  static func all(
    _ branches: [PlatformBranch], in octets: [UInt8], isFramework: (String) -> Bool
  ) -> [SwitchedOff] {
    guard !branches.isEmpty else { return [] }
    let tokens = SwiftLexer.tokens(of: octets)
    let lines = LineTable(octets)
    let owners = Owners(tokens)
    return branches.compactMap { branch in
      let body = tokens.filter { branch.body.contains($0.offset) && $0.offset > branch.body.lowerBound }
      let count = Set(body.lazy.map { lines.place(of: $0.offset).line }).count
      guard count > 0 else { return nil }
      var seen: Set<String> = []
      // The protocol that the code implements says most; else the types that it uses.
      let own = owners.parents(at: branch.body).filter(isFramework)
      let used = body.lazy.filter(\.isName).map(\.text).filter(isFramework)
      let names = (own.isEmpty ? Array(used) : own).filter { seen.insert($0).inserted }
      return SwitchedOff(line: branch.start, lineCount: count, subjects: Array(names.prefix(3)))
    }
  }

  /// Where types are declared or extended, and with which parents.
  private struct Owners {
    private var spans: [(body: Range<Int>, header: Int, parents: [String])] = []

    private static let keywords: Set<String> = ["class", "struct", "enum", "actor", "extension"]

    init(_ tokens: [SwiftToken]) {
      var open: [(start: Int, header: Int, parents: [String])] = []
      var header: (offset: Int, parents: [String], isBehindColon: Bool)?
      for token in tokens {
        if token.kind == .word, Self.keywords.contains(token.text) {
          header = (token.offset, [], false)
        } else if token.isSymbol("{") {
          open.append((token.offset, header?.offset ?? token.offset, header?.parents ?? []))
          header = nil
        } else if token.isSymbol("}") {
          header = nil
          guard let last = open.popLast() else { continue }
          spans.append((last.start..<token.offset, last.header, last.parents))
        } else if token.isSymbol(":") {
          header?.isBehindColon = true
        } else if token.isName, header?.isBehindColon == true {
          header?.parents.append(token.text)
        }
      }
      spans = spans.filter { !$0.parents.isEmpty }
    }

    /// The parents of types declared in a part of the file, or of the innermost type around it.
    func parents(at part: Range<Int>) -> [String] {
      let inside = spans.filter { part.contains($0.header) }
      if !inside.isEmpty { return inside.sorted { $0.header < $1.header }.flatMap(\.parents) }
      let around = spans.filter { $0.body.contains(part.lowerBound) }
      return around.max { $0.body.lowerBound < $1.body.lowerBound }?.parents ?? []
    }
  }
}
